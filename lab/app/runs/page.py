"""The Runs page: what the store holds, to open, to compare, to replay, to keep as a file.

The list is for the person at this machine alone: a run's id is all that another one needs to
read it. With a run in the address, the page shows that one event by event.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from lab.app import registry, resources, state, told
from lab.app.runs import forking, replaying
from lab.app.runs.listing import show_filters
from lab.app.runs.run_menu import compare_runs, open_run, play, show_menu
from lab.app.told import literal
from lab.compare.summary import NAMES
from lab.errors import LabError
from lab.html.rows import head_html, row_html
from lab.models.catalog import ELSEWHERE, PERSON
from lab.rows import RunRow

CSS = Path(__file__).parent / "page.css"
LISTED = 25
"""So many runs are listed on a page."""


def view() -> None:
    """Draw the page."""
    st.html(CSS)
    if pair := forking.forked():
        show_fork(pair)
    if id := str(st.query_params.get(state.RUN, "")):
        replaying.view(id)
        return
    st.html("<div class='lab-head'><h1>Runs</h1></div>")
    if not resources.local():
        st.info(
            "Saved runs are listed only where the page is bound to loopback, and others can reach "
            "this one. On the machine itself, `lab runs list` shows them."
        )
        return
    try:
        rows = resources.store().rows()
    except LabError as error:
        told.error(error)
        return
    told.show_kept()
    if rows:
        show_list(rows)
    else:
        show_nothing_yet()


def show_fork(pair: list[str]) -> None:
    """Go where a fork that was just begun is seen, beside its parent if the lab asks its model."""
    model = resources.store().row(pair[1]).model
    if model == PERSON:
        play(pair[1])
    if model in ELSEWHERE:
        open_run(pair[1])
    compare_runs(pair)


def show_nothing_yet() -> None:
    """What will stand here, and how to make it come about."""
    st.info(
        "No runs yet. Every question asked here or with `lab ask` is kept as a run, to be read, "
        "exported or gone on with later.",
        icon=":material/info:",
    )
    if st.button("Ask a question", type="primary"):
        open_run()


def show_list(rows: Sequence[RunRow]) -> None:
    """Filters, and the runs that pass them, newest first."""
    wanted = show_filters(rows)
    found = [row for row in rows if wanted.passes(row)]
    chosen = [id for id in state.chosen_runs() if any(row.id == id for row in rows)]
    show_chosen(chosen, f"{len(found):,} of {len(rows):,} runs")
    if not found:
        st.info("No run passes these filters. Take one of them back to see more.")
        return
    pages = -(-len(found) // LISTED)
    page = min(int(state.get(state.RUNS_PAGE, 1)), pages)
    with st.container(key="run-list"):
        st.html(head_html())
        for row in found[LISTED * (page - 1) : LISTED * page]:
            show_row(row, chosen)
    if pages > 1:
        key = state.widget(f"{state.RUNS_PAGE} {hash(wanted)}")
        st.pagination(pages, default=page, key=key, on_change=turn_page, args=[key])


def show_chosen(chosen: list[str], counted: str) -> None:
    """How many runs there are, and what can be done with those selected."""
    with st.container(key="run-chosen", horizontal=True, vertical_alignment="center"):
        if not chosen:
            st.caption(
                f"{literal(counted)}. Select two to four to see them side by side.", width="content"
            )
            return
        st.caption(f"{literal(counted)}, {len(chosen):,} selected", width="content")
        few = len(chosen) < 2
        said = "Select one more to compare" if few else f"Compare the {len(chosen):,} selected"
        if st.button(literal(said), type="primary", key="compare-chosen", disabled=few):
            compare_runs(chosen)
        st.button("Select none", key="choose-none", on_click=choose_none)


def choose_none() -> None:
    """Select nothing any more."""
    for id in state.chosen_runs():
        state.choose_run(id, chosen=False)
        st.session_state[box(id)] = False


def turn_page(key: str) -> None:
    """Show the page of the list that was chosen."""
    st.session_state[state.RUNS_PAGE] = st.session_state[key]


def show_row(row: RunRow, chosen: list[str]) -> None:
    """One run and what can be done with it."""
    known = registry.runner(row.id)
    working = known is not None and known.working
    with st.container(
        key=f"run-row-{row.id}", horizontal=True, gap="small", vertical_alignment="center"
    ):
        st.html(row_html(row, working))
        show_choice(row, chosen)
        if st.button("Open", key=f"open-{row.id}"):
            open_run(row.id)
        show_menu(row, working)


def show_choice(row: RunRow, chosen: list[str]) -> None:
    """The box that selects a run to be compared."""
    full = len(chosen) >= len(NAMES) and row.id not in chosen
    st.checkbox(
        f"Select {literal(row.id)}",
        row.id in chosen,
        key=box(row.id),
        on_change=choose,
        args=[row.id],
        disabled=full or not row.question,
        label_visibility="collapsed",
    )


def choose(id: str) -> None:
    """Select a run, or no longer, as its box says."""
    state.choose_run(id, bool(st.session_state[box(id)]))


def box(id: str) -> str:
    """The key of the box that selects a run."""
    return state.widget(f"choose-{id}")
