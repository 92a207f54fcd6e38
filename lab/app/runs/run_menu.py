"""What can be done with a run in the list: replay, resume, compare, keep as a file, delete."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from lab import wording
from lab.app import registry, resources, state, told
from lab.app.ask import actions
from lab.app.ask import page as ask
from lab.app.be import page as be
from lab.app.compare import page as compare
from lab.app.exporting import export
from lab.html.rows import NO_QUESTION
from lab.models.catalog import PERSON
from lab.prepare import OVER
from lab.rows import RunRow


def show_menu(row: RunRow, working: bool) -> None:
    """The menu of one run."""
    choices: dict[str, Callable[[], None]] = {"Replay or fork": partial(replay_run, row.id)}
    if row.question and row.reason not in OVER and not working:
        choices["Resume"] = partial(resume, row.id)
    if row.parent:
        choices["Compare with its original"] = partial(compare_runs, [row.parent, row.id])
    choices |= {"Export …": partial(export, row.id), "Delete …": partial(confirm, row)}
    if chosen := st.menu_button("More", list(choices), key=f"more-{row.id}"):
        choices[chosen]()


def replay_run(id: str) -> None:
    """Show a run event by event, from its first one on."""
    state.show_place(id, 0)
    st.rerun()


def resume(id: str) -> None:
    """Go on with a run, and show it; a fault is shown where the person is."""
    run = registry.find(id, resources.store())
    if run:
        actions.resume(run)
    if state.FAULT in st.session_state:
        st.rerun()
    if run and run.settings.model == PERSON:
        play(id)
    open_run(id)


def play(id: str) -> None:
    """Show a run in which the visitor is the model."""
    page = st.Page(be.view, title="Be the model", url_path="be")
    st.switch_page(page, query_params={state.RUN: id})


def open_run(id: str = "") -> None:
    """Show a run on the page that asks; without an id, the page alone."""
    page = st.Page(ask.view, title="Ask", url_path="ask", default=True)
    st.switch_page(page, query_params={state.RUN: id} if id else None)


def compare_runs(ids: list[str]) -> None:
    """Show runs side by side."""
    page = st.Page(compare.view, title="Compare", url_path="compare")
    st.switch_page(page, query_params={state.RUNS: ",".join(ids)})


@st.dialog("Delete this run?")
def confirm(row: RunRow) -> None:
    """Ask before a run is gone for good."""
    st.text(wording.one_line(row.question)[:400] or NO_QUESTION)
    st.write("The run and all its events are removed; forks of it stay. This cannot be undone.")
    with st.container(horizontal=True):
        if st.button(
            "Delete", type="primary", key="confirm-delete", on_click=delete, args=[row.id]
        ):
            st.rerun()
        if st.button("Keep", key="confirm-keep"):
            st.rerun()


def delete(id: str) -> None:
    """Delete a run, or keep what was in the way to be shown."""
    with told.kept():
        registry.remove(id, resources.store())
