"""The box a question is written into, alike on every page."""

from __future__ import annotations

from typing import Any

import streamlit as st

from indexer.index import Index
from lab.wording import one_line

HEIGHT = 68
"""Pixels: two lines."""


def question_box(key: str, index: Index, **reacting: Any) -> None:
    """Draw it; `reacting` is what happens on a change."""
    st.text_area(
        "Question",
        key=key,
        height=HEIGHT,
        label_visibility="collapsed",
        placeholder=f"Ask a question about {one_line(index.site.name)}",
        **reacting,
    )
