"""Obsidian: links and embeds in double brackets, comments, marks of blocks."""

import re

from indexer.markup.marks import newlines
from indexer.markup.spans import between

_EMBED = re.compile(r"!\[\[([^\[\]\n|]+)(?:\|([^\[\]\n]*))?\]\]")
_LINK = re.compile(r"\[\[([^\[\]\n|]*?)(?:\\?\|([^\[\]\n]*))?\]\]")
_BLOCK_ID = re.compile(r"(?:(?<=[ \t])|^)\^[A-Za-z0-9-]+[ \t]*$", re.M)
_FILE = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|avif|bmp|pdf|mp[34]|webm|wav|ogg|canvas|base)\b", re.I
)


def without_wiki_links(text: str) -> str:
    """Write `[[page#part|text]]` as its text, or as the names of page and part."""
    if "[[" not in text:
        return text
    text = _EMBED.sub(_embedded, text)
    return _LINK.sub(lambda match: match[2] or match[1].replace("#", " ").strip(), text)


def without_percent_comments(text: str) -> str:
    """Take away comments between `%%`."""
    return between(text, "%%", "%%", newlines) if "%%" in text else text


def without_block_ids(text: str) -> str:
    """Take away `^name` at the end of a block."""
    return _BLOCK_ID.sub("", text) if "^" in text else text


def without_highlights(text: str) -> str:
    """Take away the marks of `==highlighted text==`."""
    return re.sub(r"==(?=\S)([^=\n]+?)(?<=\S)==", r"\1", text) if "==" in text else text


def _embedded(match: re.Match[str]) -> str:
    return "" if _FILE.search(match[1]) else match[1].replace("#", " ").strip()
