"""Obsidian: links and embeds in double brackets, comments, marks of blocks."""

import re

from indexer.markup.admonitions import bold
from indexer.markup.code import Holds
from indexer.markup.marks import BOX, HIDDEN, newlines
from indexer.markup.spans import between

_SHOWN = r"\\?\|((?:[^\[\]\n]|\[[^\[\]\n]*\])*+)"
_EMBED = re.compile(rf"!\[\[([^\[\]\n|]+?)(?:{_SHOWN})?\]\]")
_LINK = re.compile(rf"\[\[([^\[\]\n|]*?)(?:{_SHOWN})?\]\]")
_BLOCK_ID = re.compile(r"(?:(?<=[ \t])|^)\^[A-Za-z0-9-]+[ \t]*$", re.M)
_FILE = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|avif|bmp|pdf|mp[34]|m4a|flac|wav|ogg|3gp|webm|ogv|mov|mkv|canvas"
    r"|base|excalidraw(?:\.md)?)[ \t]*(?:#.*)?$",
    re.I,
)
_SIZE = re.compile(r"!\[(?:([^\[\]\n]*?)\\?\|)?\d+(?:x\d+)?\](?=\()")
_QUERIES = ("base", "button", "dataview", "dataviewjs", "query", "tasks")
_DRAWING = re.compile(
    r"^==⚠[^\n]*|^%%[ \t]*$|^\#{1,2}[ \t]+(?:Excalidraw[ ]Data|Text[ ]Elements)[ \t]*$"
    r"|^\#{1,2}[ \t]+(?:Element[ ]Links|Embedded[ ]Files)[ \t]*$(?:\n(?!\#{1,2}[ \t]|%%)[^\n]*)*+"
    rf"|^\#{{1,2}}[ \t]+Drawing\s*\n(?=[ \t]*[{HIDDEN}{{])[\s\S]*",
    re.M | re.I,
)
_BOX = re.compile(rf"{BOX}(.*)((?:\n[ \t>]*(?:title|collapse|icon|color):.*)*)")
_BOX_TITLE = re.compile(r"title:[ \t]*(.*)")
_HIGHLIGHT = re.compile(r"==(?=[^\s=])((?:[^=\n]|=(?!=))+?)(?<=\S)==")


def read_info(info: str) -> tuple[Holds, str]:
    """Take a fence for code, but for a box of text by the plugin Admonition, and for a query.

    Of a query a reader sees what it finds.
    """
    kind = info.partition(" ")[0].lower()
    if kind.startswith("ad-"):
        return Holds.TEXT, BOX + kind.removeprefix("ad-")
    return (Holds.NOTHING, "") if kind in _QUERIES else (Holds.CODE, info)


def with_box_titles(text: str) -> str:
    """Write a box's title, or its kind, in place of the fence and of the lines that describe it."""
    return _BOX.sub(_titled, text) if BOX in text else text


def _titled(match: re.Match[str]) -> str:
    title = _BOX_TITLE.search(match[2])
    return bold(title[1] if title else match[1].capitalize()) + newlines(match[2])


def without_drawing(text: str) -> str:
    """Leave of a note by Excalidraw the texts in the drawing, and those beside it."""
    return _DRAWING.sub(lambda match: newlines(match[0]), text)


def without_wiki_links(text: str) -> str:
    """Write `[[page#part|text]]` as its text, or as the names of page and part."""
    if "[[" not in text:
        return text
    return _LINK.sub(lambda match: match[2] or _named(match[1]), _EMBED.sub(_embedded, text))


def without_image_sizes(text: str) -> str:
    """Take away the width that stands for the text of an image, or after it: `![text|300](…)`."""
    return _SIZE.sub(lambda match: f"![{match[1] or ''}]", text) if "![" in text else text


def without_percent_comments(text: str) -> str:
    """Take away comments between `%%`."""
    return between(text, "%%", "%%", newlines) if "%%" in text else text


def without_block_ids(text: str) -> str:
    """Take away `^name` at the end of a block."""
    return _BLOCK_ID.sub("", text) if "^" in text else text


def without_highlights(text: str) -> str:
    """Take away the marks of `==highlighted text==`."""
    return _HIGHLIGHT.sub(r"\1", text) if "==" in text else text


def _embedded(match: re.Match[str]) -> str:
    name = "" if _FILE.search(match[1]) else _named(match[1])
    return "" if name.startswith("^") else name


def _named(target: str) -> str:
    """Return the names of page and part; the mark of a block is one only where it stands alone."""
    page = target.partition("#^")[0].strip()
    return (page or target).replace("#", " ").strip()
