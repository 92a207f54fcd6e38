"""Stretches of text between an opening and a closing mark. One that is never closed stays text."""

import re
from collections.abc import Callable, Iterable

from indexer.markup.marks import END, GAP, HIDDEN

Instead = Callable[[str], str]
"""Given a stretch, returns what stands for it."""
_BETWEEN_WORDS = re.compile(
    rf"([^\W_]|[.,;:!?)\]”’»…{END}]|</\w+>){GAP}+(?=[^\W_]|!?\[|{HIDDEN}|<[A-Za-z])"
)
"""Neither before a point or a comma, nor within brackets or marks of emphasis."""


def replaced(text: str, stretches: Iterable[tuple[int, int, str]]) -> str:
    """Replace stretches, from where to where by what; one that begins within another stays."""
    parts, at = [], 0
    for start, end, instead in stretches:
        if start >= at:
            parts += [text[at:start], instead]
            at = end
    return "".join([*parts, text[at:]])


def apart(said: str) -> str:
    """Return what a tag says, to stand apart from its neighbours once `gaps_filled` is done."""
    return f"{GAP}{said}{GAP}"


def gaps_filled(text: str) -> str:
    """Write a blank where words would run into each other, now that their tags are gone."""
    return _BETWEEN_WORDS.sub(r"\1 ", text).replace(GAP, "") if GAP in text else text


def between(text: str, opening: str, closing: str, instead: Instead) -> str:
    """Replace all that lies between two marks, the marks included."""
    if opening not in text:
        return text
    return between_tags(
        text, re.compile(re.escape(opening)), re.compile(re.escape(closing)), instead
    )


def between_tags(
    text: str, opening: re.Pattern[str], closing: re.Pattern[str], instead: Instead
) -> str:
    """Replace all that lies between what two patterns match; time grows with the text alone."""
    parts, at = [], 0
    while (start := opening.search(text, at)) and (end := closing.search(text, start.end())):
        parts += [text[at : start.start()], instead(text[start.start() : end.end()])]
        at = end.end()
    return "".join([*parts, text[at:]])
