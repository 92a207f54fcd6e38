"""The head of a page: its title, and which site its tools search."""

from __future__ import annotations

from html import escape

import streamlit as st

from indexer.index import Index
from lab.html.line import line_html


def show_head(title: str, index: Index) -> None:
    """Draw it; the site's name may hold anything."""
    st.html(
        f"<div class='lab-head'><h1>{escape(title)}</h1><span>{line_html(index.site.name)}, "
        f"{len(index.passages):,} passages</span></div>"
    )
