"""What all wires share in reading and writing turns: ids, arguments, faults. Pure functions."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, TypeAlias

from lab.messages import Json, Message, Notice, Question, Reply, ToolCall, ToolResult

Turn: TypeAlias = Reply | tuple[Question | ToolResult | Notice, ...]
"""A model's turn, or everything the model is told before its next one."""

QUOTED_CHARACTERS = 200

NAME_CHARACTERS = 64
"""The longest name that the vendors take, of letters and digits of ASCII, `_` and `-`."""

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")

MOST_TOKENS = 10**12
"""A count that is larger is none: some servers subtract without a look at the sign."""


def turns(messages: Iterable[Message]) -> Iterator[Turn]:
    """Messages as turns that alternate; in a turn to the model, tool results come first."""
    told: list[Question | ToolResult | Notice] = []
    for message in messages:
        if not isinstance(message, Reply):
            told.append(message)
            continue
        if told:
            yield results_first(told)
            told = []
        yield message
    if told:
        yield results_first(told)


def results_first(
    told: list[Question | ToolResult | Notice],
) -> tuple[Question | ToolResult | Notice, ...]:
    """The same messages, each kind in its order."""
    return tuple(sorted(told, key=lambda message: not isinstance(message, ToolResult)))


def sent_name(name: str) -> str:
    """A tool's name as every endpoint takes it back: one that a model made up may be none."""
    return _NOT_IN_NAMES.sub("_", name)[:NAME_CHARACTERS] or "unnamed"


def fitting_id(id: str, form: str, characters: int = 64) -> str:
    """The id where it is of that form, else one made of it; always the same for the same id."""
    return id if re.fullmatch(form, id) else hashlib.sha256(id.encode()).hexdigest()[:characters]


def call_ids(messages: Iterable[Message]) -> set[str]:
    """Ids of all calls made so far."""
    return {c.id for message in messages if isinstance(message, Reply) for c in message.calls}


def with_unique_ids(calls: Iterable[ToolCall], taken: set[str]) -> tuple[ToolCall, ...]:
    """The calls, where an empty or repeated id is replaced by one that nobody has."""
    seen, unique = set(taken), []
    for call in calls:
        wanted, number = call.id or f"call_{len(seen) + 1}", 1
        id = wanted
        while id in seen:
            number += 1
            id = f"{wanted}_{number}"
        seen.add(id)
        unique.append(replace(call, id=id))
    return tuple(unique)


def read_call(id: str, name: str, arguments: object) -> ToolCall:
    """A call from what a wire holds: `arguments` is JSON text, an object already, or nothing."""
    if arguments is None or arguments == "":
        return ToolCall(id, name, {})
    if isinstance(arguments, dict):
        return ToolCall(id, name, arguments)
    raw = arguments if isinstance(arguments, str) else json.dumps(arguments)
    try:
        read = sendable(json.loads(raw))
    except (ValueError, RecursionError) as error:
        return ToolCall(id, name, None, raw, f"The arguments are not valid JSON: {error}.")
    if read is None:
        return ToolCall(id, name, {})
    if isinstance(read, dict):
        return ToolCall(id, name, read)
    kind = {list: "a list", str: "a text", bool: "true or false"}.get(type(read), "a number")
    return ToolCall(id, name, None, raw, f"The arguments are {kind}, not a JSON object.")


def is_object(written: str) -> bool:
    """True for the text of a JSON object."""

    def refused(name: str) -> None:
        raise ValueError(f"{name} is no number of JSON's")

    try:
        return isinstance(json.loads(written, parse_constant=refused), dict)
    except (ValueError, RecursionError):
        return False


def sendable(value: Any) -> Any:
    """A JSON value as it can be sent on, whatever somebody wrote.

    Half a character, which nothing could encode, is a question mark. What Python reads as a number
    and JSON has no number for, such as NaN or 1e999, is its name as a text.
    """
    try:
        written = json.dumps(value, ensure_ascii=False, allow_nan=False)
        if written.isascii():
            return value
    except ValueError:
        written = json.dumps(value, ensure_ascii=False)
    return json.loads(written.encode(errors="replace"), parse_constant=str)


def text(value: object) -> str:
    """A text of a response, empty where there is none. TypeError where it is something else."""
    if value is not None and not isinstance(value, str):
        raise TypeError(f"a text was expected, not {json.dumps(value)[:QUOTED_CHARACTERS]}")
    return value or ""


def count(value: object) -> int | None:
    """A count of tokens; None where what was sent is none."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < MOST_TOKENS:
        return None
    return value


def fields_of(value: object) -> Json:
    """A side field's own fields; none where it is no object: it is not worth an answer."""
    return value if isinstance(value, dict) else {}


def items_of(value: object) -> list[Json]:
    """The objects in a list of calls or blocks, where nulls may stand between them.

    TypeError for what is no list.
    """
    if not isinstance(value, list):
        raise TypeError(f"a list was expected, not {json.dumps(value)[:QUOTED_CHARACTERS]}")
    return [item for item in value if isinstance(item, dict)]


def prompt_count(value: object) -> int | None:
    """A count of a prompt's tokens. No prompt has none: a 0 is what some put who did not count."""
    return count(value) or None


def fault_of(reply: Reply) -> str:
    """Why a whole reply without calls is no answer either; empty where it is one."""
    if reply.calls or reply.stop in ("cut", "refused", "paused", "unknown"):
        return ""
    if reply.stop == "tools":
        return (
            "Your reply says that it calls a tool, but holds no call. "
            "Call a tool with its arguments, or answer the question."
        )
    if not reply.text.strip():
        return "Your reply is empty. Call a tool, or answer the question in words."
    return ""


def cut_where_broken(reply: Reply, cap: int) -> Reply:
    """The reply, cut off where arguments are broken and the output limit was used up.

    Some gateways give any reason to stop then, or none.
    """
    broken = any(call.arguments is None for call in reply.calls)
    used_up = (reply.usage.tokens_out or 0) >= cap
    return replace(reply, stop="cut") if broken and used_up and reply.stop == "tools" else reply
