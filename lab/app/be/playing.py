"""What the buttons of the page Be the model do: begin, ask a model the same."""

from __future__ import annotations

from lab import places
from lab.app import registry, resources, state, told
from lab.app.be import parking
from lab.elsewhere import Parking, runner_for
from lab.models.catalog import PERSON
from lab.prepare import Choice, checked_question, settings_for, start
from lab.run import Run
from lab.settings import Limits
from lab.steps import turns
from lab.tools.site import site_tools


def begin() -> None:
    """Start a run on the question and park it at its first request. Pressed twice it starts one."""
    state.keep(state.PLAYED_QUESTION, state.PLAYED_STEPS)
    limits = Limits(steps=int(state.get(state.PLAYED_STEPS, Limits().steps)), seconds=None)
    with told.kept():
        question = checked_question(str(state.get(state.PLAYED_QUESTION)))
        index = resources.index()
        tools = site_tools(index)
        settings = settings_for(
            Choice(PERSON, limits=limits, index=places.named_index()), index, tools.schemas()
        )
        record = state.begun(state.PLAYED)
        with record.turn:
            known = registry.find(record.run, resources.store()) if record.run else None
            if known is None or known.turn_is_over():
                run = start(resources.store(), settings, question)
                registry.begin(run, lambda run: Parking(run, tools, limits))
                record.run = run.id
            record.shown = False
        parking.settle(record.run)


def against(run: Run, name: str) -> list[str]:
    """Ask a model the same; gives the ids of both runs. Pressed twice it is asked once.

    Raises a LabError where the model cannot be asked.
    """
    settings, question = run.settings, turns(run.events)[-1].question
    limits = Limits(steps=settings.limits.steps)
    index = resources.searched(settings)
    model, tools = resources.opened(name, "auto"), site_tools(index)
    address = resources.address_for(name)
    choice = Choice(name, base_url=address, limits=limits, index=settings.index)
    planned = settings_for(choice, index, tools.schemas())
    record = state.begun(state.AGAINST)
    with record.turn:
        if not asked_beside(record.run, run.id, planned.model):
            begun = start(resources.store(), planned, question)
            registry.begin(begun, lambda run: runner_for(run, model, tools, limits))
            record.run = f"{run.id},{begun.id}"
    both = record.run.split(",")
    state.own(*both)
    return both


def asked_beside(pair: str, id: str, model: str) -> bool:
    """True while that model is at work beside that run."""
    beside, _, other = pair.partition(",")
    known = registry.runner(other)
    return bool(known and known.working and beside == id and known.run.settings.model == model)
