"""What the buttons of the Compare page do: start the runs of each column, stop them all."""

from __future__ import annotations

from lab import places
from lab.app import registry, resources, state, told
from lab.app.ask import actions
from lab.app.compare import repeating
from lab.app.compare.picks import Pick, takes_settings
from lab.app.compare.repeating import Planned
from lab.compare.summary import NAMES
from lab.models.catalog import is_standin
from lab.prepare import Choice, InputError, checked_question, settings_for
from lab.settings import Limits
from lab.tools.site import site_tools

usual = Limits()


def compare() -> None:
    """Start the runs of each column, and show them. Pressed twice it starts them once."""
    state.keep(state.COMPARED_QUESTION, state.REPEATS)
    state.keep(state.COMPARED_STEPS, state.COMPARED_SECONDS)
    picks = state.picks()
    with told.kept():
        question = checked_question(str(state.get(state.COMPARED_QUESTION)))
        if not 2 <= len(picks) <= len(NAMES):
            raise InputError("Choose two to four columns to compare.")
        columns = [ready(pick) for pick in picks]
        record = state.begun(state.COMPARED)
        with record.turn:
            own = [id for ids in state.columns_of(record.run) for id in ids if id not in columns]
            if not any(actions.under_way(id, question) for id in own):
                begun = repeating.begin(columns, question, repeats())
                record.run = state.address_of(begun)
            record.shown = False
        state.own(*(id for ids in state.columns_of(record.run) for id in ids))


def ready(pick: Pick) -> Planned | str:
    """A model with the settings of its runs, or the id of a saved run that stands as it is."""
    if pick.run:
        run = registry.find(pick.run, resources.store())
        if run is None or not run.turn():
            raise InputError(f"There is no run {pick.run} here. Choose another, or a model.")
        return run.id
    choice = choice_of(pick)
    model = resources.opened(pick.model, choice.protocol, cache=choice.cache)
    index = resources.index(semantic=pick.semantic)
    tools = site_tools(index)
    return repeating.planned(model, settings_for(choice, index, tools.schemas()), tools)


def choice_of(pick: Pick) -> Choice:
    """What a column of a model is to be run with."""
    return Choice(
        pick.model,
        "auto" if is_standin(pick.model) else pick.protocol,
        pick.cache and takes_settings(pick.model),
        resources.address_for(pick.model),
        Limits(steps=steps(), seconds=seconds()),
        places.named_index(),
        system=pick.system,
        descriptions=pick.descriptions,
    )


def steps() -> int:
    """Steps a run may take."""
    return int(state.get(state.COMPARED_STEPS, usual.steps))


def seconds() -> int:
    """Seconds a run may take."""
    return int(state.get(state.COMPARED_SECONDS, 300))


def repeats() -> int:
    """How often each model is asked."""
    return int(state.get(state.REPEATS, 1))


def stop() -> None:
    """Ask all shown runs to stop, those that wait for their turn too; they keep what there is."""
    ids = [id for ids in state.compared_runs() for id in ids]
    for id in sorted(ids, key=repeating.is_waiting, reverse=True):  # none gets a turn given up
        runner = registry.runner(id)
        if runner and runner.working:
            actions.stop(id)
