"""What the buttons do: start a run, stop it, go on with it, ask on in it.

Faults are kept to be shown.
"""

from __future__ import annotations

import streamlit as st

from indexer.index import Index
from lab import prepare
from lab.app import registry, resources, state, told
from lab.app.ask import chosen
from lab.elsewhere import runner_for
from lab.models.model import Model
from lab.prepare import InputError, checked_question, reopen, settings_for, start
from lab.run import Run
from lab.runner import Runner
from lab.settings import Settings
from lab.steps import turns
from lab.tools.site import site_tools


def ask() -> None:
    """Start a run on what the controls say, and show it. Pressed twice it starts one."""
    state.keep(*chosen.CONTROLS)
    choice = chosen.choice()
    with told.kept():
        question = checked_question(str(state.get(state.QUESTION)))
        model = resources.opened(choice.model, choice.protocol, cache=choice.cache)
        index = resources.index(semantic=chosen.semantic())
        tools = site_tools(index)
        settings, store = settings_for(choice, index, tools.schemas()), resources.store()
        begun = state.begun()
        with begun.turn:
            if not under_way(begun.run, question):
                run = start(store, settings, question)
                registry.begin(run, lambda run: runner_for(run, model, tools, settings.limits))
                begun.run = run.id
            begun.shown = False
        state.own(begun.run)


def under_way(id: str, question: str) -> bool:
    """True while that run works on that question."""
    known = registry.runner(id)
    return bool(known and known.working and turns(known.run.events)[-1].question == question)


def resume(run: Run) -> None:
    """Go on with the shown run where it stands; its limits start afresh."""
    settings = run.settings
    with told.kept("This run cannot be resumed: "):
        model, index = opened(settings)

        def reopened(run: Run) -> Runner:
            if fault := reopen(run, index):
                raise InputError(fault)
            return runner_for(run, model, site_tools(index), settings.limits)

        registry.begin(run, reopened)
        state.own(run.id)


def follow_up(run: Run, asked: int) -> None:
    """Ask on in a run that holds `asked` questions. Sent twice, a question is asked once."""
    question = str(st.session_state[state.widget(f"{state.FOLLOW_UP}:{run.id}:{asked}")])
    with told.kept():
        model, index = opened(run.settings)

        def going_on(run: Run) -> Runner:
            if len(turns(run.events)) == asked:
                prepare.follow_up(run, question, index)
            return runner_for(run, model, site_tools(index), run.settings.limits)

        registry.begin(run, going_on)
        state.own(run.id)


def opened(settings: Settings) -> tuple[Model | None, Index]:
    """What a saved run goes on with: its model, unless that is elsewhere, and its index."""
    index = resources.searched(settings)
    model = resources.opened(settings.model, settings.protocol, settings.base_url, settings.cache)
    return model, index


def stop_shown() -> None:
    """Ask the shown run to stop."""
    stop(state.shown_run())


def stop(id: str) -> None:
    """Ask a run to stop; it keeps what there is."""
    if runner := registry.runner(id):
        with told.kept():
            runner.stop()
