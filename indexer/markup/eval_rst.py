"""Stretches of reStructuredText in a page of MyST: `{eval-rst}`. Read as such a page is."""

import re
import textwrap

from indexer.markup.code import Holds
from indexer.markup.myst import read_directive
from indexer.markup.rst import as_markdown

_FENCE = re.compile(r"([ \t]*)(`{3,}|~{3,}|:{3,})(.*)")
_RST = "{eval-rst}"


def rst_read(lines: list[str]) -> list[str]:
    """Return the lines with those of reStructuredText as Markdown; an example of it stays."""
    if not any(_RST in line for line in lines):
        return lines
    found, n = list(lines), 0
    around = list[str]()  # the marks of directives whose content is text, the innermost last
    while n < len(lines):
        match, n = _FENCE.fullmatch(lines[n]), n + 1
        if match is None:
            continue
        before, mark, info = match[1], match[2], match[3].strip()
        if not info and around and mark.startswith(around[-1]):
            around.pop()
        elif read_directive(info)[0] is Holds.TEXT:
            around.append(mark)
        elif info.startswith("{") or mark[0] != ":":
            end = _end(lines, n, mark)
            if info == _RST:
                inside = textwrap.dedent("\n".join(lines[n:end])).split("\n")
                read = [before + line if line else "" for line in as_markdown(inside)]
                found[n - 1 : end] = ["", *read[: end - n]]
                found[end : end + 1] = [""] * len(lines[end : end + 1])
            n = end + 1
    return found


def _end(lines: list[str], n: int, mark: str) -> int:
    """Return the line that closes a fence; the number of lines where none does."""
    closing = re.compile(rf"[ \t]*{mark}{mark[0]}*[ \t]*")
    return next((at for at in range(n, len(lines)) if closing.fullmatch(lines[at])), len(lines))
