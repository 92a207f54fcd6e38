"""The question box with everything that is chosen before a question is asked."""

from __future__ import annotations

from typing import Any

import streamlit as st

from indexer.index import Index
from lab.app import resources, state, suggestions
from lab.app.ask import actions, at_most, chosen
from lab.app.ask.prompting import show_chosen, show_prompts
from lab.app.question_box import question_box
from lab.app.told import literal
from lab.limits import several
from lab.models.catalog import PROTOCOLS


def show_controls(index: Index, working: bool) -> None:
    """The question, the model, the limits, the prompts, and Ask or Stop."""
    with st.container(border=True, key="ask-controls"):
        show_question(index, working)
        model, more, cost = st.columns([3, 2, 2], vertical_alignment="bottom")
        with model:
            show_models()
        with more, st.popover(literal(limits_label()), width="stretch", key="limits"):
            show_limits()
        with cost:
            asked = str(state.get(state.QUESTION, suggestions.first()))
            st.caption(literal(at_most.of_choice(asked, index)), help=at_most.ASSUMED)
        with st.expander("Prompts", key="prompts"):
            show_prompts(index)
        show_chosen()
    with st.container(horizontal=True, gap="small", key="examples"):
        for place, example in enumerate(suggestions.examples(index)):
            st.button(
                literal(example),
                key=f"example-{place}",
                on_click=state.fill,
                args=[state.QUESTION, example],
                type="tertiary",
            )


def show_question(index: Index, working: bool) -> None:
    """The question box and Ask; Stop in its place while a run is under way.

    A form of their own, so that what is asked is what stands in the box when Ask is pressed.
    """
    key = begun(state.QUESTION, state.get(state.QUESTION, suggestions.first()))
    with st.form("ask", border=False):
        question, button = st.columns([6, 1], vertical_alignment="bottom")
        with question:
            question_box(key, index)
        with button:
            if working:
                st.form_submit_button("■ Stop", on_click=actions.stop_shown, width="stretch")
            else:
                st.form_submit_button("Ask", on_click=actions.ask, type="primary", width="stretch")


def show_models() -> None:
    """The model to ask, by name; any name may be typed."""
    names, name = resources.model_names(), chosen.model()
    st.selectbox(
        "Model",
        names if name in names else [*names, name],
        key=begun(state.MODEL, name),
        on_change=state.keep,
        args=[state.MODEL],
        accept_new_options=True,
        help="demo and scripted need no key: the tools run for real, a stand-in plays the model. "
        "Others are ENDPOINT/MODEL, such as ollama/llama3.1:8b; keys are typed on the page "
        "Models, or come from the environment. browser/built-in is Chrome's built-in model.",
    )


def limits_label() -> str:
    """The protocol, the steps and another search as they are chosen; the rest is inside."""
    said = f"{chosen.protocol()} tool calls, up to {several(chosen.limits().steps, 'step')}"
    return f"{said}, by meaning too" if chosen.semantic() else said


def show_limits() -> None:
    """How tools are called, where a question stops, and whether the prompt cache is asked for."""
    st.selectbox(
        "Tool calls",
        PROTOCOLS,
        key=begun(state.PROTOCOL, chosen.protocol()),
        on_change=state.keep,
        args=[state.PROTOCOL],
        help="native: the model's own tool calling. react: calls as JSON text, for models without. "
        "auto: native, unless the model is known to have none.",
    )
    st.checkbox(
        "Prompt caching",
        key=begun(state.CACHE, bool(state.get(state.CACHE))),
        on_change=state.keep,
        args=[state.CACHE],
        help="Ask the endpoint to keep what it was sent, where that must be asked for: what is "
        "sent again with the next step is then read from its cache, at a lower price.",
    )
    st.checkbox(
        "Find by meaning too",
        key=begun(state.SEMANTIC, chosen.semantic()),
        on_change=state.keep,
        args=[state.SEMANTIC],
        help="search_site also finds passages that mean the same in other words. Needs the extra "
        "`semantic`; the first time, a vector is made for each passage, which takes a minute.",
    )
    st.caption("A question stops at the first limit it reaches. An empty field is no limit.")
    left, right = st.columns(2)
    with left:
        number("Steps", state.STEPS, min_value=1, max_value=1000)
        number("Tokens in", state.TOKENS_IN, min_value=1, step=1000)
        number("Seconds", state.SECONDS, min_value=0.1, step=10.0, format="%g")
    with right:
        number("Tool calls run", state.TOOL_CALLS, min_value=1)
        number("US dollars", state.COST, min_value=0.0001, step=0.01, format="%g")


def number(label: str, key: str, **bounds: Any) -> None:
    """A field for a limit; all but the steps may be emptied."""
    held = chosen.limit(key)
    st.number_input(
        label,
        value="min" if key == state.STEPS else None,
        key=begun(key, held),
        placeholder="no limit",
        on_change=state.keep,
        args=[key],
        **bounds,
    )


def begun(key: str, value: object) -> str:
    """The key of a value's widget, which begins with it; a widget is new after a change of page."""
    st.session_state.setdefault(state.widget(key), value)
    return state.widget(key)
