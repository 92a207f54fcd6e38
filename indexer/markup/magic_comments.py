"""Comments in code that ask for lines to be highlighted: no reader sees them."""

import re
from collections.abc import Collection

NAMES = ("highlight-next-line", "highlight-start", "highlight-end")
"""Docusaurus' own."""
_OPENINGS = r"//|/\*|\{/\*|#|<!--|--|;;|%|'"
_CLOSINGS = r"\*/\}?|-->"
_NOTATION = re.compile(
    rf"(?<![ \t])[ \t]*(?:{_OPENINGS})[ \t]*\[!code [^\[\]\n]+\][ \t]*(?:{_CLOSINGS})?[ \t]*$", re.M
)


def without_magic_comments(text: str, names: Collection[str] = NAMES) -> str:
    """Empty the lines that hold nothing but such a comment, in whatever language it is written."""
    if not any(name in text for name in names):
        return text
    named = "|".join(map(re.escape, names))
    alone = rf"^[ \t]*(?:{_OPENINGS})[ \t]*(?:{named})[ \t]*(?:{_CLOSINGS})?[ \t]*$"
    return re.sub(alone, "", text, flags=re.M)


def without_notation(text: str) -> str:
    """Take away `// [!code focus]` at the end of lines, as those who use Shiki do."""
    return _NOTATION.sub("", text) if "[!code " in text else text
