"""The stretch of a passage that shows best why it was found. Knows no scores."""

import re
from collections import Counter
from collections.abc import Collection, Iterator
from itertools import accumulate

from indexer.characters import border
from indexer.terms import words_terms

WIDTH = 280
"""Characters a snippet may have."""
_LONGEST = 40
"""A word of more characters has borders within."""
_WORD = re.compile(r"\S+")
_MARKED = re.compile(
    r"[`\[!*~<](?:"
    r"(?<=`)(`*)([^`]+)`\1(?!`)"  # code, and a fence
    r"|(?<=\[)([^\[\]]*)\]\([^()]*\)"
    r"|(?<=!)\[([^\[\]]*)\]\([^()]*\)"
    r"|(?<=\*)\*([^*]+)\*\*"
    r"|(?<=~)~([^~]+)~~"
    r"|(?<=<)/?[A-Za-z][^<>]*>())"
)
"""Markup that has two ends; the last group is what stands between them."""
_ELLIPSIS = "…"


def snippet(
    text: str, query_terms: Collection[str], width: int = WIDTH, language: str = "en"
) -> str:
    """Return at most `width` characters around the densest run of query terms, on one line.

    Ends at word borders (a word of more than 40 characters has borders within) and shows by an
    ellipsis where text is left out. Markup of which an end is left out loses the other too.
    """
    if len(text) <= width:
        return " ".join(text.split())
    return excerpt(text, query_terms, width, language)[0]


def excerpt(
    text: str, query_terms: Collection[str], width: int = WIDTH, language: str = "en"
) -> tuple[str, int]:
    """Return the snippet, and how many words of the text stand before its run of query terms."""
    words = text.split()
    text = " ".join(words)
    if max(map(len, words), default=0) > _LONGEST:
        spans = [span for match in _WORD.finditer(text) for span in _pieces(text, *match.span())]
        words = [text[start:end] for start, end in spans]
    else:
        ends = accumulate(len(word) + 1 for word in words)
        spans = [(end - 1 - len(word), end - 1) for word, end in zip(words, ends, strict=True)]
    found = _found(words, frozenset(query_terms), language)
    if len(text) <= width:
        return text, text.count(" ", 0, spans[min(found)][0]) if found else 0
    room = width - 2 * len(_ELLIPSIS) - 2
    first, last = _densest(spans, found, room)
    words_before = text.count(" ", 0, spans[first][0])
    first, last = _widened(spans, first, last, room)
    start = spans[first][0]
    end = min(spans[last][1], border(text, start + room))
    before = f"{_ELLIPSIS} " if start > 0 else ""
    after = f" {_ELLIPSIS}" if end < len(text) else ""
    return before + _closed(text, start, end) + after, words_before


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans that a word is cut into, none of them long."""
    while end - start > _LONGEST:
        at = border(text, start + _LONGEST)
        yield start, at
        start = at
    yield start, end


def _closed(text: str, start: int, end: int) -> str:
    """Return the text from `start` to `end` without the markup that only one end of is there."""
    parts, at = [], start
    for match in _MARKED.finditer(text):
        opened, closed = match.span()
        if opened >= end:
            break
        if closed > start and (opened < start or closed > end):
            inner = match.span(match.lastindex or 0)
            for mark in ((opened, inner[0]), (inner[1], closed)):
                left, right = (min(max(each, at), end) for each in mark)
                parts.append(text[at:left])
                at = right
    return "".join((*parts, text[at:end])).strip()


def _found(words: list[str], wanted: frozenset[str], language: str) -> dict[int, frozenset[str]]:
    """Return the words that hold a query term, by their number, with the terms they hold."""
    listed = list(map(words_terms(language).__getitem__, words))
    apart = map(wanted.isdisjoint, listed)
    return {at: wanted.intersection(listed[at]) for at, none in enumerate(apart) if not none}


def _densest(
    spans: list[tuple[int, int]], found: dict[int, frozenset[str]], room: int
) -> tuple[int, int]:
    """Return first and last word of the window with the most different terms, then the most."""
    matches = list(found)
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
