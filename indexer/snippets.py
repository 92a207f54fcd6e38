"""The stretch of a passage that shows best why it was found. Knows no scores."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator
from itertools import accumulate, compress, count
from operator import add

from indexer.characters import border
from indexer.holding import holding

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
    held = holding(set(at.words), query_terms, language)
    places = compress(count(), map(held.__contains__, at.words))
    found = {place: held[at.words[place]] for place in places}
    if len(text) <= width:
        return text, text.count(" ", 0, at.starts[min(found)]) if found else 0
    room = width - 2 * len(_ELLIPSIS) - 2
    first, last = _densest(at, found, room)
    words_before = text.count(" ", 0, at.starts[first])
    first, last = _widened(at, first, last, room)
    start = at.starts[first]
    end = min(at.end(last), border(text, start + room))
    before = f"{_ELLIPSIS} " if start > 0 else ""
    after = f" {_ELLIPSIS}" if end < len(text) else ""
    return before + _closed(text, start, end) + after, words_before


class _Spans:
    """Where each word of a text begins and ends, the long ones in pieces."""

    def __init__(self, text: str, words: list[str]) -> None:
        """Take a text, and its words, between which it has one blank."""
        lengths = list(map(len, words))
        self.words = words
        # No loop of ours: a query waits for the snippets of all its hits.
        self.starts: list[int] = list(map(add, accumulate(lengths[:-1], initial=0), count()))
        if max(lengths, default=0) > _LONGEST:
            self._cut(text, [at for at, length in enumerate(lengths) if length > _LONGEST])

    def _cut(self, text: str, long: list[int]) -> None:
        """Have pieces in place of the long words, the last first, so that places hold."""
        self.words = self.words.copy()
        for at in reversed(long):
            spans = list(_pieces(text, self.starts[at], self.end(at)))
            self.starts[at : at + 1] = [start for start, _ in spans]
            self.words[at : at + 1] = [text[start:end] for start, end in spans]

    def end(self, word: int) -> int:
        """Return where that word ends."""
        return self.starts[word] + len(self.words[word])

    def wide(self, first: int, last: int) -> int:
        """Return the characters from the first of these words to the last."""
        return self.end(last) - self.starts[first]

    def first_from(self, place: int) -> int:
        """Return the first word that begins there or later."""
        return bisect_left(self.starts, place)

    def last_until(self, place: int) -> int:
        """Return the last word that ends there or earlier."""
        begun = bisect_right(self.starts, place) - 1
        return begun if self.end(begun) <= place else begun - 1


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
    return " ".join("".join((*parts, text[at:end])).split())


def _densest(at: _Spans, found: dict[int, set[str]], room: int) -> tuple[int, int]:
    """Return first and last word of the window with the most different terms, then the most."""
    matches = list(found)
    best, best_score = (0, 0), (0, 0)
    counts: dict[str, int] = {}
    total = left = 0
    for right, word in enumerate(matches):
        for term in found[word]:
            counts[term] = counts.get(term, 0) + 1
        total += len(found[word])
        while at.wide(matches[left], word) > room and left < right:
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
    first = min(first, at.first_from(at.starts[first] - (room - at.wide(first, last)) // 3))
    last = max(last, at.last_until(at.starts[first] + room))
    first = min(first, at.first_from(at.end(last) - room))
    return first, last
