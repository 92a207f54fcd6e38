"""What the fault server asks of a request; what breaks a rule is answered with a 400.

A rule is a function of the request, of the requests before it and of the turns played so far. It
returns what is wrong, in the words of an endpoint, or nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from faults import messages
from faults.said import Json, Said, Wire

Rule: TypeAlias = Callable[[Json, Sequence[Json], Sequence[Said]], str]


def chat_is_well_formed(body: Json, before: Sequence[Json], said: Sequence[Said]) -> str:
    """One system message first; after calls their results, one each, in order, at once."""
    told = body["messages"]
    if [m["role"] for m in told].count("system") != 1 or told[0]["role"] != "system":
        return "exactly one system message must come first"
    seen: set[str] = set()
    for place, message in enumerate(told):
        calls = message.get("tool_calls") or []
        ids = [call["id"] for call in calls]
        results = told[place + 1 : place + 1 + len(ids)]
        if [m.get("tool_call_id") for m in results] != ids or not all(ids):
            return f"messages[{place}].tool_calls must each have their result, in order"
        if len({*ids, *seen}) != len(ids) + len(seen):
            return f"messages[{place}].tool_calls: ids must be unique"
        seen.update(ids)
        if not isinstance(message["content"], str) and not calls:
            return f"messages[{place}].content must be a string"
        if message["role"] == "tool" and not message["content"]:
            return f"messages[{place}].content must not be empty"
    return "" if sum(m["role"] == "tool" for m in told) == len(seen) else "a result has no call"


def messages_are_well_formed(body: Json, before: Sequence[Json], said: Sequence[Said]) -> str:
    """All results of a turn first in the next message; no empty text, no empty content."""
    told, seen = body["messages"], list[str]()
    for place, message in enumerate(told):
        content = message["content"]
        if message["role"] not in ("user", "assistant") or not content:
            return f"messages.{place}: content must not be empty"
        if any(b["type"] == "text" and not b["text"].strip() for b in content):
            return f"messages.{place}: text content blocks must be non-empty"
        ids = [block["id"] for block in content if block["type"] == "tool_use"]
        after = told[place + 1]["content"][: len(ids)] if place + 1 < len(told) else []
        if [block.get("tool_use_id") for block in after] != ids or not all(ids):
            return f"messages.{place}: tool_use ids were found without tool_result blocks after"
        if not all(isinstance(b["input"], dict) for b in content if b["type"] == "tool_use"):
            return f"messages.{place}: tool_use.input must be an object"
        seen += ids
    results = [b for m in told for b in m["content"] if b["type"] == "tool_result"]
    if len(set(seen)) != len(seen) or len(results) != len(seen):
        return "tool_use ids must be unique, and each have one tool_result"
    return "" if all(block["content"] for block in results) else "tool_result must not be empty"


def ollama_is_well_formed(body: Json, before: Sequence[Json], said: Sequence[Said]) -> str:
    """After calls their results, one each, in order, at once, each by the tool's name."""
    told, calls = body["messages"], 0
    for place, message in enumerate(told):
        functions = [call["function"] for call in message.get("tool_calls") or []]
        names = [function["name"] for function in functions]
        results = told[place + 1 : place + 1 + len(names)]
        if [m.get("tool_name") for m in results] != names:
            return f"messages[{place}].tool_calls must each have their result, in order"
        if not all(isinstance(function["arguments"], dict) for function in functions):
            return f"messages[{place}].tool_calls: arguments must be an object"
        if not isinstance(message["content"], str):
            return f"messages[{place}].content must be a string"
        calls += len(names)
    return "" if sum(m["role"] == "tool" for m in told) == calls else "a result has no call"


WELL_FORMED: dict[Wire, Rule] = {
    "openai": chat_is_well_formed,
    "anthropic": messages_are_well_formed,
    "ollama": ollama_is_well_formed,
}
"""Kept to in every fault that is played."""


def asks_for_the_whole_prompt(body: Json, before: Sequence[Json], said: Sequence[Said]) -> str:
    """A context is asked for by its size, and nothing of the prompt may be dropped for it."""
    asked = body["options"].get("num_ctx"), body.get("truncate"), body.get("shift")
    return "" if asked == (8192, False, False) else "num_ctx, truncate or shift is missing"


def prefix_unchanged(body: Json, before: Sequence[Json], said: Sequence[Said]) -> str:
    """System, tools and every earlier message are, to the byte, what they were."""
    for earlier in before[-1:]:
        for key in ("system", "tools"):
            if json.dumps(body.get(key)) != json.dumps(earlier.get(key)):
                return f"{key} changed since the last request"
        kept = body["messages"][: len(earlier["messages"])]
        if json.dumps(kept) != json.dumps(earlier["messages"]):
            return "an earlier message changed since the last request"
    return ""


def thinking_returned(body: Json, before: Sequence[Json], said: Sequence[Said]) -> str:
    """Every block before the text comes back where it was, as it was."""
    turns = [m["content"] for m in body["messages"] if m["role"] == "assistant"]
    for content, turn in zip(turns, said, strict=False):
        if content[: len(turn.blocks)] != messages.content(turn)[: len(turn.blocks)]:
            return "thinking blocks cannot be modified"
    return ""


def fields_returned(body: Json, before: Sequence[Json], said: Sequence[Said]) -> str:
    """Reasoning comes back in the field in which it was sent."""
    for message, turn in zip(assistants(body), said, strict=False):
        if any(message.get(key) != value for key, value in turn.fields.items()):
            return f"Missing {', '.join(turn.fields)} in an assistant message"
    return ""


def extra_returned(body: Json, before: Sequence[Json], said: Sequence[Said]) -> str:
    """What came with a call comes back with that call."""
    for message, turn in zip(assistants(body), said, strict=False):
        for sent, call in zip(message.get("tool_calls") or [], turn.calls, strict=True):
            if any(sent.get(key) != value for key, value in call.extra.items()):
                return "Function call is missing a thought_signature"
    return ""


def assistants(body: Json) -> Iterator[Json]:
    """The model's own turns in a request."""
    return (m for m in body["messages"] if m["role"] == "assistant")


def no_null_content(body: Json, before: Sequence[Json], said: Sequence[Said]) -> str:
    """A server that knows texts only."""
    null = any(message["content"] is None for message in body["messages"])
    return "Invalid value for 'content': expected a string, got null." if null else ""


def no_empty_content(body: Json, before: Sequence[Json], said: Sequence[Said]) -> str:
    """A server that wants every text to say something."""
    empty = any(message["content"] in ("", []) for message in body["messages"])
    return "Invalid value for 'content': must not be empty." if empty else ""


def no_developer(body: Json, before: Sequence[Json], said: Sequence[Said]) -> str:
    """A server of before that role."""
    new = any(message["role"] == "developer" for message in body["messages"])
    return "Unexpected role 'developer'." if new else ""


def without(parameter: str, instead: str = "") -> Rule:
    """A server that does not take a parameter."""

    def rule(body: Json, before: Sequence[Json], said: Sequence[Said]) -> str:
        hint = f" Use '{instead}' instead." if instead else ""
        refused = f"Unsupported parameter: '{parameter}' is not supported with this model.{hint}"
        return refused if parameter in body else ""

    return rule
