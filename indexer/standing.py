"""The headings that a stretch of a passage stands under: not only the first, where it has several.

Knows neither terms nor scores.
"""

import re

from indexer.blocks import read_blocks
from indexer.passages import Passage

_HEADING = re.compile(r"^ {0,3}(#{1,6})(?=\s)|^ {0,3}(=+|-+)[ \t]*$", re.MULTILINE)
_FIRST = 2
"""Level of the outermost heading of a path, where the passage does not show it."""


def has_several(passage: Passage) -> bool:
    """Return whether other headings may follow the first line."""
    text = passage.text
    return bool(_HEADING.search(text, text.find("\n") + 1 or len(text)))


def headings_at(passage: Passage, word: int) -> tuple[str, ...]:
    """Return the heading path, outermost first, at that word of the text, counted from 0."""
    line = _line(passage.text, word)
    heads = [block for block in read_blocks(passage.text) if block.kind == "heading"]
    first = _FIRST
    if heads and heads[0].headings[-1:] == passage.headings[-1:]:
        head, *heads = heads
        if line < head.first_line:  # in the lead of an article, which has joined its first section
            return ()
        first = _level(head.text) - len(passage.headings) + 1
    path = list(enumerate(passage.headings, first))
    for head in heads:
        if head.first_line > line:
            break
        level = _level(head.text)
        path = [pair for pair in path if pair[0] < level] + [(level, head.headings[-1])]
    return tuple(name for _, name in path)


def _line(text: str, word: int) -> int:
    """Return the line, counted from 1, that holds that word."""
    passed = 0
    for number, line in enumerate(text.split("\n"), 1):
        passed += len(line.split())
        if passed > word:
            return number
    return text.count("\n") + 1


def _level(heading: str) -> int:
    """Return the level of a heading as it is written."""
    found = _HEADING.findall(heading)
    marks, line = found[-1] if found else ("#", "")
    return len(marks) or (1 if line.startswith("=") else 2)
