"""What a visitor reads of Streamlit's own elements, whose values are Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def as_read(elements: Iterable[Any]) -> list[str]:
    """The text of each, without the signs that keep Markdown out of it."""
    return [unescaped(element.value) for element in elements]


def unescaped(text: str) -> str:
    """The text that literal() made Markdown of."""
    return _ESCAPED.sub(r"\1", text)
