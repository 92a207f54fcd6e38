"""Frozen dataclasses to JSON and back, by their type hints. Standard library only."""

from __future__ import annotations

import dataclasses
import json
import types
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from lab import events
from lab.events import Event
from lab.run import Recorded

KINDS: dict[str, type[Event]] = {kind.__name__: kind for kind in get_args(events.Event)}
"""Event classes by the name they have in JSON."""


class UnknownEvent(ValueError):
    """The stored event is none that this version knows. The caller decides what to say."""


def event_to_json(event: Event) -> dict[str, Any]:
    """The event as a JSON object with its `kind` first."""
    return {"kind": type(event).__name__, **to_json(event)}


def json_line(entry: Recorded) -> str:
    """An event as one line of JSON: seq, at, kind, and its fields."""
    values = {"seq": entry.seq, "at": entry.at, **event_to_json(entry.event)}
    return json.dumps(values, ensure_ascii=False).encode(errors="replace").decode()


def event_from_json(data: dict[str, Any]) -> Event:
    """The event that `event_to_json` wrote; UnknownEvent for any other kind or shape."""
    fields = dict(data)
    kind = KINDS.get(str(fields.pop("kind", "")))
    if kind is None:
        raise UnknownEvent(f"unknown event kind {data.get('kind')!r}")
    try:
        return from_json(kind, fields)  # type: ignore[no-any-return]
    except (TypeError, ValueError, KeyError) as error:
        raise UnknownEvent(f"{kind.__name__} cannot be read: {error}") from error


def to_json(value: Any) -> Any:
    """Dataclasses become objects, tuples arrays; everything else must be JSON already."""
    if (names := _names(value.__class__)) is not None:
        return {name: to_json(getattr(value, name)) for name in names}
    if isinstance(value, tuple):
        return [to_json(item) for item in value]
    return value


def from_json(kind: Any, data: Any) -> Any:
    """Rebuild a value of type `kind` from what `to_json` made of it."""
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        _require(isinstance(data, dict), "an object", data)
        hints = _hints(kind)
        return kind(**{name: from_json(hints[name], item) for name, item in data.items()})
    origin = get_origin(kind)
    if origin is tuple:
        _require(isinstance(data, list), "an array", data)
        return tuple(from_json(get_args(kind)[0], item) for item in data)
    if origin in (Union, types.UnionType) and data is not None:
        inner = [arg for arg in get_args(kind) if arg is not type(None)]
        return from_json(inner[0], data) if len(inner) == 1 else data
    if origin is Literal:
        _require(data in get_args(kind), f"one of {', '.join(get_args(kind))}", data)
    return data


def _require(fits: bool, wanted: str, data: Any) -> None:
    if not fits:
        raise TypeError(f"{data!r:.80} is not {wanted}")


@cache
def _names(kind: type) -> tuple[str, ...] | None:
    """The fields of a dataclass; None for any other type."""
    if not dataclasses.is_dataclass(kind):
        return None
    return tuple(field.name for field in dataclasses.fields(kind))


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)
