"""Every key of this browser session's state, and of the page's address, in one place.

Values live in keys that no widget owns, so they outlast a change of page.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

import streamlit as st

RUN = "run"
"""In the address: the id of the run that is shown."""
QUESTION = "question"
"""What stands in the question box."""
MODEL = "model"
PROTOCOL = "protocol"
STEPS = "steps"
SECONDS = "seconds"
BEGUN = "begun"
"""The run that this session began last."""
FAULT = "fault"
"""What was wrong with the last thing asked for; shown once."""


@dataclass(slots=True)
class Begun:
    """The run that a session began last.

    Changed in place, in turn: two clicks in quick succession run two scripts of one session at
    once, and each access to the session's state lets the newer break the older one off.
    """

    run: str = ""
    """Its id; empty for none."""
    shown: bool = True
    """False until the page shows it."""
    turn: threading.Lock = field(default_factory=threading.Lock)


def begun() -> Begun:
    """The session's own record, which lasts."""
    record: Begun = st.session_state.setdefault(BEGUN, Begun())
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
