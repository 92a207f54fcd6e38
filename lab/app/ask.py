"""The Ask page: a question, its answer, how it came about, and what the model was sent."""

from __future__ import annotations

from html import escape

import streamlit as st

from indexer.errors import IndexerError
from indexer.index import Index
from lab import wording
from lab.app import actions, registry, resources, state
from lab.app.context import show_context
from lab.app.controls import show_controls
from lab.errors import LabError
from lab.html.answer import answer_html
from lab.html.outcome import outcome_html
from lab.html.trace import trace_html
from lab.prepare import can_go_on
from lab.run import Run
from lab.steps import turns

TICK_SECONDS = 0.4
"""How often the page looks what is new in a run under way."""


def view() -> None:
    """Draw the page."""
    try:
        index = resources.index()
        resources.store()
    except (LabError, IndexerError) as error:
        st.error(str(error))
        return
    st.html(
        f"<div class='lab-head'><h1>Site agent lab</h1><span>{escape(index.site.name)}, "
        f"{len(index.passages):,} passages</span></div>"
    )
    id = state.shown_run()
    runner = registry.runner(id)
    working = runner is not None and runner.working
    run = registry.find(id, resources.store()) if id else None
    if run and run.turn():
        settings = run.settings
        state.begin_with(turns(run.events)[-1].question, settings.model, settings.protocol)
    show_controls(working)
    if fault := st.session_state.pop(state.FAULT, ""):
        st.error(fault)
    if not id:
        show_nothing_yet()
    elif run is None or not run.turn():
        st.warning(f"There is no run {id} here. It may have been made with another store.")
    elif working:
        show_live(id)
    else:
        show_finished(run, index_of(run))


def index_of(run: Run) -> Index:
    """The index the run searched; the sample site's where that one is gone, said so."""
    try:
        return resources.index(run.settings.index)
    except (LabError, IndexerError) as error:
        st.warning(f"Its sources cannot be shown: {error}")
        return resources.index()


def show_nothing_yet() -> None:
    """What a newcomer should know before the first question."""
    st.info(
        "No key needed: the tools run for real, and a scripted stand-in plays the model. "
        "Press Ask, and see every model call and every tool run in the order they happen.",
        icon=":material/info:",
    )


@st.fragment(run_every=TICK_SECONDS)
def show_live(id: str) -> None:
    """A run under way; looks again and again until it is done."""
    runner = registry.runner(id)
    if runner is None or not runner.working:
        st.rerun()
    show_run(runner.run, index_of(runner.run), running=True)


def show_finished(run: Run, index: Index) -> None:
    """A run that does not advance now, and the evidence below it."""
    runner = registry.runner(run.id)
    if runner and runner.error:
        st.error(f"The lab had to stop this run: {runner.error}")
    show_run(run, index, running=False)
    if can_go_on(run):
        st.button("Resume", on_click=actions.resume, args=[run], icon=":material/play_arrow:")
    show_context(turns(run.events)[-1])


def show_run(run: Run, index: Index, running: bool) -> None:
    """Question, outcome, answer and trace of the newest question."""
    turn = turns(run.events)[-1]
    st.html(f"<h2 class='lab-question'>{escape(wording.printable(turn.question))}</h2>")
    st.html(outcome_html(run, turn, running))
    if turn.end and turn.end.answer:
        st.html(answer_html(turn.end.answer, index.get))
    st.html(trace_html(turn, running, run.streamed))
