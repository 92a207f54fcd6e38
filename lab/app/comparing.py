"""What the buttons of the Compare page do: start a run for each model, stop them all."""

from __future__ import annotations

import streamlit as st

from indexer.errors import IndexerError
from indexer.index import Index
from lab.app import actions, registry, resources, state
from lab.compare import NAMES
from lab.errors import LabError
from lab.models.catalog import is_standin
from lab.models.model import Model
from lab.prepare import Choice, InputError, checked_question, settings_for, start
from lab.runner import Runner
from lab.settings import Limits, Settings
from lab.tools.site import site_tools


def compare() -> None:
    """Start a run for each model chosen, and show them. Pressed twice it starts them once."""
    state.keep(state.COMPARED_QUESTION, state.MODELS)
    state.keep(state.PROTOCOL, state.STEPS, state.SECONDS)
    names = state.chosen_models([])
    try:
        question = checked_question(str(state.get(state.COMPARED_QUESTION)))
        if not 2 <= len(names) <= len(NAMES):
            raise InputError("Choose two to four models to compare.")
        index = resources.index()
        prepared = [ready(name, index) for name in names]
        record = state.begun(state.COMPARED)
        with record.turn:
            if not any(actions.under_way(id, question) for id in record.run.split(",")):
                record.run = ",".join(begin(question, *each, index) for each in prepared)
            record.shown = False
    except (LabError, IndexerError) as error:
        st.session_state[state.FAULT] = str(error)


def ready(name: str, index: Index) -> tuple[Model, Settings]:
    """A model with the settings of its run; what a stand-in takes is not a matter of choice."""
    protocol = "auto" if is_standin(name) else str(state.get(state.PROTOCOL, "auto"))
    limits = Limits(
        steps=int(state.get(state.STEPS, Limits().steps)),
        seconds=float(state.get(state.SECONDS, 300)),
    )
    choice = Choice(name, protocol, limits=limits)
    model = resources.opened(name, protocol)
    return model, settings_for(choice, index, site_tools(index).schemas())


def begin(question: str, model: Model, settings: Settings, index: Index) -> str:
    """Start one run; gives its id."""
    run = start(resources.store(), settings, question)
    registry.begin(run, lambda run: Runner(run, model, site_tools(index), settings.limits))
    return run.id


def stop() -> None:
    """Ask all shown runs to stop; they keep what there is."""
    for id in state.compared_runs()[: len(NAMES)]:
        if runner := registry.runner(id):
            try:
                runner.stop()
            except LabError as error:
                st.session_state[state.FAULT] = str(error)
