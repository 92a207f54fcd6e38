"""The blocks of an article, grouped by the heading they stand under.

A section is named once, here, so that an edit in another section cannot rename it. Knows no sizes.
"""

import re
from dataclasses import dataclass
from itertools import groupby

from indexer.anchors import Unique, anchor
from indexer.blocks import Block

LEAD = "intro"
"""Name of the section before the first heading; a heading of this name becomes `intro-1`."""
_NAME_CHARS = 80
_HYPHENS = re.compile(r"-{2,}")
_COUNTED = re.compile(r"(?:id|_)[0-9]+")
"""Anchors that say nothing of their heading, and change with those before it."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it up to the next heading of any level."""

    name: str
    """Unique in the article; never holds two hyphens in a row."""
    anchor: str
    """Fragment of the page's address a reader lands at; empty for the lead."""
    headings: tuple[str, ...]
    """Heading path, outermost first, its own heading last; empty for the lead."""
    blocks: tuple[Block, ...]
    """Its blocks, the heading first."""


def sections(blocks: tuple[Block, ...]) -> list[Section]:
    """Group blocks by heading, in order."""
    anchors, names = Unique(), Unique(LEAD)
    numbers = _numbers(blocks)
    found = []
    for _, group in groupby(zip(numbers, blocks, strict=True), key=lambda pair: pair[0]):
        members = tuple(block for _, block in group)
        head = members[0]
        if head.kind != "heading":
            found.append(Section(LEAD, "", (), members))
            continue
        fragment = head.anchor or anchor(head.headings[-1])
        said = anchor(head.headings[-1]) if _COUNTED.fullmatch(fragment) else fragment
        name = _HYPHENS.sub("-", said[:_NAME_CHARS]).strip("-") or "section"
        unique = anchors(fragment) if fragment and head.anchor is not None else ""
        found.append(Section(names(name), unique, head.headings, members))
    return found


def _numbers(blocks: tuple[Block, ...]) -> list[int]:
    """Return for each block how many headings came up to it."""
    numbers, n = [], 0
    for block in blocks:
        n += block.kind == "heading"
        numbers.append(n)
    return numbers
