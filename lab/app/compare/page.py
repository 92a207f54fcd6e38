"""The Compare page: one question, two to four columns side by side, and where they part."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

import streamlit as st

from lab import wording
from lab.app import registry, resources, state, told
from lab.app.ask.page import TICK_SECONDS
from lab.app.be.browser import show_waiting
from lab.app.compare import columns as drawing
from lab.app.compare import finished, repeating
from lab.app.compare.choosing import show_controls
from lab.app.compare.columns import Column
from lab.app.compare.heads import heads_html
from lab.app.compare.picks import SCRIPTS, pick_of
from lab.app.compare.strip import strip_html
from lab.app.head import opened
from lab.compare.known import Known, known_for
from lab.compare.summary import NAMES, summary
from lab.run import Run
from lab.steps import turns

CSS = Path(__file__).parent / "page.css"


def view() -> None:
    """Draw the page."""
    st.html(CSS)
    index = opened("Compare")
    if index is None:
        return
    ids = [column[: repeating.MOST] for column in state.compared_runs()[: len(NAMES)]]
    columns = found(ids)
    if columns:
        picks = tuple(pick_of(runs[0].settings, index) for runs in columns)
        question = turns(columns[0][0].events)[-1].question
        state.compare_with(question, picks, max(map(len, columns)))
    working = bool(repeating.progress([id for column in ids for id in column]))
    show_controls(index, working)
    told.show_kept()
    if sum(map(len, columns)) < sum(map(len, ids)):
        st.warning("Some of these runs are not here. They may have been made with another store.")
    if working:
        show_waiting([run for column in columns for run in column])
    if columns:
        st.fragment(show_columns, run_every=TICK_SECONDS if working else None)(ids, working)
    elif not ids:
        show_nothing_yet()


def found(ids: Sequence[Sequence[str]]) -> list[list[Run]]:
    """The runs of these ids that are here and were asked something; no column without one."""
    store = resources.store()
    columns = [[finished.find(id, store) for id in column] for column in ids]
    here = [[run for run in column if run and run.turn()] for column in columns]
    return [column for column in here if column]


def show_nothing_yet() -> None:
    """What a newcomer should know before the first comparison."""
    scripts = [pick.model for pick in state.picks()] == list(SCRIPTS)
    st.info(
        "No key needed: press Compare. One script looks things up before it calculates, the "
        "other does not. See where they part, and what that costs."
        if scripts
        else "Press Compare: all columns are asked at the same time, and where they part is named.",
        icon=":material/info:",
    )


def show_columns(ids: Sequence[Sequence[str]], working: bool) -> None:
    """The question and all that is to be seen of its runs; drawn again until they are done."""
    going = repeating.progress([id for column in ids for id in column])
    columns = found(ids)
    if not columns or (working and not going):
        st.rerun()
    questions = list(dict.fromkeys(turns(run.events)[-1].question for of in columns for run in of))
    known = known_for(questions[0]) if len(questions) == 1 and of_sample(columns) else None
    with st.container():  # whatever comes and goes in it, what is below keeps its place
        show_above(columns, questions, going)
    with st.container(key="compared", gap="small"):
        show_compared(columns, known)


def of_sample(columns: Sequence[Sequence[Run]]) -> bool:
    """True where all runs searched the sample site, of which answers are known."""
    return not any(run.settings.index for column in columns for run in column)


def show_above(columns: Sequence[Sequence[Run]], questions: Sequence[str], going: str) -> None:
    """The question, what is wrong with the runs, how far they are, and which of them is shown."""
    runs = [run for column in columns for run in column]
    for question in questions:
        st.html(f"<h2 class='lab-question'>{escape(wording.printable(question))}</h2>")
    if len(questions) > 1:
        st.warning("These runs were asked different questions.")
    for why in filter(None, dict.fromkeys(resources.index_of(run)[1] for run in runs)):
        told.warning(f"Some sources cannot be shown: {why}")
    for fault in filter(None, dict.fromkeys(map(fault_of, runs))):
        told.error(f"The lab had to stop a run: {fault}")
    if going:
        st.html(f"<p class='lab-note'>{escape(going)}</p>")
    show_repeat(max(map(len, columns)))


def fault_of(run: Run) -> str:
    """What kept the lab itself from going on with a run; empty where nothing did."""
    runner = registry.runner(run.id)
    return str(runner.error) if runner and runner.error else ""


def show_compared(found: Sequence[Sequence[Run]], known: Known | None) -> None:
    """The columns: heads, measures, where they part, steps, and tokens by step."""
    shown = str(state.get(state.SHOWN_COLUMN, NAMES[0]))
    shown = shown if shown in NAMES[: len(found)] else NAMES[0]
    columns = [column(name, of, known, shown) for name, of in zip(NAMES, found, strict=False)]
    parted = drawing.parted(columns)
    st.html(heads_html(columns))
    st.html(strip_html([one.runs for one in columns], NAMES[: len(columns)], known))
    with st.container(key="parting", gap="small"):  # on a narrow screen it stays in view
        show_switch(NAMES[: len(columns)], shown)
        st.html(drawing.sentence_html(columns, parted) or "<p></p>")
    with st.container(key="compared-steps", gap=None):  # one by one: what is open stays open
        for row in drawing.rows_html(columns, parted):
            st.html(row)
    st.html(drawing.multiples_html(columns) or "<p></p>")


def show_switch(names: str, shown: str) -> None:
    """Which column a narrow screen shows; wide ones show all, and not this."""
    st.segmented_control(
        "Column",
        list(names),
        default=shown,
        required=True,
        key=state.widget(state.SHOWN_COLUMN),
        on_change=state.keep,
        args=[state.SHOWN_COLUMN],
        label_visibility="collapsed",
        width="stretch",
    )


def show_repeat(repeats: int) -> None:
    """Which of the repeats is shown step by step."""
    if repeats < 2:
        return
    st.segmented_control(
        "Run shown step by step",
        range(1, repeats + 1),
        default=min(repeat(), repeats),
        required=True,
        key=state.widget(state.SHOWN_REPEAT),
        on_change=state.keep,
        args=[state.SHOWN_REPEAT],
    )


def repeat() -> int:
    """The number of the repeat that is shown; 1 for the first."""
    return int(state.get(state.SHOWN_REPEAT, 1))


def column(name: str, runs: Sequence[Run], known: Known | None, shown: str) -> Column:
    """What is shown of one column."""
    place = min(repeat(), len(runs)) - 1
    run = runs[place]
    runner = registry.runner(run.id)
    working = runner is not None and runner.working
    index, _ = resources.index_of(run)
    asked = turns(run.events)
    return Column(
        name=name,
        runs=tuple(summary(one, known if not one.settings.index else None) for one in runs),
        place=place,
        settings=run.settings,
        turn=asked[-1],
        steps=finished.steps_of(run, asked[-1], len(asked), working),
        working=working,
        waiting=isinstance(runner, repeating.InTurn) and runner.waiting,
        get=index.get if index else unknown,
        hidden=name != shown,
    )


def unknown(_: str) -> None:
    """The passage of an id, where there is no index to look it up in."""
