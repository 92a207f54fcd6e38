"""The question box with everything that is chosen before a question is asked."""

from __future__ import annotations

import streamlit as st

from lab.app import actions, resources, state
from lab.models.catalog import PROTOCOLS
from lab.settings import Limits

DEFAULT_QUESTION = "How much KV cache does Llama 3.1 8B need for one 32K-token conversation?"
EXAMPLES = (
    "What limits the step size in a narrow valley?",
    "Why is the whole conversation sent again at every step of an agent?",
    "How large a sample does an A/B test need?",
    "What fraction of memory did PagedAttention find in use?",
    "What is 2^10 * 1.5?",
)


def show_controls(working: bool) -> None:
    """The question, the model, the limits, and Ask or Stop."""
    with st.form("ask", border=True):
        kept = state.get(state.QUESTION, DEFAULT_QUESTION)
        st.session_state.setdefault(state.widget(state.QUESTION), kept)
        st.text_area(
            "Question",
            key=state.widget(state.QUESTION),
            height=68,
            label_visibility="collapsed",
        )
        model, more, button = st.columns([3, 2, 1], vertical_alignment="bottom")
        with model:
            show_models()
        with more, st.popover("Protocol and limits", width="stretch"):
            show_limits()
        with button:
            if working:
                st.form_submit_button("■ Stop", on_click=actions.stop, width="stretch")
            else:
                st.form_submit_button("Ask", on_click=actions.ask, type="primary", width="stretch")
    with st.container(horizontal=True, gap="small", key="examples"):
        for place, question in enumerate(EXAMPLES):
            st.button(
                question, key=f"example-{place}", on_click=fill, args=[question], type="tertiary"
            )


def show_models() -> None:
    """The model to ask, by name; any name may be typed."""
    names = resources.model_names()
    chosen = str(state.get(state.MODEL, names[0]))
    names += [] if chosen in names else [chosen]
    st.selectbox(
        "Model",
        names,
        index=names.index(chosen),
        key=state.widget(state.MODEL),
        accept_new_options=True,
        help="demo and scripted need no key: the tools run for real, a stand-in plays the model. "
        "Others are ENDPOINT/MODEL, such as ollama/llama3.1:8b; keys come from the environment.",
    )


def show_limits() -> None:
    """How tools are called, and where a question stops."""
    usual = Limits()
    st.selectbox(
        "Tool calls",
        PROTOCOLS,
        index=PROTOCOLS.index(str(state.get(state.PROTOCOL, PROTOCOLS[0]))),
        key=state.widget(state.PROTOCOL),
        help="native: the model's own tool calling. react: calls as JSON text, for models without.",
    )
    steps, seconds = state.get(state.STEPS, usual.steps), state.get(state.SECONDS, 300)
    st.number_input("Steps at most", 1, 50, int(steps), key=state.widget(state.STEPS))
    st.number_input("Seconds at most", 1, 3600, int(seconds), key=state.widget(state.SECONDS))


def fill(question: str) -> None:
    """Put an example into the question box."""
    st.session_state[state.widget(state.QUESTION)] = question
    state.keep(state.QUESTION)
