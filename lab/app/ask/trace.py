"""The trace on the page: a container a step, so that what is opened stays open while more comes.

An element whose HTML is the same as before is left alone by the page; one that changed is made
anew, and closes. So whatever opens stands apart from what still changes.
"""

from __future__ import annotations

import streamlit as st

from lab.html.figures import HEAD
from lab.html.trace import foot_html, notices_html, rows
from lab.steps import Turn


def show_trace(turn: Turn, running: bool, streamed: str = "") -> None:
    """The steps of one question; what is drawn here once keeps its place in the page."""
    above = st.container()
    if notices := notices_html(turn.notices):
        above.html(notices)
    with st.container(key="lab-trace"):
        st.html(HEAD)
        for row in rows(turn, running, streamed):
            with st.container(key=f"lab-row-{row.number}"):
                st.html(row.figures)
                with st.container(key=f"lab-texts-{row.number}"):
                    for block in row.blocks:
                        st.html(block)
    below = st.container()
    if foot := foot_html(turn):
        below.html(foot)
