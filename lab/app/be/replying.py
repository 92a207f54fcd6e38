"""A person's reply in the model's place: tool calls with arguments, or an answer."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st

from lab.app import state, told
from lab.app.be import parking
from lab.app.be.fields import Field, Value, arguments_of, fields_of, skeleton
from lab.app.told import literal
from lab.elsewhere import REPLY_CHARACTERS, played, take
from lab.messages import Reply, ToolCall, ToolSchema
from lab.models.turns import read_call
from lab.prepare import InputError
from lab.run import Run

CALL, ANSWER = "Call tools", "Answer"
MOST_CALLS = 5


def show_reply(run: Run, seq: int) -> None:
    """Everything a model can do with request `seq`, and the button that does it."""
    at = key(run, seq)
    kind = st.radio("Your reply", (CALL, ANSWER), key=f"{at}:kind", horizontal=True)
    if kind == ANSWER:
        st.text_area(
            "The answer",
            key=f"{at}:answer",
            max_chars=REPLY_CHARACTERS,
            help="It ends the question. Name passages in square brackets, as in [notes#costs].",
        )
    else:
        show_calls(run.settings.tools, at)
    # Of this request alone: a second click that comes late must not answer the next one.
    st.button("Reply", key=f"{at}:reply", type="primary", on_click=reply, args=[run, seq])


def show_calls(tools: Sequence[ToolSchema], at: str) -> None:
    """The calls of one reply; they run in their order, and their results go back together."""
    count = calls_in(at)
    for place in range(count):
        with st.container(border=True):
            show_call(tools, f"{at}:{place}")
    with st.container(horizontal=True):
        if count < MOST_CALLS:
            st.button("Add another call", on_click=set_calls, args=[at, count + 1], type="tertiary")
        if count > 1:
            st.button("Remove the last", on_click=set_calls, args=[at, count - 1], type="tertiary")


def show_call(tools: Sequence[ToolSchema], at: str) -> None:
    """One call: the tool, and its arguments as fields or as JSON."""
    name = st.selectbox(
        "Tool",
        [tool.name for tool in tools],
        key=f"{at}:tool",
        accept_new_options=True,
        help="A model may write any name. One that is no tool comes back as an error.",
    )
    tool = named(tools, name)
    fields = fields_of(tool) if tool else None
    if tool:
        paragraphs = (" ".join(part.split()) for part in tool.description.split("\n\n"))
        st.html("".join(f"<p class='lab-about'>{escape(part)}</p>" for part in paragraphs))
    if fields is None or st.toggle(
        "Arguments as JSON", key=f"{at}:raw", help="As a model writes them, mistakes included."
    ):
        text = f"{at}:{name}:json"
        st.text_area("Arguments", skeleton(fields), key=text, max_chars=REPLY_CHARACTERS)
        return
    for field in fields:
        show_field(field, f"{at}:{name}:{field.name}")


def show_field(field: Field, key: str) -> None:
    """One parameter; what is optional may be left empty, and is not given then."""
    kind = field.kind if field.required else f"{field.kind}, optional"
    st.html(
        f"<p class='lab-field'><b>{escape(field.name)}</b> <span>{kind}</span><br>"
        f"{escape(field.description)}</p>"
    )
    empty = None if field.default is None else f"{field.default} if left empty"
    match field.kind:
        case "boolean":
            st.checkbox(literal(field.name), bool(field.default), key=key)
        case "string":
            st.text_input(
                literal(field.name), key=key, placeholder=empty, label_visibility="collapsed"
            )
        case kind:
            step = 1 if kind == "integer" else None
            st.number_input(
                literal(field.name),
                value=None,
                step=step,
                key=key,
                placeholder=empty,
                label_visibility="collapsed",
            )


def reply(run: Run, seq: int) -> None:
    """Take what was written as the model's reply. Pressed twice it counts once."""
    at = key(run, seq)
    with told.kept():
        said = written(run, at)
        parking.bring(run.id, lambda run: take(run, seq, said))


def written(run: Run, at: str) -> Reply:
    """The reply as it was written. InputError where it is an empty answer."""
    if st.session_state.get(f"{at}:kind") == ANSWER:
        text = str(st.session_state.get(f"{at}:answer", "")).strip()
        if not text:
            raise InputError("The answer is empty. Write it in words, or call a tool.")
        return played(text, (), run.conversation())
    tools = run.settings.tools
    calls = [call_written(tools, f"{at}:{place}") for place in range(calls_in(at))]
    return played("", calls, run.conversation())


def call_written(tools: Sequence[ToolSchema], at: str) -> ToolCall:
    """One call as it was written; what is wrong in it the tools will tell."""
    held = st.session_state
    name = held.get(f"{at}:tool") or ""
    tool = named(tools, name)
    fields = fields_of(tool) if tool else None
    if fields is None or held.get(f"{at}:raw"):
        return read_call("", name, held.get(f"{at}:{name}:json", ""))
    values: dict[str, Value] = {
        field.name: held.get(f"{at}:{name}:{field.name}") for field in fields
    }
    return read_call("", name, arguments_of(fields, values))


def named(tools: Sequence[ToolSchema], name: str | None) -> ToolSchema | None:
    """The tool of that name; None where there is none."""
    return next((tool for tool in tools if tool.name == name), None)


def key(run: Run, seq: int) -> str:
    """What the keys of one reply's widgets begin with; every request has its own, empty ones."""
    return state.widget(f"reply:{run.id}:{seq}")


def calls_in(at: str) -> int:
    """How many calls the reply being written holds."""
    reply, count = st.session_state.get(state.CALLS, ("", 1))
    return int(count) if reply == at else 1


def set_calls(at: str, count: int) -> None:
    """Let it hold more or fewer."""
    st.session_state[state.CALLS] = (at, count)
