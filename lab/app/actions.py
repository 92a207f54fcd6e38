"""What the buttons do: start a run, stop it, go on with it. Faults are kept to be shown."""

from __future__ import annotations

import streamlit as st

from indexer.errors import IndexerError
from lab.app import registry, resources, state
from lab.errors import LabError
from lab.prepare import Choice, InputError, checked_question, reopen, settings_for, start
from lab.run import Run
from lab.runner import Runner
from lab.settings import Limits
from lab.steps import turns
from lab.tools.site import site_tools


def ask() -> None:
    """Start a run on what the controls say, and show it. Pressed twice it starts one."""
    state.keep(state.QUESTION, state.MODEL, state.PROTOCOL, state.STEPS, state.SECONDS)
    limits = Limits(
        steps=int(state.get(state.STEPS, Limits().steps)),
        seconds=float(state.get(state.SECONDS, 300)),
    )
    name, protocol = str(state.get(state.MODEL)), str(state.get(state.PROTOCOL))
    choice = Choice(name, protocol, limits=limits)
    try:
        question = checked_question(str(state.get(state.QUESTION)))
        model = resources.opened(name, protocol)
        index = resources.index()
        tools = site_tools(index)
        settings, store = settings_for(choice, index, tools.schemas()), resources.store()
        begun = state.begun()
        with begun.turn:
            if not under_way(begun.run, question):
                run = start(store, settings, question)
                registry.begin(run, lambda run: Runner(run, model, tools, limits))
                begun.run = run.id
            begun.shown = False
    except (LabError, IndexerError) as error:
        st.session_state[state.FAULT] = str(error)


def under_way(id: str, question: str) -> bool:
    """True while that run works on that question."""
    known = registry.runner(id)
    return bool(known and known.working and turns(known.run.events)[-1].question == question)


def resume(run: Run) -> None:
    """Go on with the shown run where it stands; its limits start afresh."""
    settings = run.settings
    try:
        model = resources.opened(settings.model, settings.protocol, settings.base_url)
        index = resources.index(settings.index)

        def reopened(run: Run) -> Runner:
            if fault := reopen(run, index):
                raise InputError(fault)
            return Runner(run, model, site_tools(index), settings.limits)

        registry.begin(run, reopened)
    except (LabError, IndexerError) as error:
        st.session_state[state.FAULT] = f"This run cannot be resumed: {error}"


def stop() -> None:
    """Ask the shown run to stop; it keeps what there is."""
    if runner := registry.runner(state.shown_run()):
        try:
            runner.stop()
        except LabError as error:
            st.session_state[state.FAULT] = str(error)
