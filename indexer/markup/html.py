"""HTML in Markdown: tags, comments, scripts and styles go; what a reader sees stays.

Only elements of HTML are tags: what else stands between angle brackets may be meant as text.
"""

import re

from indexer.markup.marks import END, HIDDEN, anchored, newlines
from indexer.markup.spans import between, between_tags, replaced

_INLINE_NAMES = """
a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q ruby s samp
small span strike strong sub sup time tt u var wbr rt rp rb
"""
_BLOCK_NAMES = """
address area article aside audio base blockquote body br button canvas caption center col colgroup
dd details dialog div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4
h5 h6 head header hgroup hr html iframe img input legend li link main map menu meta meter nav
noframes noscript object ol optgroup option output p param picture pre progress script search
section select slot source style summary svg g path circle rect line polyline polygon ellipse defs
use symbol table tbody td template textarea tfoot th thead title tr track ul video
"""
INLINE = frozenset(_INLINE_NAMES.split())
"""Elements that stand within a word as well as between two."""
ELEMENTS = INLINE | frozenset(_BLOCK_NAMES.split())

ATTRIBUTES = (
    r"(?:\s++[^\s\"'<>=/{}]++"
    r"(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s\"'=<>`]++))?+)*+"
)
_UNSEEN = [
    (re.compile(rf"<{name}\b(?:{ATTRIBUTES})\s*+>", re.I), re.compile(rf"</{name}\s*>", re.I))
    for name in ("script", "style", "svg")
]
INDENT = r"(^(?:\t| {4})[ \t]*+)?"
"""Before a tag that begins a line: four blanks would make code of what is left."""
_TAG = re.compile(rf"{INDENT}(?<!\\)<(/?)([A-Za-z][A-Za-z0-9]*+)({ATTRIBUTES})\s*+/?>", re.M)
_CELLS = re.compile(r"</t[dh]>[ \t]*<t[dh]\b[^<>\n]*>", re.I)
_ROW = re.compile(r"<tr\b[^<>\n]*>(?:(?!<tr\b|</tr).){0,20000}</tr\s*>", re.I | re.S)
_EDGE = re.compile(r"(<t[dh]\b[^<>]*>)[ \t]+|[ \t]+(?=</t[dh]\b)", re.I)
_CODE_LINE = re.compile(rf"{HIDDEN}\d+{END}")
_HIDDEN_TAG = re.compile(r"<([a-z][a-z0-9]*)\b[^<>]*\saria-hidden=[\"']?true\b[^<>]*>", re.I)
_MOST_HIDDEN = 20_000
"""Characters that are looked through for the end of a hidden element."""
_POWER = re.compile(r"(?<=\w)<sup>([\w+−–-]{1,12})</sup>", re.I)
_BETWEEN = re.compile(r">[ \t]+<(?=t[dh]\b|/tr\b)", re.I)
_SIGN = re.compile(r"^([ \t]*)(\d{0,9})(#{1,6}|[-+*>]|(?<=\d)[.)])(?=[ \t])", re.M)
_HEADING = re.compile(
    rf"^[ \t]*<h([1-6])({ATTRIBUTES})\s*>[ \t]*+([^\n]*?)[ \t]*</h\1>[ \t]*$", re.I | re.M
)
_NAME = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)")
_ID = re.compile(r"\s(?:id|name)\s*=\s*[\"']?([^\s\"'>]+)", re.I)
_ALT = re.compile(r"\salt\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.I)


def without_html(text: str) -> str:
    """Return the text without tags of HTML; line ends stay."""
    if "<" not in text:
        return text
    text = without_comments(text)
    for opening, closing in _UNSEEN:
        text = between_tags(text, opening, closing, newlines)
    text = _POWER.sub(r"^\1", _without_hidden(text))
    text = _HEADING.sub(_heading, text)
    text = _CELLS.sub(" | ", _ROW.sub(_on_one_line, text))
    return _signs_escaped(text, _TAG.sub(_instead, text))


def without_comments(text: str) -> str:
    """Return the text without comments of HTML; line ends stay.

    To be done before boxes: a line that closes both, `::: -->`, closes the comment first.
    """
    return between(text, "<!--", "-->", newlines)


def _without_hidden(text: str) -> str:
    """Take away elements that say they are hidden, such as dialogs that a click would open."""
    if "aria-hidden" not in text:
        return text
    tags = ((match.start(), _end_of(text, match)) for match in _HIDDEN_TAG.finditer(text))
    return replaced(text, ((at, end, newlines(text[at:end])) for at, end in tags if end))


def _end_of(text: str, opening: re.Match[str]) -> int:
    """Return where an element ends; 0 where that cannot be told."""
    depth, most = 1, opening.end() + _MOST_HIDDEN
    tags = re.compile(rf"<(/?){opening[1]}\b[^<>]*>", re.I)
    for tag in tags.finditer(text, opening.end(), most):
        depth += -1 if tag[1] else 1
        if not depth:
            return tag.end()
    return 0


def _on_one_line(row: re.Match[str]) -> str:
    """Write the cells of a row on its first line, unless there is code in them."""
    lines = row[0].split("\n")
    if len(lines) == 1 or any(_CODE_LINE.fullmatch(line.strip()) for line in lines):
        return row[0]
    one = " ".join(filter(None, map(str.strip, lines)))
    one = _EDGE.sub(r"\1", _BETWEEN.sub("><", one))
    return one.rstrip() + newlines(row[0])


def _signs_escaped(before: str, after: str) -> str:
    """Return a text without its tags, in which what followed a tag opens no block: `<td># of`."""
    if not _SIGN.search(after):
        return after
    pairs = zip(before.split("\n"), after.split("\n"), strict=True)
    return "\n".join(
        _SIGN.sub(r"\1\2\\\3", new) if old.lstrip().startswith("<") and old != new else new
        for old, new in pairs
    )


def _heading(match: re.Match[str]) -> str:
    level, attributes, name = match.groups()
    if not name.strip():
        return ""
    given = _ID.search(attributes)
    # Generators give anchors to the headings of Markdown alone.
    return "#" * int(level) + " " + name + anchored(given[1] if given else "")


def _instead(match: re.Match[str]) -> str:
    indent, _, name, attributes = match.groups()
    name = name.lower()
    if name not in ELEMENTS:
        return match[0]
    breaks = newlines(match[0])
    if name in INLINE:
        return (indent or "") + breaks
    if name == "img":
        alt = _ALT.search(attributes)
        return breaks + " ".join((alt[1] or alt[2] or "").split()) if alt else breaks
    if breaks:
        return breaks
    before = "" if _follows_block(match) else match.string[match.start() - 1 : match.start()]
    after = match.string[match.end() : match.end() + 1]
    return " " if before.strip() and after.strip() else ""


def _follows_block(match: re.Match[str]) -> bool:
    """Tell whether a tag comes right after one that parts texts already."""
    text, start = match.string, match.start()
    if text[start - 1 : start] != ">":
        return False
    tag = _NAME.match(text, max(0, text.rfind("<", 0, start)))
    return tag is not None and tag[1].lower() not in INLINE
