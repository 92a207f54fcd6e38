"""HTML whose lines are not what they look like in Markdown: `<pre>` is code, a table never is.

Works line by line; knows nothing of fences.
"""

import html
import re

from indexer.markup.html import ATTRIBUTES, ELEMENTS

_OPENING = re.compile(r"([ \t>]*)(?:<[^<>\n]*>[ \t]*)*?<pre\b[^<>\n]*>", re.I)
"""At the beginning of a line, perhaps after other tags: elsewhere it may be spoken of."""
_CLOSING = re.compile(r"</pre\s*>", re.I)
_TABLE = re.compile(r"<table\b", re.I)
_TABLE_END = re.compile(r"</table\s*>", re.I)
_TAG = re.compile(rf"</?([A-Za-z][A-Za-z0-9]*+){ATTRIBUTES}\s*+/?>")


class Preformatted:
    """Goes through the lines of a text, and knows whether a `<pre>` is open."""

    def __init__(self, lines: list[str]) -> None:
        self._last = _last(_CLOSING, lines)
        self._indent: str | None = None

    def line(self, n: int, line: str) -> tuple[str, str, str] | None:
        """Return indentation, code, and what follows the code; None for a line of another kind."""
        inner = line
        if self._indent is None:
            opening = _OPENING.match(line) if n <= self._last and "<" in line else None
            if not opening or not (n < self._last or _CLOSING.search(line, opening.end())):
                return None
            self._indent, inner = opening[1], line[opening.end() :]
        indent, closing = self._indent, _CLOSING.search(inner)
        if closing:
            self._indent = None
            return indent, _bare(inner[: closing.start()]), inner[closing.end() :]
        return indent, _bare(inner), ""


class Tables:
    """Goes through the lines of a text, and knows whether a `<table>` is open."""

    def __init__(self, lines: list[str]) -> None:
        self._last = _last(_TABLE_END, lines)
        self._depth = 0

    def is_open(self, n: int) -> bool:
        """Return whether a line lies in a table, where indentation means nothing."""
        return self._depth > 0 and n <= self._last

    def take(self, line: str) -> None:
        """Take note of a line that is no code."""
        if "<" in line:
            ends = len(_TABLE_END.findall(line))
            self._depth = max(0, self._depth + len(_TABLE.findall(line)) - ends)


def _last(closing: re.Pattern[str], lines: list[str]) -> int:
    """Return the last line with a closing tag; -1 where there is none."""
    found = (n for n in range(len(lines) - 1, -1, -1) if "</" in lines[n])
    return next((n for n in found if closing.search(lines[n])), -1)


def _bare(text: str) -> str:
    shown = _TAG.sub(lambda tag: "" if tag[1].lower() in ELEMENTS else tag[0], text)
    return html.unescape(shown).replace("\n", " ").replace("\r", " ")
