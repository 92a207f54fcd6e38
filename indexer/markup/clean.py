"""A page's text -> the Markdown a reader sees the rendering of, line by line.

What is taken away leaves its line ends, so that line n stays line n. Knows no generator.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from indexer.markup.code import ReadInfo, hide_code, plain_info
from indexer.markup.hidden import Hidden
from indexer.markup.marks import spoken, take_anchors, without_marks

Transform = Callable[[str], str]
"""Takes text away, or writes it otherwise; keeps the number of lines."""

_SIGN = re.compile(
    r"[<{%&]|!\[|:::|!!!|\?\?\?|==|~~~~~|\[[!\[]|[ \n]\^|\)=|\+\+\+|:\w+-|:`|\*\[|///|\[TOC\]"
    r"|^(?:import|export)\b|^[ \t]{2}",
    re.M,
)
"""Without one of these no rule finds anything."""


@dataclass(frozen=True, slots=True)
class Markup:
    """What has to be done to the text of a page."""

    before: tuple[Transform, ...] = ()
    """To the text as it is: what a generator does before Markdown is read, in code too."""
    fences: ReadInfo = plain_info
    """What fences hold."""
    within: tuple[Transform, ...] = ()
    """To the text without its code, in this order."""
    after: tuple[Transform, ...] = ()
    """To the text when its code is back."""
    indented_code: bool = True
    """Whether four blanks make code."""


def clean(text: str, markup: Markup) -> tuple[str, dict[int, str | None]]:
    """Return the text without its markup, and the anchors headings give themselves by line.

    A heading that has none has None. Lines are counted from 0; there are as many as before.
    """
    cleaned = without_marks(text)
    for transform in markup.before:
        cleaned = transform(cleaned)
    if _SIGN.search(cleaned):
        hidden = Hidden()
        cleaned = hide_code(cleaned, hidden, markup.fences, markup.indented_code)
        for transform in markup.within:
            cleaned = transform(cleaned)
        cleaned = hidden.put_back(cleaned)
    for transform in markup.after:
        cleaned = transform(cleaned)
    lines = spoken(cleaned).split("\n")
    anchors = take_anchors(lines)
    if len(lines) != text.count("\n") + 1:
        raise AssertionError("markup was taken away with its line ends")
    return "\n".join(lines), anchors
