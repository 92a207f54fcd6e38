"""Text from elsewhere as one line of HTML: escaped, and unable to turn how a page is read."""

from __future__ import annotations

from html import escape

from lab.wording import one_line


def line_html(text: str) -> str:
    """The text, with every run of blanks as one."""
    return escape(one_line(text))
