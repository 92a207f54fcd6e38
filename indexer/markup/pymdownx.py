"""Extensions of Python-Markdown: blocks between lines `///`, marked text, the place of contents."""

import re

from indexer.markup.admonitions import bold, named
from indexer.markup.marks import newlines

_OPENING = re.compile(
    r"^([ \t]*)/{3,}[ \t]+([\w-]+)[ \t]*(?:\|[ \t]*([^\n]*?)[ \t]*)?"
    r"((?:\n\1(?: {4}|\t)[^\n]*\S)*)$",
    re.M,
)
_CLOSING = re.compile(r"^[ \t]*/{3,}[ \t]*$", re.M)
_UNTITLED = ("html", "caption", "figure-caption", "table-caption")
"""Blocks whose argument no reader sees."""
_HIGHLIGHT = re.compile(r"\{==((?:[^={\n]|=(?!=\})|\{(?!==))+)==\}")
_CONTENTS = re.compile(r"^[ \t]*\[TOC\][ \t]*$", re.M)


def without_blocks(text: str) -> str:
    """Take away the lines round a block and its options; its title and its text stay."""
    if "///" not in text:
        return text
    return _CLOSING.sub("", _OPENING.sub(_opening, text))


def _opening(match: re.Match[str]) -> str:
    before, kind, argument, options = match.groups()
    title = "" if kind in _UNTITLED else bold(argument) if argument else named(kind)
    return before * bool(title) + title + newlines(options)


def without_highlights(text: str) -> str:
    """Write `{==marked==}` as its text alone."""
    return _HIGHLIGHT.sub(r"\1", text) if "{==" in text else text


def without_contents(text: str) -> str:
    """Take away `[TOC]`, where the headings of the page are listed."""
    return _CONTENTS.sub("", text) if "[TOC]" in text else text
