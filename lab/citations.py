"""Passage ids in an answer: which passages it names, and which names are no passages."""

from __future__ import annotations

import re
from collections.abc import Callable

from indexer.passages import Passage

CITATION = re.compile(r"\[([^\[\]]+)\](?!\()")
"""Ids in square brackets, several parted by commas or semicolons."""


def cited(answer: str, get: Callable[[str], Passage | None]) -> list[Passage]:
    """The passages an answer names, in order of first mention."""
    found: dict[str, Passage] = {}
    for match in CITATION.finditer(answer):
        for id in ids_in(match[1], get):
            if passage := get(id):
                found.setdefault(passage.id, passage)
    return list(found.values())


def ids_in(bracket: str, get: Callable[[str], Passage | None]) -> list[str]:
    """The ids in one pair of brackets; it is one itself where a page's name holds commas."""
    if get(bracket.strip()):
        return [bracket.strip()]
    return [part.strip() for part in re.split(r"[,;]", bracket) if part.strip()]
