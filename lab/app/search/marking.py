"""Text of the site as escaped HTML, with the words marked that the index matched.

Knows terms, as the index makes them; not scores, passages or pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from indexer.holding import holding
from indexer.reading import LINK_TARGET
from indexer.terms import shape, word_terms

COLOURS = 8
"""Terms have so many colours; the ninth has the first one's again."""

_WORD = re.compile(r"\S+")
_PIECE = re.compile(r"[^\W_]+(?:[-_.'’/]+[^\W_]+|,\d+)*(?:\+\+|#)?")
"""What the index can take for one name or number, inside a run without blanks."""


def marked(text: str, terms: Sequence[str], language: str = "en") -> str:
    """The text, with every word that gives one of the terms in a `mark` of the term's colour.

    A word is marked exactly where the index finds a term in it. Without the marks, what is left
    is the escaped text.
    """
    parts, done = [], 0
    for start, end, place in _matches(text, terms, language):
        word = f'<mark class="lab-term-{place % COLOURS}">{escape(text[start:end])}</mark>'
        parts += [escape(text[done:start]), word]
        done = end
    return "".join(parts) + escape(text[done:])


def _matches(text: str, terms: Sequence[str], language: str) -> list[tuple[int, int, int]]:
    """Start and end of each word to mark, and the place of its first term among the terms."""
    places = {term: place for place, term in enumerate(terms)}
    # As blanks, which keep all else in its place: the index does not read where a link leads.
    read = LINK_TARGET.sub(lambda target: "]".ljust(len(target[0])), text)

    def first(held: Iterable[str]) -> int:
        return min(places[term] for term in held)

    whole = holding(set(read.split()), places, language)
    found = []
    for word in _WORD.finditer(read):
        if word[0] not in whole:
            continue
        pieces = [
            (word.start() + piece.start(), word.start() + piece.end(), first(held))
            for piece in _PIECE.finditer(shape(word[0]))
            if (held := places.keys() & word_terms(word[0][slice(*piece.span())], language))
        ]
        found += pieces or [(word.start(), word.end(), first(whole[word[0]]))]
    return found
