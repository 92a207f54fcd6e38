"""Where each passage stands: found by its id or its address, or as one of an article.

A place is the number of a passage in the order of the articles, counted from 0, and of its line in
`passages.jsonl`. Nothing here looks at all passages of an index: they may be millions, in a file.
Knows no terms.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from indexer.passages import Passage

Table = NDArray[np.void]
"""A row for each passage: `start`, where its line begins in the file; `rank`, where its id stands
in the order of ids; `by_rank`, the place of the id of that rank; `address`, a checksum of its
address; `by_address`, the places in the order of these; `article`, the number of its article;
`text` and `head`, how many characters its text has, and its id, title and headings together. One
more row says where the last line ends."""
Part = Literal["text", "head"]

_ROW = np.dtype(
    [("start", "<u8")]
    + [(name, "<u4") for name in ("rank", "by_rank", "address", "by_address", "article")]
    + [(name, "<u4") for name in ("text", "head")]
)
_NEAR = 1_000
"""So many ids before and after in their order are looked at for one that is like another."""


@dataclass(frozen=True, slots=True)
class Listed:
    """An article of an index, as its first passage tells it."""

    slug: str
    title: str
    first: int
    """Place of its first passage."""
    passages: int
    """How many it has; they stand one after the other."""


class Places:
    """Finds places in a table; the passages are read where one has to be sure."""

    def __init__(self, passages: Sequence[Passage], table: Table) -> None:
        self._passages = passages
        # Without the view, reading one number of a file that is mapped makes an object or two.
        self._table = table.view(np.ndarray)[:-1]

    @classmethod
    def of(cls, passages: Sequence[Passage]) -> "Places":
        """Return the places of passages that are held."""
        return cls(passages, table(passages))

    @property
    def ranks(self) -> NDArray[np.uint32]:
        """By place: where its id stands in the order of ids."""
        return self._table["rank"]

    def find(self, id: str) -> int | None:
        """Return the place of the passage with this id, or None."""
        rank = self._rank(id)
        if rank == len(self._passages) or self._id(rank) != id:
            return None
        return self._by_rank(rank)

    def near(self, id: str) -> Iterable[str]:
        """Return the ids around this one in the order of ids, itself among them."""
        rank = self._rank(id)
        around = range(max(0, rank - _NEAR), min(len(self._passages), rank + _NEAR))
        return (self._id(each) for each in around)

    def at_address(self, url: str) -> int | None:
        """Return the first place of that address, with or without a slash at its end, or None."""
        wanted, order = _checksum(url), self._table["by_address"]
        at = bisect_left(range(len(order)), wanted, key=lambda each: self._sum(int(order[each])))
        while at < len(order) and self._sum(int(order[at])) == wanted:
            if self._passages[int(order[at])].url.rstrip("/") == url.rstrip("/"):
                return int(order[at])
            at += 1
        return None

    def articles(self) -> list[Listed]:
        """Return all articles in their order; reads one passage of each."""
        _, starts = np.unique(self._table["article"], return_index=True)
        counts = np.diff([*starts, len(self._passages)])
        heads = (self._passages[at] for at in starts.tolist())
        return [
            Listed(head.article, head.title, first, count)
            for head, first, count in zip(heads, starts.tolist(), counts.tolist(), strict=True)
        ]

    def longest(self, part: Part, n: int) -> list[int]:
        """Return the places of the `n` passages that have most characters there, longest first."""
        order = np.argsort(self._table[part], kind="stable")[::-1]
        return [int(each) for each in order[:n]]

    def _rank(self, id: str) -> int:
        return bisect_left(range(len(self._passages)), id, key=self._id)

    def _by_rank(self, rank: int) -> int:
        return int(self._table["by_rank"][rank])

    def _id(self, rank: int) -> str:
        return self._passages[self._by_rank(rank)].id

    def _sum(self, place: int) -> int:
        return int(self._table["address"][place])


def ranked(ids: Sequence[str]) -> NDArray[np.uint32]:
    """Return for each id where it stands in the order of all."""
    order = np.array(sorted(range(len(ids)), key=ids.__getitem__), dtype=np.uint32)
    ranks = np.zeros(len(ids), np.uint32)
    ranks[order] = np.arange(len(ids))
    return ranks


def table(passages: Sequence[Passage]) -> Table:
    """Return the table of these passages, where no line begins anywhere yet."""
    rows = np.zeros(len(passages) + 1, _ROW)
    held = rows[:-1]
    held["rank"] = ranked([each.id for each in passages])
    held["by_rank"] = np.argsort(held["rank"])
    held["address"] = [_checksum(each.url) for each in passages]
    held["by_address"] = np.argsort(held["address"], kind="stable")
    held["article"] = _numbers([each.article for each in passages])
    held["text"] = [len(each.text) for each in passages]
    held["head"] = [_head(each) for each in passages]
    return rows


def _checksum(url: str) -> int:
    return crc32(url.rstrip("/").encode("utf-8", "replace"))


def _numbers(slugs: list[str]) -> NDArray[np.uint32]:
    """Return for each the number of its run of the same, from 0."""
    begins = [after != before for before, after in zip(["", *slugs], slugs, strict=False)]
    return np.maximum(np.cumsum(begins, dtype=np.int64) - 1, 0).astype(np.uint32)


def _head(passage: Passage) -> int:
    return len(passage.id) + len(passage.title) + sum(map(len, passage.headings))
