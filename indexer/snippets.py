"""The stretch of a passage that shows best why it was found. Knows no scores."""

import re
from collections.abc import Collection, Iterator
from itertools import accumulate, compress, count
from operator import add, not_, sub

from indexer.characters import border
from indexer.terms import words_terms

WIDTH = 280
"""Characters a snippet may have."""
_LONGEST = 40
"""A word of more characters has borders within."""
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


def excerpt(
    text: str, query_terms: Collection[str], width: int = WIDTH, language: str = "en"
) -> tuple[str, int]:
    """Return at most `width` characters around the densest run of query terms, on one line.

    Ends at word borders (a word of more than 40 characters has borders within) and shows by an
    ellipsis where text is left out. Markup of which an end is left out loses the other too. Returns
    with it how many words of the text stand before that run.
    """
    words = text.split()
    text = " ".join(words)
    at = _Spans(text, words)
    found = _found(at.words, frozenset(query_terms), language)
    if len(text) <= width:
        return text, text.count(" ", 0, at.starts[min(found)]) if found else 0
    room = width - 2 * len(_ELLIPSIS) - 2
    first, last = _densest(at, found, room)
    words_before = text.count(" ", 0, at.starts[first])
    first, last = _widened(at, first, last, room)
    start = at.starts[first]
    end = min(at.ends[last], border(text, start + room))
    before = f"{_ELLIPSIS} " if start > 0 else ""
    after = f" {_ELLIPSIS}" if end < len(text) else ""
    return before + _closed(text, start, end) + after, words_before


class _Spans:
    """Where each word of a text begins and ends, the long ones in pieces."""

    def __init__(self, text: str, words: list[str]) -> None:
        """Take a text, and its words, between which it has one blank."""
        lengths = list(map(len, words))
        # No loop of ours: a query waits for the snippets of all its hits.
        self.ends: list[int] = list(map(add, accumulate(lengths), count()))
        self.starts: list[int] = list(map(sub, self.ends, lengths))
        self.words = words
        if max(lengths, default=0) > _LONGEST:
            self._cut(text, [at for at, length in enumerate(lengths) if length > _LONGEST])

    def _cut(self, text: str, long: list[int]) -> None:
        """Have pieces in place of the long words, the last first, so that places hold."""
        self.words = self.words.copy()
        for at in reversed(long):
            spans = list(_pieces(text, self.starts[at], self.ends[at]))
            self.starts[at : at + 1] = [start for start, _ in spans]
            self.ends[at : at + 1] = [end for _, end in spans]
            self.words[at : at + 1] = [text[start:end] for start, end in spans]

    def wide(self, first: int, last: int) -> int:
        """Return the characters from the first of these words to the last."""
        return self.ends[last] - self.starts[first]


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
    different = list(set(words))
    listed = list(map(words_terms(language).__getitem__, different))
    holding = map(not_, map(wanted.isdisjoint, listed))
    held = {
        word: wanted.intersection(terms)
        for word, terms in compress(zip(different, listed, strict=True), holding)
    }
    return {at: held[word] for at, word in enumerate(words) if word in held}


def _densest(at: _Spans, found: dict[int, frozenset[str]], room: int) -> tuple[int, int]:
    """Return first and last word of the window with the most different terms, then the most."""
    matches, starts, ends = list(found), at.starts, at.ends
    best, best_score = (0, 0), (0, 0)
    counts: dict[str, int] = {}
    total = left = 0
    for right, word in enumerate(matches):
        for term in found[word]:
            counts[term] = counts.get(term, 0) + 1
        total += len(found[word])
        while ends[word] - starts[matches[left]] > room and left < right:
            for term in found[matches[left]]:
                counts[term] -= 1
                if not counts[term]:
                    del counts[term]
            total -= len(found[matches[left]])
            left += 1
        score = len(counts), total
        if score > best_score:
            best, best_score = (matches[left], word), score
    return best


def _widened(at: _Spans, first: int, last: int, room: int) -> tuple[int, int]:
    """Add words on both sides in turn while there is room; a third of it goes before the match."""
    earliest = at.starts[first] - (room - at.wide(first, last)) // 3
    while first > 0 and at.starts[first - 1] >= earliest:
        first -= 1
    while last + 1 < len(at.words) and at.wide(first, last + 1) <= room:
        last += 1
    while first > 0 and at.wide(first - 1, last) <= room:
        first -= 1
    return first, last
