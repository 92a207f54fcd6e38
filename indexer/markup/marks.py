"""Characters that stand for something while markup is taken away.

They are noncharacters of Unicode, which no text may hold; one that holds them gets U+FFFD.
"""

import re

HIDDEN, END = "\ufdd0", "\ufdd1"
"""Around the number of a stretch of code that is put back at the end."""
BRACES = {"{": "\ufdd2", "}": "\ufdd3", "<": "\ufdd4", "%": "\ufdd5", "[": "\ufdd6", ":": "\ufdd7"}
"""Characters that open markup, where they are meant as text."""
ANCHOR = "\ufdd8"
"""Around the anchor a heading gives itself, at the end of its line."""

ROLE = "\ufdd9"
"""Before inline code that is no code but the text of a role."""

INCLUDE, QUOTE = "\ufdda", "\ufddb"
"""Before the name of a file whose text, or whose lines as code, stand in place of the line."""

CODE = "\ufddc"
"""Before a line of code, where the blanks that make it code are yet to come."""

MADE = "\ufddd"
"""Before a text that an anchor is yet to be made of."""

BOX = "\ufdde"
"""Before the kind of a box whose title may stand in the next lines."""

GAP = "\ufddf"
"""Where a tag stood that keeps what is beside it apart."""

_ALL = re.compile("[\ufdd0-\ufdef]")
_LITERAL = str.maketrans(BRACES)
_BACK = str.maketrans({mark: char for char, mark in BRACES.items()})
_ANCHORED = re.compile(f"[ \t]*{ANCHOR}([^{ANCHOR}\n]*){ANCHOR}")


def without_marks(text: str) -> str:
    """Return a text that holds none of these characters."""
    return _ALL.sub("\ufffd", text)


def literal(text: str) -> str:
    """Return a text that no rule takes for markup, until `spoken` gives it back."""
    return text.translate(_LITERAL)


def spoken(text: str) -> str:
    """Undo `literal`."""
    return text.translate(_BACK) if _ALL.search(text) else text


def anchored(name: str) -> str:
    """Return what says that a heading's anchor is `name`, for the end of its line.

    Without a name it has none.
    """
    return f" {ANCHOR}{name}{ANCHOR}"


def made_of(text: str) -> str:
    """Return what says that a heading's anchor is made of another text than the heading's own.

    It may stand anywhere in the line; an anchor that is given after it counts.
    """
    return anchored(MADE + text)


def take_anchors(lines: list[str]) -> dict[int, str | None]:
    """Remove what `anchored` wrote from the lines; return the anchors by index of the line."""
    found: dict[int, str | None] = {}
    for n, line in enumerate(lines):
        if ANCHOR in line:
            for match in _ANCHORED.finditer(line):
                found[n] = match[1] or None
            lines[n] = _ANCHORED.sub("", line).replace(ANCHOR, "")
    return found


def newlines(text: str) -> str:
    """Return the line ends of a text alone, so that what follows stays on its line."""
    return "\n" * text.count("\n")
