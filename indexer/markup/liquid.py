"""Liquid and Nunjucks: `{% tag %}`, `{{ variable }}`, comments. What stands between tags stays."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from indexer.markup.front import written
from indexer.markup.marks import literal, newlines
from indexer.markup.spans import apart, between, between_tags, gaps_filled, replaced

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
_VARIABLE = re.compile(
    # The first two braces that close end it, unless the first of them is a pair's.
    r"\{\{(?![<%{])(?>[^{}\n]|\n(?!\n)|\{[^{}]*+\}(?!\}(?!\}))|\{(?!\{)|\}(?!\}))*?\}\}"
)


_OTHERWISE = re.compile(r"\{%[-+]?[ \t]*(?:else|elsif|elseif|elif|when)\b")
_LOOP = re.compile(r"\{%-?[ \t]*(end)?(?:for|tablerow)\b[^%]*%\}")
_NAMED = re.compile(r"\{\{-?[ \t]*(?P<path>[A-Za-z_][\w.-]*?)[ \t]*-?\}\}")
_QUOTED = r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'"
PARAMETERS = rf"(?P<parameters>(?>(?:\s+[\w-]+\s*=\s*(?>{_QUOTED}|[^\s%]+))*))"
_INCLUDE = re.compile(rf"\{{%-?\s*include\s+[^\s%]+{PARAMETERS}\s*-?%\}}")
_GIVEN = re.compile(rf"([\w-]+)\s*=\s*({_QUOTED})")
SPOKEN = (
    *("title", "description", "content", "text", "caption", "message", "note", "summary"),
    *("heading", "label", "quote"),
)
"""Names of parameters that a reader is shown."""


_SHORTCODE = re.compile(
    r"\{%-?\s*(?!(?:if|elsif|elseif|elif|unless|case|when|for|set|assign|echo|include|render|extends"
    r"|import|from|block|layout|highlight|cycle|call|filter)\b)[A-Za-z_]\w*\s+"
    r"([\"'])(?P<said>(?:(?!\1)[^\\]|\\.)*+)\1",
    re.S,
)
"""What the template language has no name for, and is given a text in quotes first."""


def filled(text: str, known: Mapping[str, Any]) -> str:
    """Write what `{{ site.key }}` means, as far as what is known says it in one line.

    A filter is not known.
    """
    return _NAMED.sub(lambda match: _value(known, match), text) if "{{" in text else text


def _value(known: Mapping[str, Any], match: re.Match[str]) -> str:
    value: Any = known
    for key in match["path"].split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    said = written(value)
    return match[0] if said is None or "\n" in said else literal_markup(said)


def said_in_includes(text: str) -> str:
    """Keep what an include is told to say: `{% include note.html content="Mind the gap." %}`."""
    return _INCLUDE.sub(_told, text) if "include" in text else text


def _told(tag: re.Match[str]) -> str:
    given = texts_given(tag["parameters"]).items()
    said = " ".join(text for name, text in given if name in SPOKEN)
    return said + newlines(tag[0]) if said else tag[0]


def texts_given(parameters: str) -> dict[str, str]:
    """Return the parameters of a tag that are texts in quotes, each on one line."""
    found = (
        (name, re.sub(r"\\([\"'])", r"\1", text[1:-1])) for name, text in _GIVEN.findall(parameters)
    )
    return {name: " ".join(text.split()) for name, text in found}


def raw_hidden(text: str) -> str:
    """Return a text as long, in which nothing stands where it is raw."""
    for opening, closing in _RAW:
        text = between_tags(text, opening, closing, lambda span: "\0" * len(span))
    return text


def said_in_shortcodes(text: str) -> str:
    """Keep what a shortcode is told to say first: `{% tip "Mind the gap.", "/gap/" %}`."""
    return between(text, "{%", "%}", _said_first)


def _said_first(tag: str) -> str:
    match = _SHORTCODE.match(tag)
    said = re.sub(r"\\([\"'])", r"\1", match["said"]).split() if match else []
    # One word is a name or an address.
    return tag if len(said) < 2 or "\n\n" in tag else " ".join(said) + newlines(tag)


def without_loops(text: str) -> str:
    """Take away loops over what only the generator knows: they have variables in them."""
    loops = ((start, end, text[start:end]) for start, end in _loops(text))
    return replaced(text, ((at, end, newlines(loop)) for at, end, loop in loops if "{{" in loop))


def _loops(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the outermost loops begin and end."""
    depth, start = 0, 0
    for tag in _LOOP.finditer(text):
        if not tag[1]:
            start = start if depth else tag.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                yield start, tag.end()


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
    return gaps_filled(between(text, "{%", "%}", _line_ends))


def _line_ends(tag: str) -> str:
    """Return the line ends of a tag; what runs over a blank line is no tag.

    Between two ways to go on is a gap: a reader sees one of them.
    """
    if "\n\n" in tag:
        return tag
    return apart(newlines(tag)) if _OTHERWISE.match(tag) else newlines(tag)


def without_variables(text: str) -> str:
    """Take away `{{ variable }}`."""
    if "{{" not in text:
        return text
    return _VARIABLE.sub(lambda match: newlines(match[0]), text)


def without_hash_comments(text: str) -> str:
    """Take away the comments of Nunjucks, `{# #}`."""
    return between(text, "{#", "#}", newlines) if "#}" in text else text
