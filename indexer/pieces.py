"""Blocks of one section -> pieces of a bearable size.

What belongs together stays together: a heading with its first block, a line that ends in a colon
with what it announces, a formula with the sentence around it. Knows no headings' names and no ids.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil

from indexer.blocks import Block
from indexer.scripts import CJK, SOUTH_EAST
from indexer.settings import Sizes


@dataclass(frozen=True, slots=True)
class Piece:
    """Consecutive blocks that go into one passage."""

    blocks: tuple[Block, ...]
    """In the order of the source."""
    words: int
    """Their length."""


_LONG_RUN = re.compile(r"\S{401}")
_BROKEN = rf"[^\s{CJK}{SOUTH_EAST}]"
_WORD = re.compile(
    rf"[{CJK}]{{1,2}}|[{SOUTH_EAST}]{{1,5}}|{_BROKEN}{{20}}(?={_BROKEN}{{380}})|{_BROKEN}{{1,400}}"
)


def count_words(text: str) -> int:
    """Return the number of words: runs without blanks, or two Chinese or Japanese characters, or
    five of Thai and its like.

    Of a run of more than 400 characters each 20 count as one, so that no passage is long unseen.
    """
    if text.isascii() and not _LONG_RUN.search(text):
        return len(text.split())
    return len(_WORD.findall(text))


def pieces(blocks: tuple[Block, ...], sizes: Sizes) -> list[Piece]:
    """Cut the blocks of one section into pieces, as equal in length as their borders allow."""
    units = _units([part for block in blocks for part in _cut_long(block, sizes.block)], sizes.most)
    total = sum(unit.words for unit in units)
    share = total / max(1, ceil(total / sizes.most))
    found: list[Piece] = []
    for unit in units:
        # A unit goes where most of it belongs: before a border if less than half stands out.
        room = bool(found) and found[-1].words + unit.words / 2 <= share
        if room and found[-1].words + unit.words <= sizes.most:
            found[-1] = join(found[-1], unit)
        else:
            found.append(unit)
    return found


def _units(blocks: list[Block], most: int) -> list[Piece]:
    """Join the blocks that must not be parted, as long as they stay short enough."""
    units: list[Piece] = []
    for block in blocks:
        unit = Piece((block,), count_words(block.text))
        last = units[-1].blocks[-1] if units else None
        if last and (
            last.kind == "heading"
            or (_belong_together(last, block) and units[-1].words + unit.words <= most)
        ):
            units[-1] = join(units[-1], unit)
        else:
            units.append(unit)
    return units


def _belong_together(block: Block, following: Block) -> bool:
    if block.text.endswith(":"):
        return True
    if following.kind == "formula":
        return block.kind == "paragraph"
    return block.kind == "formula" and following.text[:1].islower()


def join(piece: Piece, other: Piece) -> Piece:
    """Return one piece of two that follow each other."""
    return Piece(piece.blocks + other.blocks, piece.words + other.words)


def _cut_long(block: Block, most: int) -> Iterator[Block]:
    """Yield the block, or its parts where it alone has more than `most` words."""
    if count_words(block.text) <= most:
        yield block
        return
    lines: list[str] = []
    words = 0
    start = block.first_line
    for number, line in enumerate(block.text.split("\n"), block.first_line):
        length = count_words(line)
        if lines and words + length > most:
            yield replace(block, text="\n".join(lines), first_line=start, last_line=number - 1)
            lines, words, start = [], 0, number
        if length > most:
            for text in _cut_line(line, most):
                yield replace(block, text=text, first_line=number, last_line=number)
            start = number + 1
        else:
            lines.append(line)
            words += length
    if lines:
        yield replace(block, text="\n".join(lines), first_line=start, last_line=block.last_line)


def _cut_line(line: str, most: int) -> Iterator[str]:
    ends = [match.end() for match in _WORD.finditer(line)][most - 1 :: most]
    for start, end in zip([0, *ends], [*ends, len(line)], strict=True):
        if line[start:end].strip():
            yield line[start:end].strip()
