"""The model of the visitor's own browser: a component that asks it, and brings what it writes.

Only a session that began a run, or took it over, lets its browser reply. What the browser says is
as untrusted as any model.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from lab.app import state
from lab.app.be import parking
from lab.elsewhere import Awaited, give_up, read_text, take
from lab.limits import TIME_IS_UP, seconds_left
from lab.models.catalog import BROWSER, ELSEWHERE, PERSON
from lab.models.turns import sendable
from lab.run import Run

FILES = Path(__file__).parent
HTML = (
    '<p role="status"></p><progress max="1" aria-label="Download" hidden></progress>'
    "<button hidden>Download the model</button>"
)
ERROR_CHARACTERS = 500
"""So much of what a browser says of a failure is kept."""


@cache
def component() -> ComponentRenderer:
    """The component, registered at first use."""
    css, js = ((FILES / name).read_text("utf-8") for name in ("browser.css", "browser.js"))
    return st.components.v2.component("lab_browser_model", html=HTML, css=css, js=js)


def show_browser_card() -> None:
    """Whether this browser has a model of its own, in words, and the way to download it."""
    with st.container(border=True, key="endpoint-browser"):
        st.html(
            "<div class='lab-endpoint'><h4>In your own browser</h4></div><p class='lab-where'>"
            f"<b>{BROWSER}</b>: the model that Chrome brings along. No key, no server, free; it "
            "runs on the device in front of you.</p>"
        )
        component()(key="browser-card", data={"key": "card", "request": None})


def show_waiting(runs: Sequence[Run]) -> None:
    """What has to be done for those of the shown runs that wait for a model elsewhere."""
    elsewhere = [run for run in runs if run.settings.model in ELSEWHERE]
    ids = [run.id for run in elsewhere]
    seen = parking.waiting(ids)
    if elsewhere:
        parking.look_out(ids, seen)  # also where none waits yet: its tools may be at work
    waiting = [(run, asked) for run, asked in zip(elsewhere, seen, strict=True) if asked]
    for run, _ in waiting:
        if run.settings.model == PERSON:
            show_person(run)
        elif run.id not in state.owned():
            show_offer(run)
    for run, asked in waiting:
        if run.settings.model == BROWSER and run.id in state.owned():
            show_model(run, asked)
            break  # one at a time: its seconds would else be those of its queue


def show_offer(run: Run) -> None:
    """The way to let this browser reply where another one began the run."""
    st.info("A run waits for the built-in model of the browser in which it was begun.")
    st.button("Let this browser reply", key=f"own-{run.id}", on_click=state.own, args=[run.id])


def show_person(run: Run) -> None:
    """The way to a run that waits for a person."""
    st.info("A run waits for a person to reply in the model's place.")
    # A link, no button: fragments that look again and again can undo a change of page.
    if page := state.page("Be the model"):
        st.page_link(page, label="Reply in its place", query_params={state.RUN: run.id})


def show_model(run: Run, asked: Awaited) -> None:
    """Ask this browser's model, and say how far that is."""
    key = f"browser-{run.id}"
    data = {
        "key": f"{run.id}:{asked.seq}",
        "run": run.id,
        "seq": asked.seq,
        "request": json.loads(asked.request.body),
        "seconds": seconds_left(run, run.settings.limits),
        "late": TIME_IS_UP,
    }
    component()(key=key, data=data, on_reply_change=lambda: came(run, st.session_state[key].reply))


def came(run: Run, told: Any) -> None:
    """Take what the browser told of a request. What is of another, or is no reply, is dropped."""
    match sendable(told):
        case {"run": run.id, "seq": int(seq), "seconds": int() | float() as took, **rest}:
            match rest:
                case {"text": str(text)}:
                    reply = read_text(text, run.conversation())
                    parking.bring(run.id, lambda run: take(run, seq, reply, took, text))
                case {"error": str(error)}:
                    why = error[:ERROR_CHARACTERS]
                    parking.bring(run.id, lambda run: give_up(run, seq, why, took))
