"""The box for a further question in the run that is shown."""

from __future__ import annotations

import streamlit as st

from indexer.index import Index
from lab.app import state
from lab.app.ask import actions, at_most
from lab.html.line import line_html
from lab.messages import Conversation, Question
from lab.models.catalog import SCRIPT
from lab.models.scripted import SHIPPED
from lab.run import Run
from lab.steps import turns


def show_follow_up(run: Run, index: Index) -> None:
    """The box, once the newest question has its end."""
    model = run.settings.model
    if not run.turn_is_over():
        return
    if model.removeprefix(SCRIPT) in SHIPPED:
        note("This script ends here: it has no reply to a further question. demo and models have.")
        return
    asked = len(turns(run.events))
    with st.container(key="follow-up"):
        st.chat_input(
            "Ask a follow-up",
            key=state.widget(f"{state.FOLLOW_UP}:{run.id}:{asked}"),
            on_submit=actions.follow_up,
            args=[run, asked],
        )
    note(
        f"A follow-up goes on in this run: all that was said is sent again as it was, so {model}, "
        "the prompts, the tools and the limits stay as they are, and the limits count afresh. "
        f"{most(run, index)} For another model, ask anew above."
    )


def most(run: Run, index: Index) -> str:
    """What the next question may cost at most, as a sentence."""
    said = run.conversation()
    asked = Conversation(said.system, said.tools, (*said.messages, Question("")))
    worst = at_most.of(run.settings, asked, index)
    return f"{worst[:1].upper()}{worst[1:]}." if worst else ""


def note(text: str) -> None:
    """A sentence in small print; what stands in it may come from anywhere."""
    st.html(f"<p class='lab-note lab-small'>{line_html(text)}</p>")
