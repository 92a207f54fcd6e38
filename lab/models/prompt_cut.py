"""Signs that a server has silently cut the prompt. Pure.

Ollama behind /v1 drops the front of a prompt longer than its context; a verdict on a model that
never saw the question would be false. What the server says it read is compared with what was sent.
"""

from __future__ import annotations

from lab.messages import Conversation, Reply, Usage

FEWEST_PER_TOKEN = 8
"""No tokenizer makes so few tokens of a text: characters a token, twice what is usual."""

SMALLEST_CONTEXT = 1024
"""Below it nothing is said of a power of two."""

SHORTEST = 4 * SMALLEST_CONTEXT
"""Characters of a body that no context is too small for; much of it is not prompt but its frame."""

SLACK = 0.98
"""So much smaller than the step before a count may be, since some servers drop old reasoning."""


def signs_of_a_cut(conversation: Conversation, characters: int, usage: Usage) -> str:
    """What speaks for a cut, for the person; empty where nothing does.

    `characters` is the length of the body that was sent, `usage` what the server said of it.
    """
    count = usage.tokens_in
    if count is None or usage.estimated:
        return ""
    before = [m.usage.tokens_in for m in conversation.messages if isinstance(m, Reply)]
    last = before[-1] if before else None
    said = f"The server says it read {count:,} tokens, "
    if last is not None and count < last * SLACK:
        return f"{said}fewer than the {last:,} of the step before, though more was sent. {MEANS}"
    if characters > SHORTEST and count * FEWEST_PER_TOKEN < characters:
        return f"{said}far too few for the {characters:,} characters sent. {MEANS}"
    full = count >= SMALLEST_CONTEXT and count & (count - 1) == 0
    if full and (last == count or characters > count * FEWEST_PER_TOKEN / 2 * 1.25):
        return f"{said}exactly a power of two: its context is full. {MEANS}"
    return ""


MEANS = (
    "It has cut your prompt: what it answers says nothing about the model. "
    "Give it a larger context (of Ollama, ask through the endpoint ollama-native), or ask for less."
)
