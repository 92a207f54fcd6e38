"""Which lines are code because they are indented: four blanks more than the text around them."""

import re

_CONTAINER = re.compile(
    r"(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)"
    r"|(?:!!!|\?\?\?\+?|===)[ \t]|[:~][ \t]+|\[\^[^\]\s]+\]:?[ \t]*"
)
"""What the lines after it may be the content of, when they are indented: items, boxes, notes."""
_STEP = 4
_MOST = 100
"""So deep an indentation may be that of a container."""


class Indented:
    """Goes through the lines of a text, and knows the containers that are open."""

    def __init__(self) -> None:
        self._contents: list[int] = []
        """Where the content of each open container begins, in columns."""
        self._may_begin = True
        """Whether code may begin or go on: after a blank line, and in such code."""

    def after_block(self) -> None:
        """Take it that a block has just ended, as by a blank line."""
        self._may_begin = True

    def is_code(self, line: str) -> bool:
        """Tell whether the next line is code."""
        bare = line.lstrip(" \t")
        if not bare:
            self._may_begin = True
            return False
        blanks = line[: len(line) - len(bare)]
        indent = len(blanks.expandtabs(_STEP)) if blanks else 0
        if self._may_begin:
            while self._contents and indent < min(self._contents[-1], _STEP * self._depth):
                self._contents.pop()
            # Some want four blanks for the content of an item, others as many as its marker has:
            # what both take for code is code.
            base = max(self._contents[-1], _STEP * self._depth) if self._contents else 0
            if indent >= base + _STEP:
                return True
        match = _CONTAINER.match(bare)
        if match and indent <= _MOST:
            while self._contents and indent < self._contents[-1]:
                self._contents.pop()
            self._contents.append(indent + max(2, len(match[0].expandtabs(_STEP))))
        self._may_begin = False
        return False

    @property
    def _depth(self) -> int:
        return len(self._contents)
