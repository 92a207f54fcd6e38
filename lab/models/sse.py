"""Server-sent events: the bytes of an answer as they come, to the JSON that each event holds. Pure.

The SDKs' own reading is not used: it makes objects of the events, and these do not hold them as
they were received.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator

from lab.messages import Json

DONE = "[DONE]"

_LINE_END = re.compile(rb"\r\n|\n|\r")


class ErrorEvent(Exception):
    """The endpoint reports an error although the answer had begun. The message is what it sent."""


class NoEvents(Exception):
    """There was not one event: the answer is no stream."""


class BrokenOff(Exception):
    """The stream ended before the answer did."""


def events(pieces: Iterable[bytes], ends: Callable[[Json], bool]) -> Iterator[Json]:
    """The object in every event; `ends` tells the one that may be the answer's last.

    Raises ErrorEvent, NoEvents, BrokenOff; ValueError where an event is not JSON in UTF-8.
    """
    seen = ended = False
    for name, data in named_data(pieces):
        if data.strip() == DONE:
            return
        event = read_event(name, data)
        seen = True
        ended = ended or ends(event)
        yield event
    if not seen:
        raise NoEvents
    if not ended:
        raise BrokenOff("the stream ended before the answer did")


def read_event(name: str, data: str) -> Json:
    """The object in one event."""
    if name == "error":
        raise ErrorEvent(data)
    event = json.loads(data)
    if not isinstance(event, dict):
        raise ValueError(f"an event is no object: {data[:80]}")
    if event.get("error"):
        raise ErrorEvent(data)
    return event


def named_data(pieces: Iterable[bytes]) -> Iterator[tuple[str, str]]:
    """Name and data of every event; comments and other fields say nothing."""
    name, data = "", list[str]()
    for line in lines(pieces):
        if not line:
            if data:
                yield name, "\n".join(data)
            name, data = "", []
            continue
        field, _, value = line.decode().partition(":")
        if field == "event":
            name = value.strip()
        elif field == "data":
            data.append(value.removeprefix(" "))
    if data:
        yield name, "\n".join(data)


def lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Lines without their ends. Only these bytes end one: JSON may hold other separators."""
    begun, held = list[bytes](), b""
    for piece in pieces:
        text = held + piece
        held = b"\r" if text.endswith(b"\r") else b""  # the other half of an end may follow
        first, *others = _LINE_END.split(text[: len(text) - len(held)])
        begun.append(first)
        for other in others:
            yield b"".join(begun)
            begun = [other]
    if (rest := b"".join(begun)) or held:
        yield rest
