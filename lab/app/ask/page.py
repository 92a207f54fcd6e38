"""The Ask page: a question, its answer, how it came about, and what the model was sent."""

from __future__ import annotations

from html import escape

import streamlit as st

from indexer.index import Index
from lab import wording
from lab.app import registry, resources, state, told
from lab.app.ask import actions, chosen
from lab.app.ask.context import show_context
from lab.app.ask.controls import show_controls
from lab.app.ask.following import show_follow_up
from lab.app.ask.newcomer import show_nothing_yet, show_offers
from lab.app.ask.prompting import show_marks
from lab.app.ask.trace import show_trace
from lab.app.be.browser import show_waiting
from lab.app.exporting import export
from lab.app.head import opened
from lab.html.earlier import earlier_html
from lab.html.outcome import outcome_html
from lab.html.said import said_html
from lab.models.catalog import is_standin
from lab.prepare import can_go_on
from lab.run import Run
from lab.steps import turns

TICK_SECONDS = 0.4
"""How often the page looks what is new in a run under way."""
CONTEXT_SECONDS = 2.0
"""The same of what was sent, which is longer and changes once a step."""


def view() -> None:
    """Draw the page."""
    index = opened("Site agent lab")
    if index is None:
        return
    id = state.shown_run()
    runner = registry.runner(id)
    working = runner is not None and runner.working
    run = registry.find(id, resources.store()) if id else None
    if run and run.turn():
        chosen.begin_with(run, resources.index_of(run)[0])
    show_controls(index, working)
    told.show_kept()
    # Live or not, the context has the same place: what was opened in it stays open.
    above, below = st.container(), st.container()
    if not id:
        show_nothing_yet()
    elif run is None or not run.turn():
        told.warning(f"There is no run {id} here. It may have been made with another store.")
    elif working:
        show_waiting([run])
        with above:
            show_live(id)
        with below:
            show_live_context(id)
    else:
        with above:
            show_finished(run, index_of(run))
        with below, st.container():
            show_context(run)


def index_of(run: Run) -> Index:
    """The index the run searched; the sample site's where that one is gone, said so."""
    index, fault = resources.index_of(run)
    if fault:
        told.warning(f"Its sources cannot be shown: {fault}")
    return index or resources.index()


@st.fragment(run_every=TICK_SECONDS)
def show_live(id: str) -> None:
    """A run under way; looks again and again until it is done."""
    runner = registry.runner(id)
    if runner is None or not runner.working:
        st.rerun()
    show_run(runner.run, index_of(runner.run), running=True)


@st.fragment(run_every=CONTEXT_SECONDS)
def show_live_context(id: str) -> None:
    """What was sent so far, while the run is under way."""
    if runner := registry.runner(id):
        show_context(runner.run)


def show_finished(run: Run, index: Index) -> None:
    """A run that does not advance now, and what can be done with it."""
    runner = registry.runner(run.id)
    if runner and runner.error:
        told.error(f"The lab had to stop this run: {runner.error}")
    with st.container():  # as a fragment has one: what was opened in the live trace stays open
        show_run(run, index, running=False)
    with st.container(horizontal=True, gap="small"):
        if can_go_on(run):
            st.button("Resume", on_click=actions.resume, args=[run], icon=":material/play_arrow:")
        if st.button("Export …", icon=":material/download:", type="tertiary"):
            export(run.id)
    show_follow_up(run, index)
    if is_standin(run.settings.model):
        show_offers()


def show_run(run: Run, index: Index, running: bool) -> None:
    """Question, outcome, answer and trace of the newest question, below those before it in short.

    What may or may not be there has a container, so that all below keeps its place in the page.
    """
    *earlier, turn = turns(run.events)
    if earlier:
        st.html(earlier_html(earlier, index.get))
    st.html(f"<h2 class='lab-question'>{escape(wording.printable(turn.question))}</h2>")
    st.html(outcome_html(run, turn, running))
    with st.container():
        show_marks(run)
    with st.container():
        if said := said_html(turn, index.get):
            st.html(said)
    show_trace(turn, running, run.streamed)
