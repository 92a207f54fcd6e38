"""Which words of a page hold the terms of a query.

What was met is remembered by term: a query has a few of those, a page hundreds of words.
"""

from collections.abc import Iterable
from functools import cache

from indexer.terms import MOST_WORDS, REMEMBERED, word_terms


def holding(words: set[str], wanted: Iterable[str], language: str = "en") -> dict[str, set[str]]:
    """Return those of a page's words that hold a wanted term, each with the terms it holds.

    A word is a run of characters without blanks; it holds what `word_terms` gives.
    """
    return _met(language).holding(words, wanted)


@cache
def _met(language: str) -> "_Met":
    return _Met(language)


class _Met:
    """Words met before, by the terms that they hold. Several threads may ask."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._words: set[str] = set()
        self._by_term: dict[str, list[str]] = {}

    def holding(self, words: set[str], wanted: Iterable[str]) -> dict[str, set[str]]:
        held: dict[str, set[str]] = {}
        terms = frozenset(wanted)
        for word in words.difference(self._words):
            if found := terms.intersection(self._meet(word)):
                held[word] = set(found)
        for term in terms:
            for word in words.intersection(self._by_term.get(term, ())):
                held.setdefault(word, set()).add(term)
        return held

    def _meet(self, word: str) -> list[str]:
        """Return the terms of a word, and remember it."""
        terms = word_terms(word, self._language)
        if len(word) <= REMEMBERED and len(self._words) < MOST_WORDS:
            for term in terms:
                self._by_term.setdefault(term, []).append(word)
            # Last: who finds it here takes it for found by all its terms.
            self._words.add(word)
        return terms
