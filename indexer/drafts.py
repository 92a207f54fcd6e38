"""Pieces on their way to passages: what is too small joins a neighbour. Knows no articles."""

from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush
from itertools import takewhile

from indexer.pieces import Piece, join
from indexer.sections import Section
from indexer.settings import Sizes


@dataclass(frozen=True, slots=True)
class Draft:
    """A passage before it has an id."""

    section: Section
    """The section that names it."""
    number: int
    """Which piece of that section it begins with, from 1."""
    piece: Piece
    """Its blocks, of that section and perhaps of some that follow."""


def merge_small(drafts: list[Draft], sizes: Sizes) -> list[Draft]:
    """Join drafts below the least size to their nearest kin beside them, the smallest first."""
    # Neighbours are kept as links, so that a page of thousands of headings takes no longer than
    # sorting them.
    live = dict(enumerate(drafts))
    before = {at: at - 1 for at in live}
    after = {at: at + 1 for at in live}
    heap = [(draft.piece.words, at) for at, draft in live.items()]
    heapify(heap)
    while heap and heap[0][0] < sizes.least:
        words, at = heappop(heap)
        if at not in live or live[at].piece.words != words:
            continue
        pairs = [(before[at], at), (at, after[at])]
        pairs = [
            (a, b) for a, b in pairs if a in live and b in live and _fit(live[a], live[b], sizes)
        ]
        if pairs:
            first, second = max(pairs, key=lambda pair: _kinship(live[pair[0]], live[pair[1]]))
            live[first] = _join(live[first], live.pop(second))
            after[first] = after[second]
            before[after[first]] = first
            heappush(heap, (live[first].piece.words, first))
    return [live[at] for at in sorted(live)]


def _fit(first: Draft, second: Draft, sizes: Sizes) -> bool:
    return first.piece.words + second.piece.words <= sizes.most


def _kinship(first: Draft, second: Draft) -> int:
    """Return how many headings two drafts share, from the outermost on."""
    pairs = zip(first.section.headings, second.section.headings, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _join(first: Draft, second: Draft) -> Draft:
    """Return both as one, named by the first heading in it: a lead gives way to its section.

    One that is longer than the section does not: its reader would land below what was found.
    """
    leads = not first.section.headings and first.piece.words <= second.piece.words
    named = second if leads else first
    return replace(named, piece=join(first.piece, second.piece))
