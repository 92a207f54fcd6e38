"""Text as it is, where Streamlit would read Markdown: an image in it would be fetched from afar."""

from __future__ import annotations

import re

import streamlit as st

from lab import wording

_SIGN = re.compile(r"([!#$&()*+./:<=>@[\\\]^`{|}~]|(?<![^\W_])[-_]|[-_](?![^\W_]))")
"""What can mean something in Markdown; inside a word, such as search_site, `-` and `_` do not.

Labels are read aloud as they are given, so no more than that is marked.
"""


def literal(text: object) -> str:
    """The text with every sign of Markdown put out of effect, on one line."""
    return _SIGN.sub(r"\\\1", wording.one_line(str(text)))


def error(text: object) -> None:
    """Say what went wrong."""
    st.error(literal(text))


def warning(text: object) -> None:
    """Say what to be careful of."""
    st.warning(literal(text))


def caption(text: object) -> None:
    """Say something beside the matter."""
    st.caption(literal(text))
