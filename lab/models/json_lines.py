"""An answer of JSON lines: its bytes as they come, to the object in each line. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from lab.messages import Json
from lab.models.sse import BrokenOff, NoEvents, lines, read_event


def objects(pieces: Iterable[bytes], ends: Callable[[Json], bool]) -> Iterator[Json]:
    """The object in every line; `ends` tells the one that is the answer's last.

    Raises ErrorEvent, NoEvents, BrokenOff; ValueError where a line is not JSON in UTF-8.
    """
    seen = ended = False
    for line in lines(pieces):
        if not line.strip():
            continue
        found = read_event("", line.decode())
        seen = True
        ended = ended or ends(found)
        yield found
    if not seen:
        raise NoEvents
    if not ended:
        raise BrokenOff("the stream ended before the answer did")
