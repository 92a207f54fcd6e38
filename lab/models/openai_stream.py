"""A streamed Chat Completions answer, put together to the body an unstreamed one would have had.

Pure. Streams differ between providers, so nothing is taken for granted: see `merge_calls`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from lab.messages import Json

JOINED = ("content", "refusal", "reasoning", "reasoning_content")
"""Fields of a delta that come in pieces; of any other field the last value stands."""


class Assembly:
    """Collects the chunks of one answer."""

    def __init__(self) -> None:
        self._body: Json = {}
        self._choice: Json = {}
        self._message: Json = {"role": "assistant", "content": None}
        self._calls: list[Json] = []

    def add(self, chunk: Json) -> Iterator[str]:
        """Take a chunk in; yields the text and the reasoning in it, for display."""
        for key, value in chunk.items():
            if key not in ("choices", "usage") or (key == "usage" and value):
                self._body[key] = value
        for choice in chunk.get("choices") or []:
            if choice.get("index") or 0:
                continue  # only one answer is asked for; a second one is not ours to show
            delta = choice.get("delta" if "delta" in choice else "message") or {}
            self._choice.update({k: v for k, v in choice.items() if k != "delta" and v is not None})
            yield from self._merge(delta)

    def _merge(self, delta: Json) -> Iterator[str]:
        for key, value in delta.items():
            if key == "tool_calls":
                merge_calls(self._calls, value or [])
            elif isinstance(value, list):
                self._message[key] = [*as_list(self._message.get(key)), *value]
                yield from texts(value)
            elif key in JOINED and isinstance(value, str):
                self._message[key] = joined(self._message.get(key), value)
                yield value
            elif key != "role" and (value is not None or key not in self._message):
                self._message[key] = value

    def body(self) -> Json:
        """The whole body; `choices` is empty where no choice came."""
        if self._calls:
            self._message["tool_calls"] = self._calls
        choice = {"index": 0, "finish_reason": None, **self._choice, "message": self._message}
        return {**self._body, "choices": [choice] if self._choice else []}


def merge_calls(calls: list[Json], pieces: Iterable[Json]) -> None:
    """Add pieces of tool calls to the calls so far.

    A piece belongs to the call of its index; without an index, to the newest one. But a new id,
    or a name where there already is one, opens another call, whatever the index says; an empty id
    or name never overwrites.
    """
    for piece in pieces:
        function = piece.get("function") or {}
        call = owner(calls, piece)
        if call is None:
            call = {"function": {"name": "", "arguments": ""}}
            calls.append(call)
        for key, value in piece.items():
            if key != "function" and value not in (None, ""):
                call[key] = value
        for key, value in function.items():
            if key == "arguments":
                call["function"][key] = joined(call["function"].get(key), value)
            elif value not in (None, ""):
                call["function"][key] = value
    for call in calls:
        call.setdefault("type", "function")


def owner(calls: list[Json], piece: Json) -> Json | None:
    """The call that a piece goes on with; None where it opens a new one."""
    id, name = piece.get("id") or "", (piece.get("function") or {}).get("name") or ""
    index = piece.get("index")
    same = [c for c in calls if c.get("index") == index] if index is not None else calls
    if not same:
        return None
    newest = same[-1]
    if id and newest.get("id") and id != newest["id"]:
        return None
    if name and newest["function"]["name"] and (name != newest["function"]["name"] or not id):
        return None
    if name and index is None and not id:
        return None
    return newest


def joined(before: Any, piece: Any) -> Any:
    """Two pieces of a text; arguments may also come as an object at once."""
    if not isinstance(piece, str):
        return before if piece is None else piece
    if isinstance(before, list):
        return [*before, {"type": "text", "text": piece}]
    return (before or "") + piece


def as_list(value: Any) -> list[Any]:
    """Content that was a text before it became a list of parts."""
    if isinstance(value, list):
        return value
    return [{"type": "text", "text": value}] if value else []


def texts(parts: Iterable[Any]) -> Iterator[str]:
    """The text in a list of parts."""
    for part in parts:
        if isinstance(part, dict) and isinstance(part.get("text"), str):
            yield part["text"]
