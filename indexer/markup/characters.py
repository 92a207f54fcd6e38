"""What no reader sees in a text: characters without width, pictures written out in letters."""

import html
import re

_NO_WIDTH = re.compile("[\u200b\u2060\ufeff\u00ad]")
_DATA = re.compile(r"data:[\w.+/-]*[;,][\w;=.+/-]*[,%]?[\w+/=%.~-]{40,}", re.A)
_DATA_LINE = re.compile(r"^ {0,3}\[[^\]\n]+\]:[ \t]*<?data:[^\n]*$", re.M)
_SHORT_DATA = re.compile(r"(?<=[(<\"' ])data:[\w.+-]+/[\w.+-]+[;,][^\s)>\"']*", re.A)

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


def without_unseen(text: str) -> str:
    """Drop characters that have no width, and the content of `data:` addresses."""
    if not text.isascii():
        text = _NO_WIDTH.sub("", text)
    if "data:" in text:
        text = _DATA_LINE.sub("", text)
        text = _DATA.sub("", text)
        text = _SHORT_DATA.sub("", text)
    return text


def without_entities(text: str) -> str:
    """Write `&mdash;` as the character it means; one that could be markup gets a backslash."""
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    meant = html.unescape(match[0])
    if meant == match[0] or (not meant.isprintable() and not meant.isspace()):
        return match[0]
    if meant.isspace():
        return " "
    if meant == "&" and not re.match(r"[#A-Za-z]", match.string[match.end() :][:1]):
        return meant  # begins no entity
    return meant if not meant.isascii() or meant.isalnum() or meant in "\"'" else f"\\{meant}"
