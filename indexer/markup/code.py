"""Code is hidden while markup is taken away, and put back as it was.

Fences count at any depth: in lists, quotes and indented blocks, whose borders other rules move.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from indexer.markup.hidden import Hidden
from indexer.markup.indented import Indented
from indexer.markup.inline import hide_formulas, hide_spans
from indexer.markup.marks import CODE
from indexer.markup.options import Options, caption, is_unseen, options_in, shown, titled
from indexer.markup.pre import Preformatted, Tables


class Holds(Enum):
    """What a fence holds."""

    CODE = "code"
    TEXT = "text"
    """Text like that around it: only the fence goes."""
    NOTHING = "nothing"
    """Nothing that a reader sees."""


ReadInfo = Callable[[str], tuple[Holds, str]]
"""Given what follows a fence's opening marks: what it holds, and what stands for it instead: for
code the new info, for text the new line."""


def plain_info(info: str) -> tuple[Holds, str]:
    """Take every fence for code."""
    return Holds.CODE, info


_FENCE = re.compile(
    r"((?:[ \t]|>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))*)(`{3,}(?=[^`]*$)|~{3,}|:{3,}(?=\{))(.*)"
)
_CLOSING = re.compile(r"[ \t>]*([`~:]{3,})[ \t]*")
_LEAST_DRAWN = 5
"""Tildes of a line that may be there to part the text, where none closes it as a fence."""


@dataclass(slots=True)
class Open:
    """A fence that is open."""

    mark: str
    indent: int
    holds: Holds
    options: Options
    """Those its content may begin with."""
    quotes: int = 0
    """How many quotes it stands in; it ends with the innermost of them."""


def hide_code(text: str, hidden: Hidden, read_info: ReadInfo, indented: bool = True) -> str:
    """Return the text with code and formulas replaced, line by line.

    With `indented`, lines count as code too that are indented so.
    """
    lines = text.split("\n")
    hiding = _Hiding(lines, hidden, read_info, indented)
    text = "\n".join(hiding.line(n, line) for n, line in enumerate(lines))
    return hide_formulas(hide_spans(text, hidden), hidden)


class _Hiding:
    """Goes through the lines of a text, and knows what is open."""

    def __init__(
        self, lines: list[str], hidden: Hidden, read_info: ReadInfo, indented: bool
    ) -> None:
        self._lines = lines
        self._hidden = hidden
        self._read_info = read_info
        self._last_tildes = _last_tildes(lines)
        self._open: list[Open] = []
        self._preformatted = Preformatted(lines)
        self._tables = Tables(lines)
        self._indented = Indented() if indented else None

    def line(self, n: int, line: str) -> str:
        """Return what stands for the next line."""
        while self._open and _quotes(line) < self._open[-1].quotes:
            self._open.pop()
            self._block_ended()
        fence = self._open[-1] if self._open else None
        if fence:
            closes = _closes(fence, line)
            if closes or fence.holds is not Holds.TEXT:
                return self._fenced(fence, line, closes)
            if fence.options.take(line):
                return shown(line)
        elif code := self._preformatted.line(n, line):
            return self._in_pre(*code)
        elif self._tables.is_open(n):
            self._block_ended()
        elif self._indented and self._indented.is_code(line):
            return _hide_line(line, self._hidden, 4)
        self._tables.take(line)
        match = _FENCE.fullmatch(line) if "```" in line or "~~~" in line or ":::" in line else None
        return self._opened(match, n) if match else line

    def _fenced(self, fence: Open, line: str, closes: bool) -> str:
        """Return what stands for a line in or after what is not text."""
        if closes:
            self._open.pop()
            self._block_ended()
        if (not closes and fence.options.take(line)) or fence.holds is not Holds.CODE:
            return ""
        return _hide_line(line, self._hidden, fence.indent)

    def _in_pre(self, indent: str, code: str, rest: str) -> str:
        self._block_ended()
        if not code.strip():
            return rest
        # Four blanks, so that no line of it is a heading or a list.
        return indent + ("    " if self._indented else CODE) + self._hidden.keep(code) + rest

    def _block_ended(self) -> None:
        if self._indented:
            self._indented.after_block()

    def _opened(self, match: re.Match[str], n: int) -> str:
        before, mark, info = match[1], match[2], match[3].strip()
        is_drawn = mark[0] == "~" and not info and len(mark) >= _LEAST_DRAWN
        if is_drawn and self._last_tildes <= n:
            return before  # a line drawn, not a fence
        holds, instead = self._read_info(info)
        if mark[0] == ":" and holds is Holds.CODE:
            return match[0]
        options = Options(taken=info.startswith("{"))
        if options.taken and holds is Holds.CODE:
            said = options_in(self._lines[at] for at in range(n + 1, len(self._lines)))
            holds = Holds.NOTHING if is_unseen(said) else holds
            instead = "" if is_unseen(said) else titled(instead, caption(said))
        indent = len(before.expandtabs(4))
        self._open.append(Open(mark, indent, holds, options, before.count(">")))
        return before + (self._hidden.keep(mark + instead) if holds is Holds.CODE else instead)


def _last_tildes(lines: list[str]) -> int:
    """Return the last line that could close a fence of tildes."""
    found = (n for n in range(len(lines) - 1, -1, -1) if lines[n].lstrip().startswith("~~~"))
    return next((n for n in found if _CLOSING.fullmatch(lines[n])), -1)


def _quotes(line: str) -> int:
    return line[: len(line) - len(line.lstrip(" \t>"))].count(">")


def _closes(fence: Open, line: str) -> bool:
    match = _CLOSING.fullmatch(line)
    if not match or len(set(match[1])) > 1 or not match[1].startswith(fence.mark):
        return False
    return line.index(match[1]) <= fence.indent + 3


def _hide_line(line: str, hidden: Hidden, indent: int) -> str:
    """Hide a line except for its indentation, up to that of the fence."""
    if not line.strip():
        return line
    inner = line.lstrip(" \t>")
    cut = min(indent, len(line) - len(inner))
    return line[:cut] + hidden.keep(line[cut:])
