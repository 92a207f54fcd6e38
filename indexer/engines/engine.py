"""The seam between an index and what scores its passages by terms.

A passage is known by its place: its line in `passages.jsonl`, counted from 0. Engines know places
and terms; not what a passage says.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from indexer.term_lines import TermLines

Ranks = NDArray[np.uint32]
"""By place: where the passage's id stands in the order of all ids, which settles ties."""

Found = list[tuple[int, float]]
"""Places with their scores."""


class Engine(Protocol):
    """BM25 over the terms of all passages; see `indexer.bm25` for the formula.

    Whatever the engine, a query finds the same passages in the same order, but for what
    `docs/growing.md` says of its arithmetic.
    """

    def known(self, terms: Sequence[str]) -> list[str]:
        """Return the terms that some passage holds, each once, in their order."""

    def best(self, terms: Sequence[str], limit: int) -> Found:
        """Return at most `limit` places with scores above zero, best first; ties go by rank."""

    def shares(self, terms: Sequence[str], place: int) -> list[tuple[str, float]]:
        """Return what each term adds to the score of one passage, largest first."""


@dataclass(frozen=True, slots=True)
class Material:
    """What an engine is made from."""

    documents: TermLines
    """The terms of each passage, by place."""
    k1: float
    """See `indexer.bm25`."""
    b: float
    """See `indexer.bm25`."""


def settled(search: Callable[[int], Found], ranks: Ranks, limit: int, most: int) -> Found:
    """Return the best `limit` of a search that breaks ties in another way than by rank.

    `search` gives at most as many as it is asked for, best first. It is asked for more until the
    tie at the limit is whole, or it was asked for `most`.
    """
    asked = min(limit + 10, most)
    found = search(asked)
    while len(found) == asked < most and found[-1][1] == found[limit - 1][1]:
        asked = min(asked * 4, most)
        found = search(asked)
    found.sort(key=lambda pair: (-pair[1], ranks[pair[0]]))
    return found[:limit]


def largest_first(shares: list[tuple[str, float]]) -> list[tuple[str, float]]:
    """Return the shares above zero in the order they are shown in."""
    return sorted((pair for pair in shares if pair[1] > 0), key=lambda pair: (-pair[1], pair[0]))
