"""The Runs page: what the store holds, to open, to keep as a file, to delete.

For the person at this machine alone: a run's id is all that another one needs to read it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from lab import wording
from lab.app import ask, registry, resources, state
from lab.codec import json_line
from lab.errors import LabError
from lab.html.page import exported
from lab.html.rows import NO_QUESTION, head_html, row_html
from lab.rows import RunRow

CSS = Path(__file__).parent / "runs.css"
LISTED = 25
"""So many runs are listed at first, and so many more each time."""
ANY_MODEL, ANY_END, NOT_ENDED = "Any model", "Any end", "not ended"
WIDTHS = (8, 2)
"""What a run is, beside what can be done with it; the stylesheet fixes the second."""


def view() -> None:
    """Draw the page."""
    st.html(CSS)
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
        st.error(str(error))
        return
    if fault := st.session_state.pop(state.FAULT, ""):
        st.error(fault)
    if rows:
        show_list(rows)
    else:
        show_nothing_yet()


def show_nothing_yet() -> None:
    """What will stand here, and how to make it come about."""
    st.info(
        "No runs yet. Every question asked here or with `lab ask` is kept as a run, to be read, "
        "exported or gone on with later.",
        icon=":material/info:",
    )
    if st.button("Ask a question", type="primary"):
        st.switch_page(ask_page())


def show_list(rows: Sequence[RunRow]) -> None:
    """Filters, and the runs that pass them, newest first."""
    wanted = show_filters(rows)
    found = [row for row in rows if passes(row, *wanted)]
    st.caption(f"{len(found):,} of {len(rows):,} runs")
    if not found:
        st.info("No run passes these filters. Take one of them back to see more.")
        return
    listed = int(state.get(state.RUNS_LISTED, LISTED))
    with st.container(key="run-list"):
        st.columns(WIDTHS)[0].html(head_html())
        for row in found[:listed]:
            show_row(row)
    if len(found) > listed:
        st.button("Show more", on_click=list_more, args=[listed])


def show_filters(rows: Sequence[RunRow]) -> tuple[str, str, str]:
    """The boxes that say which runs are listed; gives text, model and end."""
    models = [ANY_MODEL, *sorted({row.model for row in rows})]
    ends = [ANY_END, *sorted({row.reason or NOT_ENDED for row in rows})]
    text, model, end = st.columns([3, 2, 2])
    words = text.text_input(
        "Question contains",
        str(state.get(state.RUNS_TEXT)),
        key=state.widget(state.RUNS_TEXT),
        on_change=state.keep,
        args=[state.RUNS_TEXT],
    )
    chosen = [
        place.selectbox(
            label,
            options,
            index=options.index(kept) if (kept := str(state.get(key))) in options else 0,
            key=state.widget(key),
            on_change=state.keep,
            args=[key],
        )
        for place, label, options, key in (
            (model, "Model", models, state.RUNS_MODEL),
            (end, "End", ends, state.RUNS_END),
        )
    ]
    return words, chosen[0], chosen[1]


def passes(row: RunRow, text: str, model: str, end: str) -> bool:
    """True where every word is in the question, and model and end are those chosen."""
    question = row.question.casefold()
    return (
        all(word in question for word in text.casefold().split())
        and model in (ANY_MODEL, row.model)
        and end in (ANY_END, row.reason or NOT_ENDED)
    )


def list_more(listed: int) -> None:
    """Let the list be longer."""
    st.session_state[state.RUNS_LISTED] = listed + LISTED


def show_row(row: RunRow) -> None:
    """One run and what can be done with it."""
    known = registry.runner(row.id)
    working = known is not None and known.working
    with st.container(key=f"run-row-{row.id}"):
        about, actions = st.columns(WIDTHS, vertical_alignment="center")
        about.html(row_html(row, working))
        with actions.container(horizontal=True, gap="small", wrap=False):
            if st.button("Open", key=f"open-{row.id}"):
                st.switch_page(ask_page(), query_params={state.RUN: row.id})
            with st.popover("More", key=f"more-{row.id}"):
                show_more(row)


def show_more(row: RunRow) -> None:
    """Files of a run, made when they are asked for, and its end."""
    id = row.id
    st.download_button(
        "Download as JSON lines",
        lambda: lines_of(id),
        f"run-{id}.jsonl",
        "application/jsonl",
        key=f"lines-{id}",
        on_click="ignore",
        type="tertiary",
    )
    st.download_button(
        "Download as HTML page",
        lambda: page_of(id),
        f"run-{id}.html",
        "text/html",
        key=f"page-{id}",
        on_click="ignore",
        type="tertiary",
    )
    if st.button("Delete …", key=f"delete-{id}", type="tertiary"):
        confirm(row)


def lines_of(id: str) -> bytes:
    """The run's events, one a line."""
    recorded = resources.store().load(id).recorded
    return "".join(f"{json_line(entry)}\n" for entry in recorded).encode()


def page_of(id: str) -> bytes:
    """The run as one HTML page; without links to sources where its index is gone."""
    return exported(resources.store().load(id))[0]


@st.dialog("Delete this run?")
def confirm(row: RunRow) -> None:
    """Ask before a run is gone for good."""
    st.text(wording.one_line(row.question)[:400] or NO_QUESTION)
    st.write("The run and all its events are removed. This cannot be undone.")
    with st.container(horizontal=True):
        if st.button(
            "Delete", type="primary", key="confirm-delete", on_click=delete, args=[row.id]
        ):
            st.rerun()
        if st.button("Keep", key="confirm-keep"):
            st.rerun()


def delete(id: str) -> None:
    """Delete a run, or keep what was in the way to be shown."""
    try:
        registry.remove(id, resources.store())
    except LabError as error:
        st.session_state[state.FAULT] = str(error)


def ask_page() -> st.Page:
    """The page that shows a run."""
    return st.Page(ask.view, title="Ask", url_path="ask", default=True)
