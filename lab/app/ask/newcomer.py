"""What is said to somebody who has no key: before the first run, and after it."""

from __future__ import annotations

import streamlit as st

from lab import places
from lab.app import state
from lab.app.compare.picks import Pick
from lab.app.suggestions import DEFAULT_QUESTION

NO_KEY = "No key needed: the tools run for real; a scripted stand-in plays the model."
SCRIPTS = ("scripted:careful", "scripted:hasty")


def show_nothing_yet() -> None:
    """What a newcomer should know before the first question."""
    st.info(
        f"{NO_KEY} Press Ask, and see every model call and every tool run in the order they "
        "happen.",
        icon=":material/info:",
    )


def show_offers() -> None:
    """Where to go from a run that no model played."""
    st.subheader("Go on from here", anchor=False)
    with st.container(horizontal=True, gap="small", key="offers"):
        if places.is_sample():
            offer("Compare the careful and the hasty script", "Compare")
        offer("Be the model yourself", "Be the model")
        offer("Add a key for a hosted model", "Models")
        offer("Run a small model on this machine", "Models")


def offer(label: str, title: str) -> None:
    """A button that leads to the page of that title, where there is one."""
    page = state.page(title)
    if page and st.button(label, key=f"offer:{label}"):
        if title == "Compare":
            state.compare_afresh(DEFAULT_QUESTION, tuple(Pick(name) for name in SCRIPTS))
        st.switch_page(page)
