"""Where each passage stands: its place by id, and the order of ids.

A place is a line of `passages.jsonl`, counted from 0. Passages are either all held in memory, or
each is read from its line when it is asked for. Knows no terms.
"""

import json
import weakref
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import MISSING, fields
from operator import attrgetter
from pathlib import Path
from threading import Lock
from typing import BinaryIO, Protocol, overload

import numpy as np
from numpy.typing import NDArray

from indexer.passages import Passage

Table = NDArray[np.void]
"""A row for each passage: `start`, where its line begins; `rank`, where its id stands in the order
of ids; `by_rank`, the place of the id of that rank. One more row says where the last line ends."""

_FIELDS = [field.name for field in fields(Passage)]
_OPTIONAL = [field.name for field in fields(Passage) if field.default is not MISSING]
"""Told only where a passage has it."""
_values = attrgetter(*_FIELDS)
_encoder = json.JSONEncoder(ensure_ascii=False)
_ROW = np.dtype([("start", "<u8"), ("rank", "<u4"), ("by_rank", "<u4")])
_NEAR = 1_000
"""So many ids before and after in their order are looked at for one that is like another."""


class Places(Protocol):
    """Finds the place of an id."""

    @property
    def ranks(self) -> NDArray[np.uint32]:
        """By place: where its id stands in the order of ids."""

    def find(self, id: str) -> int | None:
        """Return the place of the passage with this id, or None."""

    def near(self, id: str) -> Iterable[str]:
        """Return the ids among which those most like this one are to be found."""


class HeldPlaces:
    """The places of passages that are held in memory."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self._places = {each.id: at for at, each in enumerate(passages)}

    @property
    def ranks(self) -> NDArray[np.uint32]:
        """By place: where its id stands in the order of ids."""
        return table(list(self._places))["rank"][:-1]

    def find(self, id: str) -> int | None:
        """Return the place of the passage with this id, or None."""
        return self._places.get(id)

    def near(self, id: str) -> Iterable[str]:
        """Return all ids."""
        return self._places


class StoredPassages(Sequence[Passage]):
    """The passages of a file of JSON lines, none of them held; may be read by several threads."""

    def __init__(self, file: Path, table: Table) -> None:
        # Without the view, reading one number of a file that is mapped makes an object or two.
        self._table = table.view(np.ndarray)
        self._starts = self._table["start"]
        self._stream: BinaryIO = file.open("rb", buffering=0)
        self._reading = Lock()
        weakref.finalize(self, self._stream.close)

    def __len__(self) -> int:
        return len(self._table) - 1

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

    @property
    def ranks(self) -> NDArray[np.uint32]:
        """By place: where its id stands in the order of ids."""
        return self._table["rank"][:-1]

    def find(self, id: str) -> int | None:
        """Return the place of the passage with this id, or None."""
        rank = self._rank(id)
        if rank == len(self) or self._id(rank) != id:
            return None
        return self._by_rank(rank)

    def near(self, id: str) -> Iterable[str]:
        """Return the ids around this one in the order of ids."""
        rank = self._rank(id)
        around = range(max(0, rank - _NEAR), min(len(self), rank + _NEAR))
        return (self._id(each) for each in around)

    def _rank(self, id: str) -> int:
        return bisect_left(range(len(self)), id, key=self._id)

    def _by_rank(self, rank: int) -> int:
        return int(self._table["by_rank"][rank])

    def _id(self, rank: int) -> str:
        return self[self._by_rank(rank)].id


def line(passage: Passage) -> bytes:
    """Return a passage as a line of JSON."""
    values = dict(zip(_FIELDS, _values(passage), strict=True))
    for name in _OPTIONAL:
        if not values[name]:
            del values[name]
    return _encoder.encode(values).encode() + b"\n"


def parsed(line: bytes) -> Passage:
    """Return the passage of a line."""
    return Passage.of(json.loads(line))


def table(ids: Sequence[str]) -> Table:
    """Return the table of passages with these ids, where no line begins anywhere yet."""
    order = np.array(sorted(range(len(ids)), key=ids.__getitem__), dtype="<u4")
    rows = np.zeros(len(ids) + 1, _ROW)
    rows["by_rank"][:-1] = order
    rows["rank"][order] = np.arange(len(ids))
    return rows
