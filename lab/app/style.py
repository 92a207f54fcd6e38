"""The stylesheets of everything the lab draws itself, for light and dark alike."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from lab.html.page import RUN_CSS

CSS = Path(__file__).parent / "style.css"
ICON = Path(__file__).parent / "icon.svg"
"""A file of our own: a named icon would be fetched from another host."""


def use_style() -> None:
    """Put the stylesheets on the page."""
    st.html(RUN_CSS)
    st.html(CSS)
