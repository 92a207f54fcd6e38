"""Stretches of text between an opening and a closing mark. One that is never closed stays text."""

import re
from collections.abc import Callable, Iterable

Instead = Callable[[str], str]
"""Given a stretch, returns what stands for it."""


def replaced(text: str, stretches: Iterable[tuple[int, int, str]]) -> str:
    """Replace stretches, from where to where by what; one that begins within another stays."""
    parts, at = [], 0
    for start, end, instead in stretches:
        if start >= at:
            parts += [text[at:start], instead]
            at = end
    return "".join([*parts, text[at:]])


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
