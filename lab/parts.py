"""The parts of a request body, read off the body alone, whichever wire it is of. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from lab.messages import Json

PROSE = ("text", "content", "thinking")
"""Fields that hold text to be read, which is shown as text."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a request body."""

    role: str
    """`system`, `tools`, or the role of a message."""
    name: str
    """What it is called: a tool, the tools a message calls, the tool a result is of; or empty."""
    text: str
    """Its text where it is nothing but text; else its JSON, with long texts after it."""
    characters: int
    """Length of what was sent of it: its text, or its JSON without blanks."""
    copy: int = 0
    """How many parts before it are just the same; so no two of a body are equal."""


def parts(body: Json) -> tuple[Part, ...]:
    """The parts of a body, in the order sent."""
    seen: dict[Part, int] = {}
    found = []
    for part in plain_parts(body):
        found.append(replace(part, copy=seen.get(part, 0)))
        seen[part] = seen.get(part, 0) + 1
    return tuple(found)


def plain_parts(body: Json) -> Iterator[Part]:
    """The parts, not yet told apart where they are the same."""
    for key, value in body.items():
        if key == "messages":
            yield from of_messages(value)
        elif key == "system":
            yield Part(key, "", text_of(value), size(value))
        elif key == "tools":
            for tool in value:
                described = tool.get("function", tool)
                yield Part(key, str(described.get("name", "")), text_of(tool), size(tool))


def of_messages(messages: list[Json]) -> Iterator[Part]:
    """A part a message; where one holds several results, a part for each of them."""
    tools: dict[str, str] = {}
    for message in messages:
        role, content = str(message.get("role")), message.get("content")
        calls = list(calls_of(message))
        tools |= dict(calls)
        if role == "user" and isinstance(content, list):
            for block in content:
                name = result_name(block.get("tool_use_id"), tools)
                yield Part(role, name, text_of(block), size(block))
            continue
        name = f"calls {', '.join(called for _, called in calls)}" if calls else ""
        name = name or result_name(message.get("tool_name") or message.get("tool_call_id"), tools)
        rest = {key: value for key, value in message.items() if key != "role"}
        sent = content if rest.keys() == {"content"} else rest
        yield Part(role, name, text_of(rest), size(sent))


def calls_of(message: Json) -> Iterator[tuple[str, str]]:
    """Id and tool of every call in a message of any wire."""
    for call in message.get("tool_calls") or []:
        yield str(call.get("id")), str((call.get("function") or {}).get("name"))
    content = message.get("content")
    for block in content if isinstance(content, list) else []:
        if isinstance(block, dict) and block.get("type") == "tool_use":
            yield str(block.get("id")), str(block.get("name"))


def result_name(id: str | None, tools: dict[str, str]) -> str:
    """What a result is called, by its tool or the id of its call; empty for what is no result."""
    return "" if id is None else f"result of {tools.get(id) or id}"


def text_of(value: Any) -> str:
    """A value to be read: what is text as text, after the rest as indented JSON."""
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return "\n\n".join(map(text_of, value))
    if not isinstance(value, dict):
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)
    prose = {key: value[key] for key in PROSE if value.get(key)}
    rest = {key: item for key, item in value.items() if key not in prose}
    if prose and rest == {"type": "text"}:
        rest = {}
    shown = [json.dumps(rest, ensure_ascii=False, indent=1)] if rest or not prose else []
    return "\n\n".join([*shown, *map(text_of, prose.values())])


def size(value: Any) -> int:
    """Characters of a value: of the text, or of its JSON without blanks."""
    if isinstance(value, dict) and value.keys() == {"type", "text"}:
        value = value["text"]
    if isinstance(value, str):
        return len(value)
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
