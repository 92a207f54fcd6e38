"""Attribute lists: `{#id .class}`, `{: .class}`. A heading's id becomes its anchor."""

import re

from indexer.markup.marks import anchored, newlines
from indexer.markup.spans import between

_INNER = r":?[ \t]*(?:[#.][\w:.-]+|[\w:-]+=(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s\"'{}]+)|-|toc)"
_LIST = rf"\{{{_INNER}(?:[ \t]+{_INNER.removeprefix(':?[ ]*')})*[ \t]*\}}"
_ALONE = re.compile(rf"^[ \t>]*{_LIST}[ \t]*$", re.M)
_HEADING = re.compile(rf"^([ \t]*#{{1,6}}[ \t][^\n]*?)[ \t]*({_LIST})[ \t]*#*[ \t]*$", re.M)
_UNDERLINED = re.compile(rf"^([^\n]+?)[ \t]*({_LIST})[ \t]*(?=\n(?:=+|-{{2,}})[ \t]*$)", re.M)
_KRAMDOWN = re.compile(r"\{::?[^{}\n]*\}|\{:[^{}\n]*\}")
_ABOVE = re.compile(rf"(?:(?<=\n\n)|\A)[ \t]*({_LIST})[ \t]*\n([ \t]*#{{1,6}}[ \t][^\n]*)$", re.M)
_CONTENTS = re.compile(
    r"^[ \t]*(?:[-*+]|\d+\.)[ \t][^\n]*\n[ \t]*\{:[^{}\n]*\btoc\b[^{}\n]*\}", re.M
)
_TRAILING = re.compile(rf"(?<=[\])*_`\ufdd1])({_LIST})|[ \t]+({_LIST})[ \t]*$", re.M)
_SPAN = re.compile(rf"(?<!\])\[([^\[\]\n]+)\]{_LIST}")
_ID = re.compile(r"#([\w:.-]+)")


def without_attributes(text: str) -> str:
    """Take away attribute lists of headings, blocks, spans, links and images."""
    if "{" not in text:
        return text
    text = _HEADING.sub(_heading, text)
    text = _UNDERLINED.sub(_heading, text)
    text = _heading_below(text)
    text = _ALONE.sub("", text)
    text = _SPAN.sub(r"\1", text)
    return _TRAILING.sub("", text)


def without_kramdown(text: str) -> str:
    """Take away `{: ...}` and `{::options ...}` wherever they stand."""
    if "{:" not in text:
        return text
    text = between(text, "{::comment}", "{:/comment}", newlines)
    text = _CONTENTS.sub("\n", text)
    text = _ABOVE.sub(lambda match: f"\n{match[2]} {match[1]}", text)
    return _KRAMDOWN.sub("", without_attributes(text))


def _heading(match: re.Match[str]) -> str:
    given = _ID.search(match[2])
    return match[1] + (anchored(given[1]) if given else "")


def _heading_below(text: str) -> str:
    """Give a heading the id that stands alone on the line below it."""
    pattern = rf"^([ \t]*#{{1,6}}[ \t][^\n]*)\n[ \t]*({_LIST})[ \t]*$"
    return re.sub(pattern, lambda match: _heading(match) + "\n", text, flags=re.M)
