"""Passages in a file, one a line of JSON, of which none is held in memory."""

import weakref
from collections.abc import Sequence
from dataclasses import MISSING, fields
from operator import attrgetter
from pathlib import Path
from threading import Lock
from typing import BinaryIO, overload

import numpy as np
import orjson
from numpy.typing import NDArray

from indexer.passages import Passage

_FIELDS = [field.name for field in fields(Passage)]
_OPTIONAL = [field.name for field in fields(Passage) if field.default is not MISSING]
"""Told only where a passage has it."""
_values = attrgetter(*_FIELDS)


class StoredPassages(Sequence[Passage]):
    """The passages of a file of JSON lines; may be read by several threads."""

    def __init__(self, file: Path, starts: NDArray[np.uint64]) -> None:
        """`starts` are the bytes at which the lines begin, and the one at which the last ends."""
        # Without the view, reading one number of a file that is mapped makes an object or two.
        self._starts = starts.view(np.ndarray)
        self._stream: BinaryIO = file.open("rb", buffering=0)
        self._reading = Lock()
        weakref.finalize(self, self._stream.close)

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, at: int) -> Passage: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Passage, ...]: ...
    def __getitem__(self, at: int | slice) -> Passage | tuple[Passage, ...]:
        if isinstance(at, slice):
            return tuple(self[each] for each in range(*at.indices(len(self))))
        place = range(len(self))[at]
        start, end = self._starts[place : place + 2].tolist()
        with self._reading:
            self._stream.seek(start)
            line = self._stream.read(end - start)
        return parsed(line)


def line(passage: Passage) -> bytes:
    """Return a passage as a line of JSON."""
    values = dict(zip(_FIELDS, _values(passage), strict=True))
    for name in _OPTIONAL:
        if not values[name]:
            del values[name]
    return orjson.dumps(values, option=orjson.OPT_APPEND_NEWLINE)


def parsed(line: bytes) -> Passage:
    """Return the passage of a line."""
    return Passage.of(orjson.loads(line))
