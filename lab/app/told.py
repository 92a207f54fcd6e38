"""Text as it is, where Streamlit would read Markdown: an image in it would be fetched from afar."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from indexer.errors import IndexerError
from lab import wording
from lab.app import state
from lab.errors import LabError

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


@contextmanager
def kept(before: str = "") -> Iterator[None]:
    """End what goes wrong in here, and keep it to be shown once; for what a button does."""
    try:
        yield
    except (LabError, IndexerError) as fault:
        st.session_state[state.FAULT] = f"{before}{fault}"


def show_kept() -> None:
    """Show what went wrong with the last thing asked for."""
    if fault := st.session_state.pop(state.FAULT, ""):
        error(fault)
