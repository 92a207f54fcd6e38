"""What the model was sent: the body of every call, piece by piece, raw, and what came back."""

from __future__ import annotations

from html import escape

import streamlit as st

from lab.html.context import described, pieces_html, without_response
from lab.steps import Step, Turn


def show_context(turn: Turn) -> None:
    """A step to choose, and its request and response."""
    steps = [step for step in turn.steps if step.request.body]
    if not steps:
        return
    st.subheader("What the model was sent", anchor=False)
    places = list(range(len(steps)))
    chosen = st.segmented_control(
        "At step",
        places,
        default=places[-1],
        format_func=lambda place: str(steps[place].number),
        required=True,
    )
    place = places[-1] if chosen is None else chosen
    step, before = steps[place], steps[place - 1] if place else None
    st.html(f"<p class='lab-note'>{escape(described(step))}</p>")
    messages, raw, response = st.tabs(["Messages", "Raw", "Response"])
    with messages:
        st.html(pieces_html(step, before))
    with raw:
        show_raw(step, f"step-{step.number}-request.json")
    with response:
        show_response(step)


def show_raw(step: Step, name: str) -> None:
    """The body's bytes, to copy or to keep."""
    st.download_button("Download", step.request.body.encode(), name, "application/json")
    st.code(step.request.body, language=None, wrap_lines=True, height=420)


def show_response(step: Step) -> None:
    """The body as received."""
    if step.exchange and step.exchange.response:
        st.code(step.exchange.response, language=None, wrap_lines=True, height=420)
    else:
        st.caption(without_response(step))
