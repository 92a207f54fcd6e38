"""Liquid and Nunjucks: `{% tag %}`, `{{ variable }}`, comments. What stands between tags stays."""

import re

from indexer.markup.marks import literal, newlines
from indexer.markup.spans import between, between_tags

_RAW = [
    (
        re.compile(rf"\{{%[-+]?[ \t]*{name}[ \t]*[-+]?%\}}"),
        re.compile(rf"\{{%[-+]?[ \t]*end{name}[ \t]*[-+]?%\}}"),
    )
    for name in ("raw", "verbatim")
]
_CODE = re.compile(r"^([ \t]*)\{%-?[ \t]*highlight[ \t]+([\w+-]*)[^%\n]*%\}[ \t]*$", re.M)
_CODE_END = re.compile(r"^([ \t]*)\{%-?[ \t]*endhighlight[ \t]*-?%\}[ \t]*$", re.M)
_COMMENT = re.compile(r"\{%-?[ \t]*comment\b[^%\n]*%\}")
_COMMENT_END = re.compile(r"\{%-?[ \t]*endcomment[ \t]*-?%\}")
_VARIABLE = re.compile(r"\{\{(?![<%{])(?:[^{}\n]|\n(?!\n)|\{[^{}]*\})*?\}\}")


def raw_kept(text: str) -> str:
    """Take away `{% raw %}` tags; what lies between them is text."""
    if "{%" not in text:
        return text
    for opening, closing in _RAW:
        text = between_tags(text, opening, closing, _raw)
    return text


def _raw(span: str) -> str:
    """Return what stands between two tags as characters."""
    return literal_markup(span[span.index("}") + 1 : span.rindex("{")])


def literal_markup(text: str) -> str:
    """Return the text with the openings of tags and variables as characters."""
    return re.sub(r"\{[{%]|[%}]\}", lambda match: literal(match[0]), text)


def fences_of_highlight(text: str) -> str:
    """Write `{% highlight ruby %}` as a fence, so that its content is known as code."""
    if len(_CODE.findall(text)) != len(_CODE_END.findall(text)):
        return text
    return _CODE_END.sub(r"\1~~~~~~", _CODE.sub(r"\1~~~~~~\2", text))


def without_tags(text: str) -> str:
    """Take away tags and comments."""
    if "{%" not in text:
        return text
    text = between_tags(text, _COMMENT, _COMMENT_END, newlines)
    return between(text, "{%", "%}", _line_ends)


def _line_ends(tag: str) -> str:
    """Return the line ends of a tag; what runs over a blank line is no tag."""
    return tag if "\n\n" in tag else newlines(tag)


def without_variables(text: str) -> str:
    """Take away `{{ variable }}`."""
    if "{{" not in text:
        return text
    return _VARIABLE.sub(lambda match: newlines(match[0]), text)


def without_hash_comments(text: str) -> str:
    """Take away the comments of Nunjucks, `{# #}`."""
    return between(text, "{#", "#}", newlines) if "#}" in text else text
