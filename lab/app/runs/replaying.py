"""A saved run event by event: the trace as it stood, what was needed, and a fork from there."""

from __future__ import annotations

import json
from html import escape

import streamlit as st

from lab import wording
from lab.app import registry, resources, state, told
from lab.app.ask.page import index_of
from lab.app.runs import forking
from lab.app.runs.run_menu import compare_runs, open_run, resume
from lab.app.told import literal
from lab.codec import json_line
from lab.errors import LabError
from lab.forks.forked import differences
from lab.forks.forking import is_notice
from lab.html.answer import answer_html
from lab.html.forked import differences_html
from lab.html.line import line_html
from lab.html.moment import moment_html
from lab.html.outcome import outcome_html
from lab.html.rows import NO_QUESTION
from lab.html.trace import trace_html
from lab.moment import moment
from lab.prepare import can_go_on
from lab.replay import AsRecorded, replay
from lab.rows import RunRow
from lab.run import Run
from lab.steps import turns


def view(id: str) -> None:
    """Draw the page for one run."""
    st.html(f"<div class='lab-head'><h1>Replay</h1><span>run {line_html(id[:40])}</span></div>")
    try:
        store = resources.store()
        run = registry.find(id, store)
        row = store.row(id) if run else None
    except LabError as error:
        told.error(error)
        return
    told.show_kept()
    if run is None or row is None or not len(run):
        told.warning(f"There is no run {id} here. It may have been made with another store.")
        st.button("All runs", on_click=state.show_no_run)
        return
    at = state.place(len(run) - 1)
    stood = Run(run.id, run.recorded[: at + 1])
    show_head(run, row, turns(stood.events)[-1].question if stood.turn() else row.question)
    show_steps(run, at)
    show_moment(run, at, stood)


def show_head(run: Run, row: RunRow, question: str) -> None:
    """Which run it is, where it comes from, and what else can be done with it."""
    asked = wording.printable(question) or NO_QUESTION
    st.html(f"<h2 class='lab-question'>{escape(asked)}</h2>")
    known = registry.runner(run.id)
    working = known is not None and known.working
    with st.container(horizontal=True, gap="small", key="replay-actions"):
        st.button("All runs", on_click=state.show_no_run, icon=":material/arrow_back:")
        if st.button("Open"):
            open_run(run.id)
        if can_go_on(run) and not working and st.button("Resume"):
            resume(run.id)
        if row.parent and st.button("Compare with its original"):
            compare_runs([row.parent, run.id])
    if working:
        st.caption("This run is under way; what is new stands here after the next step.")
    show_origin(run, row)


def show_origin(run: Run, row: RunRow) -> None:
    """What a fork changed."""
    notices = [event.text for event in run.events if is_notice(event)]
    if not notices:
        return
    st.html(f"<p class='lab-origin'>{line_html(notices[-1])}</p>")
    if not row.parent or row.parent_seq is None:
        st.caption("The run that it was forked from is no longer in the store.")
        return
    try:
        parent = resources.store().load(row.parent)
        st.html(differences_html(differences(parent, run, row.parent_seq)))
    except LabError as error:
        told.caption(f"What was changed cannot be shown: {error}")


def show_steps(run: Run, at: int) -> None:
    """Buttons and a slider over the run's events."""
    last = len(run) - 1
    if not last:
        return
    moves = (
        ("First", "first_page", 0, at > 0),
        ("Back", "chevron_left", at - 1, at > 0),
        ("Next", "chevron_right", at + 1, at < last),
        ("Last", "last_page", last, at < last),
    )
    with st.container(
        key="replay-steps", horizontal=True, gap="small", vertical_alignment="bottom"
    ):
        for label, icon, place, able in moves:
            st.button(
                literal(label),
                key=f"replay-{label}",
                icon=f":material/{icon}:",
                on_click=state.show_place,
                args=[run.id, place],
                disabled=not able,
            )
        st.slider(
            f"Event, of 0 to {last:,}",
            0,
            last,
            key=state.widget(state.AT),
            on_change=moved,
            args=[run.id],
        )


def moved(id: str) -> None:
    """Show the run as it stood where the slider was moved to."""
    state.show_place(id, int(st.session_state[state.widget(state.AT)]))


def show_moment(run: Run, at: int, stood: Run) -> None:
    """The run as it stood after that event."""
    limits, tools = run.settings.limits, AsRecorded(run.events)
    beats = replay(run.recorded, tools, limits)
    st.html(moment_html(run, at, moment(run.recorded, at, beats, tools, limits)))
    with st.container(key="replay-stood"):
        show_stood(stood)
    event, fork = st.columns([1, 1], gap="large")
    with event, st.container(key="replay-event"):
        st.subheader("The event", anchor=False)
        shown = json.dumps(json.loads(json_line(run.recorded[at])), ensure_ascii=False, indent=1)
        st.code(shown, language=None, wrap_lines=True)
    with fork:
        forking.show_fork(run, at)


def show_stood(run: Run) -> None:
    """Outcome, answer and trace of the newest question of a run that stands still."""
    if not run.turn():
        st.caption("Nothing was asked yet.")
        return
    turn, running = turns(run.events)[-1], not run.turn_is_over()
    st.html(outcome_html(run, turn, running))
    if turn.end and turn.end.answer:
        st.html(answer_html(turn.end.answer, index_of(run).get))
    st.html(trace_html(turn, running))
