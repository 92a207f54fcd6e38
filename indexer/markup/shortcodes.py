"""Shortcodes of Hugo and Quarto: `{{< >}}`, `{{% %}}`. The tag goes, the text inside stays."""

import re

from indexer.markup.marks import literal, newlines
from indexer.markup.spans import apart, gaps_filled

_ESCAPED = re.compile(r"\{\{([<%])/\*[ \t]*(.*?)[ \t]*\*/([>%])\}\}")
_TAG = re.compile(
    r"\{\{([<%])(?!\{)[ \t\n]*+((?:[^\"`{}<>%]|\"[^\"]*\"|`[^`]*`|[<>%](?!\}\}))*+)[>%]\}\}"
)
_CODE = re.compile(
    r"^([ \t]*)\{\{[<%][ \t]*highlight[ \t]+\"?([\w+-]*)[^\n]*?[>%]\}\}[ \t]*$", re.M
)
_CODE_END = re.compile(r"^([ \t]*)\{\{[<%][ \t]*/[ \t]*highlight[ \t]*[>%]\}\}[ \t]*$", re.M)
_SAID = re.compile(
    r"\b(?:title|subtitle|header|heading|summary|caption|alt|text|label)="
    r"(?:\"([^\"]*)\"|`([^`]*)`)"
)
_IN_ORDER = re.compile(
    rf"{_SAID.pattern}|[\w-]+=(?:\"[^\"]*\"|`[^`]*`)"
    r"|\s(?:\"([^\"]*)\"|`([^`]*)`|([^\s\"`=]+))(?!\S)"
)
"""What is given without a name besides."""
_NAMED = {
    "tab": re.compile(r"(?:\b(?:title|name|header)=|\Atab[ \t]+)(?:\"([^\"]*)\"|`([^`]*)`)"),
    "tabs": re.compile(r"\bitems=(?:\"([^\"]*)\"|`([^`]*)`)"),
    "notice": re.compile(rf"{_SAID.pattern}|\Anotice[ \t]+\w+[ \t]+(?:\"([^\"]*)\"|`([^`]*)`)"),
    **dict.fromkeys(("heading", "kbd", "abbr", "badge", "expand"), _IN_ORDER),
}
"""What a reader sees of some that have other names for it, or none."""


def fences_of_highlight(text: str) -> str:
    """Write `{{< highlight go >}}` as a fence, so that its content is known as code."""
    if "highlight" not in text:
        return text
    if len(_CODE.findall(text)) != len(_CODE_END.findall(text)):
        return text
    return _CODE_END.sub(r"\1~~~~~~", _CODE.sub(r"\1~~~~~~\2", text))


def examples_kept(text: str) -> str:
    """Write `{{</* name */>}}`, a shortcode shown as an example, as a reader sees it."""
    if "/*" not in text:
        return text
    return _ESCAPED.sub(lambda m: literal(f"{{{{{m[1]} {m[2]} {m[3]}}}}}"), text)


def without_shortcodes(text: str) -> str:
    """Take away the tags; a title, a caption or another text in them stays."""
    return gaps_filled(_TAG.sub(_instead, text)) if "{{<" in text or "{{%" in text else text


def _instead(match: re.Match[str]) -> str:
    words = match[2].split(None, 1)
    if not words or words[0].startswith("/"):
        return apart(newlines(match[0]))
    texts = _NAMED.get(words[0], _SAID)
    said = ["".join(found.groups("")) for found in texts.finditer(match[2])]
    return apart(" ".join(" ".join(said).split()) + newlines(match[0]))
