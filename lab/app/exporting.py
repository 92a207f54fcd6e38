"""A run as files to keep, made when they are asked for."""

from __future__ import annotations

import streamlit as st

from lab.app import resources
from lab.codec import json_line
from lab.html.page import exported


def lines_of(id: str) -> bytes:
    """The run's events, one a line."""
    recorded = resources.store().load(id).recorded
    return "".join(f"{json_line(entry)}\n" for entry in recorded).encode()


def page_of(id: str) -> bytes:
    """The run as one HTML page; without links to sources where its index is gone."""
    return exported(resources.store().load(id))[0]


@st.dialog("Export this run")
def export(id: str) -> None:
    """Files of a run, made when they are asked for."""
    st.download_button(
        "Download as JSON lines",
        lambda: lines_of(id),
        f"run-{id}.jsonl",
        "application/jsonl",
        key="export-lines",
        on_click="ignore",
    )
    st.caption("Every event as it was recorded, one a line.")
    st.download_button(
        "Download as HTML page",
        lambda: page_of(id),
        f"run-{id}.html",
        "text/html",
        key="export-page",
        on_click="ignore",
    )
    st.caption("The trace and all that was sent, in one file that loads nothing.")
