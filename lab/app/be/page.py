"""The page Be the model: the visitor gets what a model gets, and replies in its place."""

from __future__ import annotations

from html import escape
from pathlib import Path

import streamlit as st

from indexer.errors import IndexerError
from indexer.index import Index
from lab.app import registry, resources, state, suggestions, told
from lab.app.ask import actions
from lab.app.ask.context import show_context
from lab.app.ask.page import TICK_SECONDS, index_of, show_run
from lab.app.be import parking, playing
from lab.app.be.sent import show_turn, show_welcome
from lab.app.head import opened
from lab.app.question_box import question_box
from lab.app.runs import run_menu
from lab.app.told import literal
from lab.compare.known import known_for
from lab.compare.summary import summary
from lab.elsewhere import awaited
from lab.errors import LabError
from lab.limits import several
from lab.models.catalog import PERSON
from lab.prepare import can_go_on
from lab.run import Run
from lab.settings import Limits
from lab.steps import turns

CSS = Path(__file__).parent / "page.css"


def view() -> None:
    """Draw the page."""
    st.html(CSS)
    index = opened("Be the model")
    if index is None:
        return
    id = state.played_run()
    run = registry.find(id, resources.store()) if id else None
    played = run if run and run.turn() and run.settings.model == PERSON else None
    if played:
        parking.attach(played)
    show_controls(index, played)
    told.show_kept()
    if not id:
        show_nothing_yet()
    elif run is None or not run.turn():
        st.warning("There is no such run here. It may have been made with another store.")
    elif played is None:
        st.warning("This run is one of a model, not of a person. Begin one of your own.")
    else:
        show_played(played)


def show_controls(index: Index, run: Run | None) -> None:
    """The question and how many steps it may take; Begin, or Stop while a run goes on."""
    with st.form("be", border=True):
        if run:
            st.session_state.setdefault(state.PLAYED_QUESTION, turns(run.events)[-1].question)
        kept = state.get(state.PLAYED_QUESTION, state.get(state.QUESTION, suggestions.first()))
        st.session_state.setdefault(state.widget(state.PLAYED_QUESTION), kept)
        key = state.widget(state.PLAYED_QUESTION)
        question_box(key, index)
        steps, about, button = st.columns([1, 3, 1], vertical_alignment="bottom")
        most = int(state.get(state.PLAYED_STEPS, Limits().steps))
        steps.number_input("Steps at most", 1, 50, most, key=state.widget(state.PLAYED_STEPS))
        about.caption(literal(time_words(run)))
        with button:
            if run and not run.turn_is_over():
                st.form_submit_button(
                    "■ Stop", on_click=actions.stop, args=[run.id], width="stretch"
                )
            else:
                st.form_submit_button(
                    "Begin", on_click=playing.begin, type="primary", width="stretch"
                )
    if run is None:
        with st.container(horizontal=True, gap="small", key="examples"):
            for place, question in enumerate(suggestions.examples(index)):
                st.button(
                    literal(question),
                    key=f"play-{place}",
                    on_click=state.fill,
                    args=[state.PLAYED_QUESTION, question],
                    type="tertiary",
                )


def time_words(run: Run | None) -> str:
    """How long a person may think."""
    seconds = run.settings.limits.seconds if run and not run.turn_is_over() else None
    if seconds:
        return f"This run was begun with a limit of {several(seconds, 'second')}."
    return "There is no limit of time: a person may think as long as it takes."


def show_nothing_yet() -> None:
    """What a newcomer should know before the first question."""
    st.info(
        "No key needed: you are the model. You get exactly what a model gets, and choose what it "
        "can choose: call tools, or answer. The tools run for real. Afterwards your run stands "
        "beside a model's on the same question.",
        icon=":material/info:",
    )


def show_played(run: Run) -> None:
    """The run as far as it is: working, waiting for the visitor, or over."""
    runner = registry.runner(run.id)
    if runner and runner.error:
        told.error(f"The lab had to stop this run: {runner.error}")
    if asked := awaited(run):
        parking.look_out([run.id], [asked])
        show_welcome(run)
        show_turn(run, asked)
        show_run(run, index_of(run), running=True)
    elif runner and runner.working:
        show_live(run.id)
    else:
        show_run(run, index_of(run), running=False)
        show_after(run)


@st.fragment(run_every=TICK_SECONDS)
def show_live(id: str) -> None:
    """Tools at work; looks again until the next request is there."""
    runner = registry.runner(id)
    if runner is None or not runner.working or awaited(runner.run):
        st.rerun()
    show_run(runner.run, index_of(runner.run), running=True)


def show_after(run: Run) -> None:
    """What can be done with a run that is over."""
    turn = turns(run.events)[-1]
    known = known_for(turn.question) if not run.settings.index else None
    of = summary(run, known)
    if known and of.verdict in ("right", "wrong"):
        sign = "✓ Right" if of.verdict == "right" else "✗ Wrong"
        st.html(f"<p class='lab-note'><b>{sign}.</b> Known answer: {escape(known.text)}</p>")
    if can_go_on(run):
        st.button("Resume", on_click=actions.resume, args=[run], icon=":material/play_arrow:")
    st.subheader("Compare with a model", anchor=False)
    st.caption("It gets the same question, the same tools and the same site, and as many steps.")
    names = resources.model_names()
    model, button = st.columns([3, 1], vertical_alignment="bottom")
    name = model.selectbox("Model", names, key=state.widget(state.AGAINST), accept_new_options=True)
    if button.button("Run and compare", type="primary", width="stretch") and name:
        compare_with(run, name)
    show_context(run)


def compare_with(run: Run, name: str) -> None:
    """Ask that model the same, and show both runs side by side."""
    try:
        both = playing.against(run, name)
    except (LabError, IndexerError) as error:
        told.error(error)
    else:
        run_menu.compare_runs(both)
