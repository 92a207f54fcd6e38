"""What to fetch next: near pages before far ones, and few of those that a program makes endlessly.

Fetches nothing.
"""

import heapq
from collections import Counter
from dataclasses import dataclass

from indexer.crawl.addresses import is_made, may_be_page, shape

MOST_ALIKE = 200
"""Addresses of one shape that links lead to: more are a calendar, or a filter of a list."""
MOST_DEEP = 50
"""Links from the start."""
_MOST_MET = 100_000
_FEW = 10


@dataclass(frozen=True, slots=True)
class Found:
    """An address to fetch."""

    address: str
    """In normal form, within the crawl."""
    depth: int = 0
    """How many links from the start."""
    hops: int = 0
    """Redirects that led to it."""
    listed: bool = False
    """Whether the site itself lists it, or redirects to it: then it is not one too many."""


class Frontier:
    """Addresses that wait, each met once."""

    def __init__(self) -> None:
        self._waiting: list[tuple[int, int, int, Found]] = []
        self._met: set[str] = set()
        self._shapes: Counter[str] = Counter()
        self.refused: dict[str, int] = {}
        """By shape: how many addresses were one too many."""
        self.overflow = 0
        """How many were more than can be kept in mind."""

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, found: Found) -> None:
        """Let an address wait, unless it was met before, or is one too many of its kind."""
        if found.address in self._met:
            return
        if len(self._met) >= _MOST_MET:
            self.overflow += 1
            return
        kind = shape(found.address)
        if not found.listed:
            if not may_be_page(found.address) or found.depth > MOST_DEEP:
                return
            if is_made(kind) and self._shapes[kind] >= MOST_ALIKE:
                self.refused[kind] = self.refused.get(kind, 0) + 1
                return
        self._met.add(found.address)
        self._shapes[kind] += 1
        rank = 0 if found.listed else self._shapes[kind] // _FEW if is_made(kind) else 0
        order = (rank, found.depth, len(self._met))
        heapq.heappush(self._waiting, (*order, found))

    def next(self) -> Found | None:
        """Return the address to fetch next; None where none waits."""
        return heapq.heappop(self._waiting)[-1] if self._waiting else None
