"""What no reader sees in a text: characters without width, pictures written out in letters."""

import re

_NO_WIDTH = re.compile("[\u200b\u2060\ufeff\u00ad]")
_DATA = re.compile(r"data:[\w.+/-]*[;,][\w;=.+/-]*[,%]?[\w+/=%.~-]{40,}", re.A)
_DATA_LINE = re.compile(r"^ {0,3}\[[^\]\n]+\]:[ \t]*<?data:[^\n]*$", re.M)
_SHORT_DATA = re.compile(r"(?<=[(<\"' ])data:[\w.+-]+/[\w.+-]+[;,][^\s)>\"']*", re.A)


def without_unseen(text: str) -> str:
    """Drop characters that have no width, and the content of `data:` addresses."""
    if not text.isascii():
        text = _NO_WIDTH.sub("", text)
    if "data:" in text:
        text = _DATA_LINE.sub("", text)
        text = _DATA.sub("", text)
        text = _SHORT_DATA.sub("", text)
    return text
