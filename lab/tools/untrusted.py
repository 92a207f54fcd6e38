"""Site text is data, not instructions: it is wrapped, and cannot close its own wrapper."""

from __future__ import annotations

import re

TAG = "passage"
_OWN_TAG = re.compile(rf"<(?=\s*/?\s*{TAG}\b)", re.IGNORECASE)
_CONTROL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)


def plain(text: str) -> str:
    """Text without control characters, and with the wrapper's own tag made harmless."""
    return _OWN_TAG.sub("&lt;", _CONTROL.sub("", text))


def wrapped(text: str, **attributes: str) -> str:
    """The text between the wrapper's tags."""
    words = "".join(f' {name}="{attribute(value)}"' for name, value in attributes.items())
    return f"<{TAG}{words}>\n{plain(text)}\n</{TAG}>"


def attribute(value: str) -> str:
    """A value that can stand between double quotes on one line."""
    # Quotes go first: without them, what was left could be the wrapper's own tag.
    return plain(" ".join(value.replace('"', "").split()))
