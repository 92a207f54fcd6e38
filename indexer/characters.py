"""Characters as people see them: with their marks, and emoji of several parts. Knows no words."""

import unicodedata

_JOINER = "\u200d"
_FLAGS = range(0x1F1E6, 0x1F200)
_FOLLOWING = (range(0x1F3FB, 0x1F400), range(0xE0020, 0xE0080), range(0x1160, 0x1200))
"""Colours of skin, letters in the flag of a region, and what a Korean syllable goes on with."""
_MOST = 40
"""So many code points a character has at most; more are piled up to annoy."""


def border(text: str, at: int) -> int:
    """Return the last place up to `at` where the text may be cut without cutting a character."""
    for place in range(at, max(-1, at - _MOST), -1):
        if not _is_inside(text, place):
            return place
    return at


def _is_inside(text: str, at: int) -> bool:
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if before.isascii() and after.isascii():
        return False
    if _JOINER in (before, after) or unicodedata.category(after)[0] == "M":
        return True
    if ord(after) in _FLAGS:  # two make a flag
        first = at
        while first and at - first < _MOST and ord(text[first - 1]) in _FLAGS:
            first -= 1
        return (at - first) % 2 == 1
    return any(ord(after) in each for each in _FOLLOWING)
