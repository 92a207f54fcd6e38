"""Signs that a server has silently cut the prompt. Pure.

Ollama behind /v1 drops the front of a prompt longer than its context; a verdict on a model that
never saw the question would be false. What the server says it read is compared with what was sent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from lab.messages import Conversation, Message, Reply, ToolResult, Usage

FEWEST_PER_TOKEN = 8
"""No tokenizer makes so few tokens of a text: characters a token, twice what is usual."""

SMALLEST_CONTEXT = 1024
"""Below it nothing is said of a power of two."""

SHORTEST = 4 * SMALLEST_CONTEXT
"""Characters of a body that no context is too small for; much of it is not prompt but its frame."""

SLACK = 0.98
"""So much smaller than at a step before a count may be: servers count their own frame anew."""

USUAL_PER_BYTE = 0.25
"""Tokens a byte of UTF-8, much alike in every script. What is beyond them is frame, not text."""

LEAST_GROWTH = 0.6
"""The part of the growth to be expected that a count must show, since texts differ."""

RUN = re.compile(r"([\W_])\1{3,}")
"""Indents and rules of tables: many characters, few tokens."""


@dataclass(frozen=True, slots=True)
class Read:
    """What a server said it read at a step before."""

    count: int
    """Tokens in."""
    text: int
    """Bytes of text it was sent, reasoning left out."""
    reasoning: float
    """Tokens of it that may have been reasoning, which some servers drop later on."""


def signs_of_a_cut(conversation: Conversation, characters: int, usage: Usage) -> str:
    """What speaks for a cut, for the person; empty where nothing does.

    `characters` is the length of the body that was sent, `usage` what the server said of it.
    """
    count = usage.tokens_in
    if count is None or usage.estimated:
        return ""
    before, text = reads(conversation)
    said = f"The server says it read {count:,} tokens, "
    if short := shrunk(before, text, count):
        return f"{said}{short}. {MEANS}"
    if characters > SHORTEST and count * FEWEST_PER_TOKEN < characters:
        return f"{said}far too few for the {characters:,} characters sent. {MEANS}"
    full = count >= SMALLEST_CONTEXT and count & (count - 1) == 0
    again = bool(before) and before[-1].count == count
    if full and (again or characters > count * FEWEST_PER_TOKEN / 2 * 1.25):
        return f"{said}exactly a power of two: its context is full. {MEANS}"
    return ""


def shrunk(before: Sequence[Read], text: int, count: int) -> str:
    """What speaks for a cut in how the count grew, against each step before; empty if nothing.

    Against each, since a server that drops whole messages may by chance drop about as much as at
    the step before, or less.
    """
    per_byte = min([USUAL_PER_BYTE, *(read.count / read.text for read in before if read.text)])
    for read in reversed(before):
        added = text - read.text
        least = read.count * SLACK - read.reasoning + added * per_byte * LEAST_GROWTH
        if count < least and count < read.count:
            return f"fewer than the {read.count:,} of a step before, though more was sent"
        if count < least:
            more = f"{count - read.count:,} more than the {read.count:,} of a step before"
            return f"only {more}, though {added:,} bytes of text were added"
    return ""


def reads(conversation: Conversation) -> tuple[list[Read], int]:
    """What was read at the steps before, and how many bytes of text a server is to read now.

    Left out are replies without a raw form: another model gave them, whose tokens are others.
    """
    before: list[Read] = []
    text, reasoning = told_first(conversation), 0.0
    for message in conversation.messages:
        if isinstance(message, Reply):
            usage = message.usage
            if usage.tokens_in is not None and message.raw is not None and not usage.estimated:
                before.append(Read(usage.tokens_in, text, reasoning))
            reasoning += reasoning_of(message)
        text += size(said_in(message))
    return before, text


def told_first(conversation: Conversation) -> int:
    """Bytes of what stands before all messages: instructions and tools."""
    tools = (
        tool.name + tool.description + json.dumps(tool.parameters) for tool in conversation.tools
    )
    return sum(map(size, (conversation.system, *tools)))


def said_in(message: Message) -> str:
    """The text of a message, which every server is to read; reasoning is left out."""
    match message:
        case Reply(text, calls):
            written = (call.name + (call.raw or json.dumps(call.arguments)) for call in calls)
            return "".join([text, *written])
        case ToolResult():
            return message.content
    return message.text


def reasoning_of(reply: Reply) -> float:
    """About how many tokens of a reply were reasoning, shown or not."""
    hidden = (reply.usage.tokens_out or 0) - size(said_in(reply)) * USUAL_PER_BYTE
    return max(0.0, hidden, size(reply.thinking) * USUAL_PER_BYTE)


@lru_cache(256)  # each step is sent all that those before it were
def size(text: str) -> int:
    """Bytes of a text, where a run of one sign or blank counts once."""
    return len(RUN.sub(r"\1", text).encode(errors="replace"))


MEANS = (
    "It has cut your prompt: what it answers says nothing about the model. "
    "Give it a larger context (of Ollama, ask through the endpoint ollama-native), or ask for less."
)
