"""HTML text -> the same for a parser that knows no lines: each start tag holds its own.

What a parser would read in a way of its own, such as scripts, is emptied, so that its tree is no
deeper than it looks from here. Knows no element's meaning.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass

from indexer.html.nesting import Nesting
from indexer.markup.marks import without_marks

LINE = "\ufdea"
"""Name of the attribute that holds a tag's first and last line. No text may hold this character."""
MOST_DEEP = 512
"""Elements within each other; browsers go no deeper either."""
_MARKUP = re.compile(
    r"<(?:(!--)|(!doctype\b)|(!\[CDATA\[)|([!?]|/(?![A-Za-z]))|(/?)([A-Za-z][^\s/>]*))", re.I
)
_COMMENT_END = re.compile(r"(?<=<!--)-?>|--!?>")
_ATTRIBUTE = re.compile(r"[\s/]*(?:(>)|[^\s/>][^\s/>=]*(?:\s*=\s*(?:([\"'])|[^\s>]*))?)")
_EMPTIED = {
    name: re.compile(rf"</{name}(?=[\s/>])", re.I)
    for name in ("script", "style", "textarea", "iframe", "noembed", "noframes", "xmp", "noscript")
}
"""Elements whose content is no text of an article, and where each ends."""
_TITLE_END = re.compile(r"</title(?=[\s/>])", re.I)
_PLAIN = {
    **dict.fromkeys(("b", "big", "em", "font", "i", "nobr", "s", "small", "strike"), "span"),
    **dict.fromkeys(("strong", "u", "plaintext"), "span"),
    **dict.fromkeys(("code", "tt"), "samp"),
}
"""What formatting is read as. A parser opens it anew in each block until it is closed, so that a
small page could become an endless one."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A page, ready for the parser."""

    text: str
    """With lines."""
    cut: int = 0
    """The line at which it was ended; 0 where it is whole."""


def marked(text: str, most_deep: int = MOST_DEEP) -> Marked:
    """Return the page with ` LINE=first-last` behind the name of each start tag."""
    text = without_marks(text)
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    parts: list[str] = []
    nesting = Nesting()
    at = 0
    while match := _MARKUP.search(text, at):
        begin, name = match.start(), (match[6] or "").lower()
        parts.append(text[at:begin])
        if not name:
            at = _end_of_unread(text, match)
            parts.append(text[begin:at] if match[2] else "\n" * text.count("\n", begin, at))
            continue
        name = _PLAIN.get(name, name)
        at, closed = _end_of_tag(text, match.end())
        if not at:  # a tag that is never closed is no element, and the rest of the page is in it
            return Marked("".join(parts))
        rest = text[match.end() : at]
        if match[5]:
            nesting.end(name)
            parts.append(f"</{name}{rest}")
            continue
        first = bisect_right(starts, begin)
        parts.append(f"<{name} {LINE}={first}-{bisect_right(starts, at - 1)} {rest}")
        if ends := _EMPTIED.get(name):
            end = None if closed and nesting.is_drawing else ends.search(text, at)
            stop = end.start() if end else at if closed and nesting.is_drawing else len(text)
            parts.append("\n" * text.count("\n", at, stop) + ("" if end else f"</{name}>"))
            at = stop
        elif name == "title" and (end := _TITLE_END.search(text, at)):
            parts.append(text[at : end.start()].replace("<", "&lt;"))
            at = end.start()
        else:
            nesting.start(name, closed)
            if nesting.depth > most_deep:
                return Marked("".join(parts), first)
    return Marked("".join([*parts, text[at:]]))


def _end_of_unread(text: str, match: re.Match[str]) -> int:
    """Return where a comment, or what a parser takes for one, ends."""
    if match[1]:
        end = _COMMENT_END.search(text, match.end())
        return end.end() if end else len(text)
    mark = "]]>" if match[3] else ">"
    close = text.find(mark, match.end())
    return len(text) if close < 0 else close + len(mark)


def _end_of_tag(text: str, at: int) -> tuple[int, bool]:
    """Return where a tag ends, and whether it ends in `/>`; 0 for one that never does."""
    while match := _ATTRIBUTE.match(text, at):
        if match[1]:
            return match.end(), match[0].endswith("/>")
        at = match.end()
        if quote := match[2]:
            at = text.find(quote, at) + 1
            if not at:
                break
    return 0, False
