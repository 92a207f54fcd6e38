"""Heading text -> the anchor a browser can jump to, by GitHub's rule, unique within a page.

Does not know where the headings come from.
"""

import re

_DROPPED = re.compile(r"[^\w\- ]")


def anchor(heading: str) -> str:
    """Return the anchor GitHub gives a heading: lower case, no punctuation, blanks as hyphens."""
    return _DROPPED.sub("", heading.strip().lower()).replace(" ", "-")


class Unique:
    """Tells equal names in one page apart: `name`, `name-1`, `name-2`, in order of appearance."""

    def __init__(self, *taken: str, again: str = "{name}-{n}") -> None:
        """Take some names as given already; `again` is how one is written that is."""
        self._taken, self._again = set(taken), again
        self._last: dict[str, int] = {}

    def __call__(self, name: str) -> str:
        """Return `name`, or its first free variant."""
        unique, n = name, self._last.get(name, 0)
        while unique in self._taken:
            n += 1
            unique = self._again.format(name=name, n=n)
        self._last[name] = n
        self._taken.add(unique)
        return unique
