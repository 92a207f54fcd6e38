"""What the model was sent: the body of every call, piece by piece, raw, and what came back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from html import escape

import streamlit as st

from lab.app import state, told
from lab.html.bars import split_html
from lab.html.context import SO_FAR, described, pieces_html, without_response
from lab.html.picture import picture_html
from lab.html.tools import tools_html
from lab.origins import Spent, spent
from lab.paid import input_usd
from lab.parts import Part
from lab.run import Run
from lab.steps import Step, turns

HEIGHT = 420
"""Pixels of a box that holds a raw body."""


def show_context(run: Run) -> None:
    """The whole run as a picture, and a step to choose with its request and response."""
    asked = turns(run.events)
    if picture := picture_html(asked):
        st.subheader("The whole run", anchor=False)
        st.html(picture)
    sent = {number: with_request(turn.steps) for number, turn in enumerate(asked, 1)}
    numbers = [number for number, steps in sent.items() if steps]
    if not numbers:
        return
    st.subheader("What the model was sent", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        number = numbers[-1]
        if len(numbers) > 1:
            number = choose("Question", state.TURN, numbers, "question {}".format, run.id)
        steps = [step.number for step in sent[number]]
        step_number = choose("At step", state.STEP, steps, str, f"{run.id} {number}")
        words = st.text_input("Search inside", key="context-search", placeholder="words")
    before = [step for earlier in numbers if earlier < number for step in sent[earlier]]
    before += [step for step in sent[number] if step.number < step_number]
    step = next(step for step in sent[number] if step.number == step_number)
    show_step(step, before, run.settings.model, words.split())


def with_request(steps: Sequence[Step]) -> list[Step]:
    """The steps whose request can be read."""
    return [step for step in steps if step.request.body]


def choose(label: str, key: str, numbers: list[int], named: Callable[[int], str], of: str) -> int:
    """The number that stands in the address, or else the last; a click puts another there.

    A page that is drawn anew just when a click changes the address still brings the one before,
    so what was clicked is kept here too, by what the numbers are `of`.
    """
    said = st.query_params.get(key) or st.session_state.get(state.clicked(key, of), "")
    chosen = next((number for number in numbers if str(number) == said), numbers[-1])
    st.session_state[state.widget(key)] = chosen
    st.segmented_control(
        label,
        numbers,
        format_func=named,
        required=True,
        key=state.widget(key),
        on_change=put,
        args=[key, of],
    )
    return chosen


def put(key: str, of: str) -> None:
    """Let the address say what was chosen; the steps of another question are others."""
    if key == state.TURN:
        st.query_params.pop(state.STEP, None)
    said = str(st.session_state[state.widget(key)])
    st.query_params[key] = st.session_state[state.clicked(key, of)] = said


def show_step(step: Step, before: Sequence[Step], model: str, words: Sequence[str]) -> None:
    """One request and its response; `before` are all steps of the run before it."""
    st.html(f"<p class='lab-note'>{escape(described(step))}</p>")
    *_, so_far = spent([*before, step], lambda step: input_usd(step, model))
    earlier = before[-1] if before else None
    # Tracked, so that what was chosen stays through every redraw, and only that is sent.
    messages, tools, raw, response = st.tabs(
        ["Messages", "Tools", "Raw", "Response"], key="context-tab", on_change="rerun"
    )
    if messages.open:
        with messages:
            show_messages(step, earlier, so_far, words)
    if tools.open:
        tools.html(tools_html(step, so_far, words))
    if raw.open:
        with raw:
            show_raw(step)
    if response.open:
        with response:
            show_response(step)


def show_messages(
    step: Step, earlier: Step | None, so_far: Mapping[Part, Spent], words: Sequence[str]
) -> None:
    """The parts of the body, with what each takes."""
    st.html(split_html(step, earlier))
    st.html(pieces_html(step, earlier, so_far, words))
    st.caption(SO_FAR)


def show_raw(step: Step) -> None:
    """The body to copy or to keep: its bytes, or indented to be read."""
    name = f"step-{step.number}-request.json"
    body = step.request.body
    if st.toggle(
        "Indent it to be read",
        bool(state.get(state.INDENTED)),
        key=state.widget(state.INDENTED),
        on_change=state.keep,
        args=[state.INDENTED],
    ):
        body = json.dumps(json.loads(body), ensure_ascii=False, indent=2)
        st.caption("Indented by the lab; without it these are the bytes as sent.")
    show_code(body, name)


def show_response(step: Step) -> None:
    """The body as received."""
    if step.exchange and step.exchange.response:
        show_code(step.exchange.response, f"step-{step.number}-response.txt")
    else:
        told.caption(without_response(step))


def show_code(text: str, name: str) -> None:
    """A text, with numbers where it has lines; what is copied or downloaded is what is shown."""
    st.download_button(
        "Download", text.encode(errors="replace"), name, key=f"keep-{name}", on_click="ignore"
    )
    lines = "\n" in text
    st.code(text, language=None, line_numbers=lines, wrap_lines=True, height=HEIGHT)
