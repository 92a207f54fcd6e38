"""The head of a page: its title, and which site its tools search."""

from __future__ import annotations

from html import escape

import streamlit as st

from indexer.errors import IndexerError
from indexer.index import Index
from lab.app import resources, told
from lab.errors import LabError
from lab.html.line import line_html
from lab.limits import several


def show_head(title: str, index: Index) -> None:
    """Draw it; the site's name may hold anything."""
    st.html(
        f"<div class='lab-head'><h1>{escape(title)}</h1><span>{line_html(index.site.name)}, "
        f"{several(len(index.passages), 'passage')}</span></div>"
    )


def opened(title: str) -> Index | None:
    """The site's index, below the head of its page; None, and said why, where nothing can run."""
    try:
        index = resources.index()
        resources.store()
    except (LabError, IndexerError) as error:
        told.error(error)
        return None
    show_head(title, index)
    return index
