"""The controls of the Compare page: the question, a card for each column, and how often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from indexer.index import Index
from lab.app import resources, state, suggestions
from lab.app.ask.at_most import ASSUMED, case_of
from lab.app.compare import comparing, repeating
from lab.app.compare.column_card import choose, show_card
from lab.app.compare.picks import Pick, ready_made, usual
from lab.app.compare.saved import saved_runs
from lab.app.question_box import question_box
from lab.app.told import literal
from lab.compare.repeats import FEWEST
from lab.compare.summary import NAMES
from lab.errors import LabError
from lab.messages import Conversation, Question, ToolSchema
from lab.models.catalog import is_standin
from lab.prepare import settings_for
from lab.tools.site import site_tools
from lab.worst_case import together, words


def show_controls(index: Index, working: bool) -> None:
    """The question, ready-made sets of columns, the columns, and Compare or Stop."""
    names = resources.model_names()
    picks = state.picks(usual(names))
    st.session_state.setdefault(state.PICKS, picks)
    with st.container(border=True, key="comparing"):
        show_question(index)
        with st.container(horizontal=True, gap="small", key="ready-made"):
            show_examples()
            for label, made in ready_made(picks, names, index.site.name).items():
                st.button(
                    literal(label),
                    on_click=choose,
                    args=[made],
                    key=f"made-{label}",
                    type="tertiary",
                )
        saved, tools = saved_runs(asked()), site_tools(index).schemas()
        for place, column in enumerate(st.columns(len(picks), gap="small")):
            with column.container(gap=None, key=f"card-{place}"):
                show_card(place, picks, names, saved, tools)
        show_start(picks, tools, working)


def show_question(index: Index) -> None:
    """The question box."""
    key = state.widget(state.COMPARED_QUESTION)
    st.session_state.setdefault(key, asked())
    question_box(key, index, on_change=state.keep, args=[state.COMPARED_QUESTION])


def asked() -> str:
    """What is to be asked; without a question of its own, that of the Ask page."""
    on_the_ask_page = state.get(state.QUESTION, suggestions.first())
    return str(state.get(state.COMPARED_QUESTION, on_the_ask_page))


def show_examples() -> None:
    """Questions to which the answer is known."""
    if not suggestions.known():
        return
    with st.popover("Questions with a known answer", type="tertiary", key="known-questions"):
        for place, question in enumerate(suggestions.known()):
            st.button(
                literal(question),
                key=f"known-{place}",
                on_click=state.fill,
                args=[state.COMPARED_QUESTION, question],
                type="tertiary",
            )


def show_start(picks: Sequence[Pick], tools: tuple[ToolSchema, ...], working: bool) -> None:
    """Another column, the limits, the repeats, what that comes to, and Compare or Stop."""
    with st.container(key="starting"):
        more, limits, often, told, button = st.columns(
            [2, 2, 2, 4, 2], vertical_alignment="bottom", gap="small"
        )
    added = (*picks, replace(picks[-1], run=""))
    more.button(
        "Add column",
        on_click=choose,
        args=[added],
        disabled=len(picks) == len(NAMES),
        width="stretch",
    )
    with limits, st.popover("Limits", width="stretch"):
        show_number("Steps at most", state.COMPARED_STEPS, comparing.steps(), 50)
        show_number("Seconds at most", state.COMPARED_SECONDS, comparing.seconds(), 3600)
    with often:
        show_number("Runs of each", state.REPEATS, comparing.repeats(), repeating.MOST)
    cost = at_most(picks, tools)
    told.caption(literal(estimate(picks, cost)), help=ASSUMED if cost else None)
    if working:
        button.button("■ Stop", on_click=comparing.stop, width="stretch")
    else:
        button.button(
            "Compare",
            on_click=comparing.compare,
            type="primary",
            width="stretch",
            shortcut="Ctrl+Enter",
        )


def show_number(label: str, name: str, value: int, most: int) -> None:
    """A whole number from 1 on, which is kept."""
    st.session_state.setdefault(state.widget(name), value)
    st.number_input(label, 1, most, key=state.widget(name), on_change=state.keep, args=[name])


def estimate(picks: Sequence[Pick], cost: str) -> str:
    """What pressing Compare comes to; `cost` says what it may cost."""
    models = sum(not pick.run for pick in picks)
    runs, steps = models * comparing.repeats(), comparing.steps()
    if not runs:
        return "No new run: saved ones are compared."
    few = f" From {FEWEST} runs of each on, medians have intervals." if runs > models else ""
    return (
        f"{runs} new {'run' if runs == 1 else 'runs'}, at most {runs * steps:,} model calls"
        f"{f', {cost}' if cost else ''}.{few}"
    )


def at_most(picks: Sequence[Pick], tools: tuple[ToolSchema, ...]) -> str:
    """What all new runs may cost at most; empty where no model is called, or one cannot be."""
    called = [p for p in picks if p.model and not p.run and not is_standin(p.model)]
    if not called:
        return ""
    index, asking = resources.index(), (Question(asked()),)
    cases = []
    for pick in called:
        try:
            settings = settings_for(comparing.choice_of(pick), index, tools)
        except LabError:  # pressing Compare says what is wrong
            return ""
        case = case_of(settings, Conversation(settings.system, settings.tools, asking), index)
        if case is None:
            return ""
        cases += [case] * comparing.repeats()
    return words(together(cases))
