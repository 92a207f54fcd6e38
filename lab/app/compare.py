"""The Compare page: one question, two to four models side by side, and where they part."""

from __future__ import annotations

from html import escape
from pathlib import Path

import streamlit as st

from indexer.errors import IndexerError
from lab.app import comparing, registry, resources, state
from lab.app.ask import TICK_SECONDS, index_of
from lab.app.columns import Column, comparison_html
from lab.app.controls import DEFAULT_QUESTION, show_limits
from lab.compare import NAMES, summary
from lab.errors import LabError
from lab.known import Known, known_for
from lab.run import Run
from lab.steps import turns

CSS = Path(__file__).parent / "compare.css"
HOSTED = ["anthropic/claude-sonnet-5", "anthropic/claude-haiku-4-5"]
SCRIPTS = ["scripted:careful", "scripted:hasty"]


def view() -> None:
    """Draw the page."""
    st.html(CSS)
    try:
        index = resources.index()
        store = resources.store()
    except (LabError, IndexerError) as error:
        st.error(str(error))
        return
    st.html(
        f"<div class='lab-head'><h1>Compare models</h1><span>{escape(index.site.name)}, "
        f"{len(index.passages):,} passages</span></div>"
    )
    ids = state.compared_runs()
    found = [registry.find(id, store) for id in ids[: len(NAMES)]]
    runs = [run for run in found if run and run.turn()]
    if runs:
        question = turns(runs[0].events)[-1].question
        state.compare_with(question, [run.settings.model for run in runs])
    working = any_working(runs)
    show_controls(working)
    if fault := st.session_state.pop(state.FAULT, ""):
        st.error(fault)
    if len(runs) < len(ids):
        st.warning("Some of these runs are not here. They may have been made with another store.")
    if working:
        show_live([run.id for run in runs])
    elif runs:
        show_runs(runs)
    elif not ids:
        show_nothing_yet()


def show_controls(working: bool) -> None:
    """The question, the models, the limits, and Compare or Stop."""
    with st.form("compare", border=True):
        asked = state.get(state.QUESTION, DEFAULT_QUESTION)  # on the Ask page
        key = state.widget(state.COMPARED_QUESTION)
        st.session_state.setdefault(key, state.get(state.COMPARED_QUESTION, asked))
        st.text_area("Question", key=key, height=68, label_visibility="collapsed")
        models, more, button = st.columns([3, 2, 1], vertical_alignment="bottom")
        with models:
            show_models()
        with more, st.popover("Protocol and limits", width="stretch"):
            show_limits()
        with button:
            if working:
                st.form_submit_button("■ Stop", on_click=comparing.stop, width="stretch")
            else:
                st.form_submit_button(
                    "Compare", on_click=comparing.compare, type="primary", width="stretch"
                )


def show_models() -> None:
    """The models to compare, by name; any name may be typed."""
    names = resources.model_names()
    usual = HOSTED if set(HOSTED) <= set(names) else SCRIPTS
    key = state.widget(state.MODELS)
    st.session_state.setdefault(key, list(dict.fromkeys(state.chosen_models(usual))))
    chosen = st.session_state[key]
    st.multiselect(
        "Models",
        names + [name for name in chosen if name not in names],
        key=key,
        max_selections=len(NAMES),
        accept_new_options=True,
        help="Two to four, in the order of their columns. demo and scripted need no key. "
        "Others are ENDPOINT/MODEL, such as ollama/llama3.1:8b.",
    )


def show_nothing_yet() -> None:
    """What a newcomer should know before the first comparison."""
    st.info(
        "No key needed: press Compare. One script looks things up before it calculates, the "
        "other does not. See where they part, and what that costs.",
        icon=":material/info:",
    )


def any_working(runs: list[Run]) -> bool:
    """True while one of the runs advances in this process."""
    runners = [registry.runner(run.id) for run in runs]
    return any(runner is not None and runner.working for runner in runners)


@st.fragment(run_every=TICK_SECONDS)
def show_live(ids: list[str]) -> None:
    """Runs under way; looks again and again until all are done."""
    found = [registry.find(id, resources.store()) for id in ids]
    runs = [run for run in found if run]
    if not any_working(runs):
        st.rerun()
    show_runs(runs)


def show_runs(runs: list[Run]) -> None:
    """The question and all that is to be seen of its runs."""
    questions = list(dict.fromkeys(turns(run.events)[-1].question for run in runs))
    for question in questions:
        st.html(f"<h2 class='lab-question'>{escape(question)}</h2>")
    if len(questions) > 1:
        st.warning("These runs were asked different questions.")
    for run in runs:
        runner = registry.runner(run.id)
        if runner and runner.error:
            st.error(f"The lab had to stop a run: {runner.error}")
    known = known_for(questions[0]) if len(questions) == 1 else None
    columns = [column(name, run, known) for name, run in zip(NAMES, runs, strict=False)]
    st.html(comparison_html(columns, known))


def column(name: str, run: Run, known: Known | None) -> Column:
    """What is shown of one run."""
    own = known if not run.settings.index else None
    return Column(
        name=name,
        summary=summary(run, own),
        turn=turns(run.events)[-1],
        working=any_working([run]),
        streamed=run.streamed,
        get=index_of(run).get,
    )
