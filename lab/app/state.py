"""Every key of this browser session's state, and of the page's address, in one place.

Values live in keys that no widget owns, so they outlast a change of page.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

import streamlit as st

RUN = "run"
"""In the address: the id of the run that is shown."""
RUNS = "runs"
"""In the address: the ids of the runs that stand side by side, with commas between them."""
QUESTION = "question"
"""What stands in the question box."""
MODEL = "model"
MODELS = "models"
"""The models to compare, in the order of their columns."""
PROTOCOL = "protocol"
STEPS = "steps"
SECONDS = "seconds"
BEGUN = "begun"
"""The run that this session began last."""
COMPARED_QUESTION = "compared question"
"""What stands in the question box of the Compare page; a widget's key is for one page alone."""
COMPARED = "compared"
"""The runs that this session began last side by side."""
QUERY = "q"
"""In the address and kept: the query of the Search page."""
ARTICLE = "article"
"""Slug of the article whose passages the Search page lists."""
RUNS_TEXT = "runs-text"
"""What the questions listed on the Runs page must hold."""
RUNS_MODEL = "runs-model"
RUNS_END = "runs-end"
RUNS_LISTED = "runs-listed"
"""How many runs the Runs page lists at most."""
FAULT = "fault"
"""What was wrong with the last thing asked for; shown once."""


@dataclass(slots=True)
class Begun:
    """The run that a session began last.

    Changed in place, in turn: two clicks in quick succession run two scripts of one session at
    once, and each access to the session's state lets the newer break the older one off.
    """

    run: str = ""
    """Its id, or several with commas between them; empty for none."""
    shown: bool = True
    """False until the page shows it."""
    turn: threading.Lock = field(default_factory=threading.Lock)


def begun(key: str = BEGUN) -> Begun:
    """The session's own record, which lasts."""
    record: Begun = st.session_state.setdefault(key, Begun())
    return record


def get(key: str, default: str | int = "") -> str | int:
    """The kept value of a key."""
    value: str | int = st.session_state.get(key, default)
    return value


def keep(*keys: str) -> None:
    """Copy what the widgets of these keys hold into the keys that last."""
    for key in keys:
        if widget(key) in st.session_state:
            st.session_state[key] = st.session_state[widget(key)]


def chosen_models(default: list[str]) -> list[str]:
    """The models to compare."""
    names: list[str] = st.session_state.get(MODELS, default)
    return list(names)


def compare_with(question: str, models: list[str]) -> None:
    """Let the controls say what the shown runs were asked, where nothing was chosen yet."""
    if MODELS not in st.session_state:
        st.session_state[MODELS] = models
        st.session_state.setdefault(COMPARED_QUESTION, question)


def begin_with(question: str, model: str, protocol: str) -> None:
    """Let the controls say what the shown run was asked, where nothing was chosen yet."""
    if QUESTION not in st.session_state:
        st.session_state.update({QUESTION: question, MODEL: model, PROTOCOL: protocol})


def widget(key: str) -> str:
    """The key of the widget that edits a value."""
    return f"widget:{key}"


def shown_run() -> str:
    """The id of the run that is shown; empty for none. One just begun is shown from now on."""
    if not begun().shown:
        show_run(begun().run)
        begun().shown = True
    return str(st.query_params.get(RUN, ""))


def show_run(id: str) -> None:
    """Show another run from now on; its id stands in the address."""
    st.query_params[RUN] = id


def query() -> str:
    """The query of the Search page, from the address; one who comes back finds the last again."""
    arrived = widget(QUERY) not in st.session_state
    if arrived and QUERY not in st.query_params and get(QUERY):
        st.query_params[QUERY] = str(get(QUERY))
    text = str(st.query_params.get(QUERY, ""))
    if st.session_state.get(widget(QUERY)) != text:
        st.session_state[widget(QUERY)] = text
    st.session_state[QUERY] = text
    return text


def show_query(text: str) -> None:
    """Search for this from now on; it stands in the address."""
    st.session_state[QUERY] = text
    if text:
        st.query_params[QUERY] = text
    else:
        st.query_params.pop(QUERY, None)


def compared_runs() -> list[str]:
    """The ids of the runs side by side, each once. One who comes back finds the last again."""
    record = begun(COMPARED)
    with record.turn:
        if record.run and not (record.shown and RUNS in st.query_params):
            st.query_params[RUNS] = record.run
            record.shown = True
        record.run = str(st.query_params.get(RUNS, ""))
    return [id for id in dict.fromkeys(record.run.split(",")) if id]
