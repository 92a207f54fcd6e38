"""What the model is told before the question, to read and to edit."""

from __future__ import annotations

from html import escape

import streamlit as st

from indexer.index import Index
from lab.app import resources, state
from lab.app.ask import chosen
from lab.app.told import literal
from lab.changed import changed, phrases
from lab.prepare import cleaned, own_system
from lab.run import Run
from lab.tools.site import site_tools

SYSTEM_HEIGHT, TOOL_HEIGHT = 260, 120
"""Pixels of a text's field."""


def show_prompts(index: Index) -> None:
    """The system prompt and the description of every tool."""
    st.caption(
        "All that a model is told before the question, in the words it is told. It is sent again "
        "with every step. What is changed here is for the next question that is asked above."
    )
    show_text("", "System prompt", own_system(index), SYSTEM_HEIGHT)
    for tool in site_tools(index).schemas():
        show_text(tool.name, f"Description of {literal(tool.name)}", tool.description, TOOL_HEIGHT)


def show_chosen() -> None:
    """Say which prompts of the next question differ from the lab's own."""
    show_phrases(phrases(chosen.system(), chosen.descriptions()))


def show_text(name: str, label: str, own: str, height: int) -> None:
    """One text, with a way back to the lab's own where it differs. No name: the system prompt."""
    written = held(name)
    st.session_state.setdefault(widget(name), written or own)
    st.text_area(label, key=widget(name), height=height, on_change=keep, args=[name, own])
    if written:
        st.button(
            "Reset to default",
            key=f"reset:{name}",
            on_click=reset,
            args=[name, own],
            type="tertiary",
            icon=":material/undo:",
        )


def show_marks(run: Run) -> None:
    """Say which prompts of a run differ from the lab's own, as far as its site is at hand."""
    index, _ = resources.index_of(run)
    if index:
        show_phrases(changed(run.settings, index))


def show_phrases(said: list[str]) -> None:
    """Show what must not be overlooked."""
    if said:
        spans = "".join(f"<span>≠ {escape(phrase)}</span>" for phrase in said)
        st.html(f"<p class='lab-marks'>{spans}</p>")


def held(name: str) -> str:
    """The text that somebody wrote; empty where it is the lab's own."""
    return chosen.descriptions().get(name, "") if name else chosen.system()


def hold(name: str, text: str) -> None:
    """Keep a text for the next questions; empty for the lab's own."""
    if not name:
        st.session_state[state.SYSTEM] = text
    else:
        st.session_state[state.DESCRIPTIONS] = {**chosen.descriptions(), name: text}


def keep(name: str, own: str) -> None:
    """Keep what was written; nothing, or the lab's own again, is the lab's own."""
    text = cleaned(str(st.session_state[widget(name)]))
    if text in ("", own):
        reset(name, own)
    else:
        hold(name, text)


def reset(name: str, own: str) -> None:
    """Go back to the lab's own."""
    hold(name, "")
    st.session_state[widget(name)] = own


def widget(name: str) -> str:
    """The key of a text's field."""
    return state.widget(f"{state.DESCRIPTIONS}:{name}" if name else state.SYSTEM)
