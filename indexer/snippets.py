"""The stretch of a passage that shows best why it was found. Knows no scores."""

import re
from collections import Counter
from collections.abc import Collection

from indexer.terms import word_terms

WIDTH = 280
"""Characters a snippet may have."""
_WORD = re.compile(r"\S{1,40}")
_ELLIPSIS = "…"


def snippet(
    text: str, query_terms: Collection[str], width: int = WIDTH, language: str = "en"
) -> str:
    """Return at most `width` characters around the densest run of query terms, on one line.

    Ends at word borders (a word of more than 40 characters has borders within) and shows by an
    ellipsis where text is left out.
    """
    text = " ".join(text.split())
    if len(text) <= width:
        return text
    spans = [match.span() for match in _WORD.finditer(text)]
    wanted = frozenset(query_terms)
    found = [wanted.intersection(word_terms(text[a:b], language)) for a, b in spans]
    room = width - 2 * len(_ELLIPSIS) - 2
    first, last = _densest(spans, found, room)
    first, last = _widened(spans, first, last, room)
    start, end = spans[first][0], min(spans[last][1], spans[first][0] + room)
    before = f"{_ELLIPSIS} " if start > 0 else ""
    after = f" {_ELLIPSIS}" if end < len(text) else ""
    return before + text[start:end] + after


def _densest(
    spans: list[tuple[int, int]], found: list[frozenset[str]], room: int
) -> tuple[int, int]:
    """Return first and last word of the window with the most different terms, then the most."""
    matches = [n for n, terms in enumerate(found) if terms]
    best, best_score = (0, 0), (0, 0)
    counts: Counter[str] = Counter()
    left = 0
    for right, word in enumerate(matches):
        counts.update(found[word])
        while spans[word][1] - spans[matches[left]][0] > room and left < right:
            counts.subtract(found[matches[left]])
            counts = +counts
            left += 1
        score = len(counts), counts.total()
        if score > best_score:
            best, best_score = (matches[left], word), score
    return best


def _widened(spans: list[tuple[int, int]], first: int, last: int, room: int) -> tuple[int, int]:
    """Add words on both sides in turn while there is room; a third of it goes before the match."""
    spare = room - (spans[last][1] - spans[first][0])
    earliest = spans[first][0] - spare // 3
    while first > 0 and spans[first - 1][0] >= earliest:
        first -= 1
    while last + 1 < len(spans) and spans[last + 1][1] - spans[first][0] <= room:
        last += 1
    while first > 0 and spans[last][1] - spans[first - 1][0] <= room:
        first -= 1
    return first, last
