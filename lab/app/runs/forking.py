"""The form that changes the event shown, and what its button does: run on from there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import streamlit as st

from lab.app import registry, resources, state, told
from lab.app.ask import actions
from lab.app.told import literal
from lab.elsewhere import runner_for
from lab.events import Asked, ModelAsked, ModelReplied, RunStarted, ToolFinished, started
from lab.forks.edits import (
    Edit,
    NewAnswer,
    NewArguments,
    NewDescription,
    NewModel,
    NewQuestion,
    NewResult,
    NewSystem,
)
from lab.forks.forked import shown
from lab.forks.forking import begin, name_of, planned
from lab.messages import Reply
from lab.models.catalog import PERSON, PROTOCOLS, SCRIPT, is_standin
from lab.run import Run
from lab.settings import Settings
from lab.tools.site import site_tools

Made: TypeAlias = Callable[[], Edit]
"""Reads what stands in the form when its button is pressed."""

NOTHING = (
    "Nothing can be changed here. Go to the start, the question, a request, a reply, or a "
    "tool's result."
)


def show_fork(run: Run, at: int) -> None:
    """The form for the event at which the run is shown."""
    st.subheader("Change this and run on", anchor=False)
    with st.container(key="fork"):
        made = show_fields(run, at)
        if made is None:
            st.caption(NOTHING)
            return
        st.caption(literal(consequence(run, at)))
        st.button(
            "Run on from here",
            type="primary",
            key="run-on",
            on_click=run_on,
            args=[run, at, made],
            icon=":material/fork_right:",
        )


def consequence(run: Run, at: int) -> str:
    """What will come of it, before it is done."""
    said = (
        "It becomes a run of its own: what came before is taken over, the rest is done anew."
        if at
        else "It becomes a run of its own, done anew from the first request."
    )
    if run.settings.model.startswith(SCRIPT):
        return f"{said} A script plays on as it was written, whatever is changed."
    return said if is_standin(run.settings.model) else f"{said} New requests cost as usual."


def show_fields(run: Run, at: int) -> Made | None:
    """What can be changed of that event; None where nothing can."""
    key = f"fork-{run.id}-{at}"
    match run.events[at]:
        case RunStarted(settings):
            return fields_of_start(settings, key)
        case Asked(question):
            st.text_area("Another question", question, key=key)
            return lambda: NewQuestion(written(key))
        case ModelAsked():
            return fields_of_model(run.settings, key)
        case ModelReplied(_, reply) if reply.calls:
            return fields_of_calls(reply, key)
        case ModelReplied(_, reply):
            st.text_area("Another answer", reply.text, key=key, height=200)
            return lambda: NewAnswer(written(key))
        case ToolFinished(call_id, content, failed) if started(call_id, run.events[:at]):
            name = name_of(run, call_id)
            st.text_area(f"Another result of {literal(name)}", content, key=key, height=260)
            st.checkbox("The result is an error", failed, key=f"{key}-failed")
            return lambda: NewResult(written(key), bool(st.session_state[f"{key}-failed"]))
    return None


def fields_of_start(settings: Settings, key: str) -> Made:
    """One of all that a run is started with."""
    descriptions = {f"Description of {tool.name}": tool for tool in settings.tools}
    options = ["Model", "System prompt", *descriptions]
    what = st.selectbox("What to change", options, key=f"{key}-what")
    if what == "Model":
        return fields_of_model(settings, key)
    if tool := descriptions.get(what):
        text = f"{key}-{tool.name}"
        st.text_area(literal(what), tool.description, key=text, height=200)
        return lambda: NewDescription(tool.name, written(text))
    st.text_area("System prompt", settings.system, key=f"{key}-system", height=260)
    return lambda: NewSystem(written(f"{key}-system"))


def fields_of_model(settings: Settings, key: str) -> Made:
    """Another model, and how it calls tools."""
    names = resources.model_names()
    names += [name for name in dict.fromkeys((PERSON, settings.model)) if name not in names]
    model, calls = st.columns([3, 2])
    model.selectbox(
        "Another model",
        names,
        index=names.index(settings.model),
        key=f"{key}-model",
        accept_new_options=True,
        help="person is you: you reply in the model's place, on the page Be the model.",
    )
    calls.selectbox("Tool calls", PROTOCOLS, key=f"{key}-protocol")

    def made() -> NewModel:
        name = written(f"{key}-model")
        address = settings.base_url if name == settings.model else resources.address_for(name)
        return NewModel(name, written(f"{key}-protocol"), address)

    return made


def fields_of_calls(reply: Reply, key: str) -> Made:
    """The arguments of one of a reply's calls."""
    calls = {f"{place}: {call.name}": call for place, call in enumerate(reply.calls, 1)}
    chosen = next(iter(calls))
    if len(calls) > 1:
        chosen = st.selectbox("Call", list(calls), key=f"{key}-call")
    call = calls[chosen]
    text = f"{key}-{call.id}"
    given = call.raw if call.arguments is None else shown(call.arguments)
    st.text_area(
        f"Other arguments of {literal(call.name)}, a JSON object", given, key=text, height=160
    )
    return lambda: NewArguments(written(text), call.id)


def written(key: str) -> str:
    """What stands in a field."""
    return str(st.session_state[key])


def run_on(parent: Run, at: int, made: Made) -> None:
    """Fork the run and let it go on. Pressed twice it is forked once."""
    with told.kept("This run cannot be forked so: "):
        index, store = resources.searched(parent.settings), resources.store()
        plan = planned(parent, at, made(), index)
        model, _ = actions.opened(plan.settings)
        tools, limits = site_tools(index), plan.settings.limits
        record = state.begun(state.FORKED)
        with record.turn:
            if record.shown:
                fork = begin(store, plan)
                registry.begin(fork, lambda run: runner_for(run, model, tools, limits))
                record.run, record.shown = f"{parent.id},{fork.id}", False
        state.own(record.run.partition(",")[2])


def forked() -> list[str]:
    """A run and the fork of it that was begun just now, to be shown once."""
    record = state.begun(state.FORKED)
    with record.turn:
        ids = [] if record.shown else record.run.split(",")
        record.shown = True
    return ids
