"""A fork: a new run that takes over another's events up to one that is changed, and goes on anew.

What was sent before a reply that is taken over never edits, since a provider may bind the
reply's reasoning to it. So the system prompt and the tools can be changed only where no reply is
taken over. It runs no model and no tool: whoever has the fork advances it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeGuard

from indexer.index import Index
from lab.events import (
    Asked,
    Event,
    ModelAsked,
    ModelFailed,
    ModelReplied,
    Noticed,
    Reopened,
    RunStarted,
    ToolFinished,
    started,
)
from lab.forks.edits import (
    Edit,
    EditError,
    NewAnswer,
    NewArguments,
    NewDescription,
    NewModel,
    NewQuestion,
    NewResult,
    NewSystem,
    with_answer,
    with_arguments,
    with_result,
)
from lab.forks.retelling import decided_once, retold
from lab.models.catalog import PERSON
from lab.prepare import Choice, checked_question, settings_for
from lab.replay import recorded_words
from lab.run import Run
from lab.settings import Settings
from lab.store import Store

FORK = "fork"
"""What the notice that tells of a fork is about."""

WHERE: dict[type[Edit], str] = {
    NewResult: "a result can be changed where a tool that ran has finished",
    NewQuestion: "a question can be changed where it was asked",
    NewArguments: "arguments can be changed where a reply makes calls",
    NewAnswer: "an answer can be changed where a reply makes no call",
    NewSystem: "the system prompt can be changed at event 0 alone",
    NewDescription: "a tool's description can be changed at event 0 alone",
    NewModel: "another model can take over at event 0 or at a request",
}
SAME = "nothing is changed, the rest is done once more."
PLAIN = (
    "It goes back in plain form, without the reasoning of the reply it stands for; a provider "
    "that wants that back may refuse it."
)
RETOLD = "Earlier replies are told to it in plain form, without reasoning that it cannot read."


@dataclass(frozen=True, slots=True)
class Plan:
    """What a fork begins with."""

    parent: str
    seq: int
    """The event of the parent at which the fork parts."""
    settings: Settings
    others: tuple[Event, ...]
    """All events after the first; the notice that tells of the fork is the last."""


def planned(parent: Run, seq: int, edit: Edit, index: Index) -> Plan:
    """The fork that parts from a run at an event. LabError where it cannot be changed so."""
    if not 0 <= seq < len(parent):
        raise EditError(f"Run {parent.id} has the events 0 to {len(parent) - 1}, and no {seq}.")
    settings, kept, what = parted(parent, seq, edit, index)
    others = [*decided_once(kept)]
    if Run("", parent.recorded[: seq + 1]).stopping() and not isinstance(edit, NewAnswer):
        others.append(Reopened())
    if index.fingerprint != parent.settings.fingerprint:
        said = f"The site's index changed since run {parent.id} began."
        others.append(Noticed("index changed", said))
    others.append(Noticed(FORK, told(parent, seq, what, kept)))
    return Plan(parent.id, seq, settings, tuple(others))


def begin(store: Store, plan: Plan) -> Run:
    """The fork, stored as a whole or not at all. Nothing of it has run yet."""
    return store.start(RunStarted(plan.settings), plan.parent, plan.seq, plan.others)


def is_notice(event: Event) -> TypeGuard[Noticed]:
    """True for the notice that tells of a fork."""
    return isinstance(event, Noticed) and event.about == FORK


def parted(parent: Run, seq: int, edit: Edit, index: Index) -> tuple[Settings, list[Event], str]:
    """Settings of the fork, the events it takes over after the first, and what is changed."""
    before, event, settings = list(parent.events[1:seq]), parent.events[seq], parent.settings
    match edit, event:
        case ((NewSystem() | NewDescription() | NewModel()), RunStarted()):
            asked = next((e for e in parent.events if isinstance(e, Asked)), None)
            if asked is None:
                raise EditError(f"No question was asked in run {parent.id}.")
            settings, what = other_settings(settings, edit, index)
            return settings, [asked], what
        case NewModel(), ModelAsked():
            changed, what = other_settings(settings, edit, index)
            kept = retold(before, settings, changed)
            return changed, kept, what if kept == before else f"{what} {RETOLD}"
        case NewQuestion(text), Asked():
            new: Event = Asked(checked_question(text))
            what = "another question."
        case NewResult(), ToolFinished() if started(event.call_id, before):
            new, name = with_result(event, edit), name_of(parent, event.call_id)
            error = edit.failed and not event.failed
            what = f"{'an error as the' if error else 'another'} result of {name}."
        case NewArguments(), ModelReplied() if event.reply.calls:
            new = with_arguments(event, edit, settings.protocol)
            what = f"other arguments of {changed_tool(event, new)}. {PLAIN}"
        case NewAnswer(), ModelReplied() if not event.reply.calls:
            new = with_answer(event, edit, settings.protocol)
            what = f"another answer. {PLAIN}"
        case _:
            raise EditError(
                f"Event {seq} of run {parent.id} is {recorded_words(event)}; "
                f"{WHERE[type(edit)]}. `lab runs replay {parent.id}` numbers the events."
            )
    what = what if new != event else SAME
    return settings, [*before, new], what


def other_settings(settings: Settings, edit: Edit, index: Index) -> tuple[Settings, str]:
    """The settings with one thing changed, and what that is."""
    choice = Choice(
        settings.model,
        settings.protocol,
        settings.cache,
        settings.base_url,
        settings.limits,
        settings.index,
        settings.system,
    )
    match edit:
        case NewSystem(text):
            choice, what = replace(choice, system=text), "another system prompt."
        case NewDescription(tool, text):
            choice = replace(choice, descriptions={tool: text})
            what = f"another description of {tool}."
        case NewModel(model, protocol, base_url):
            stays = model.partition("/")[0] == settings.model.partition("/")[0]
            address = base_url or (settings.base_url if stays else "")
            if model == settings.model and protocol == "auto":
                protocol = settings.protocol
            choice = replace(choice, model=model, protocol=protocol, base_url=address)
            if model == PERSON:  # who may think as long as it takes
                choice = replace(choice, limits=replace(choice.limits, seconds=None))
            what = f"{model} in place of {settings.model}."
    changed = settings_for(choice, index, settings.tools)
    same = replace(changed, fingerprint=settings.fingerprint, versions=settings.versions)
    return changed, what if same != settings else SAME


def told(parent: Run, seq: int, what: str, kept: Sequence[Event]) -> str:
    """What a person should know of the fork."""
    replies = sum(isinstance(event, ModelReplied) for event in kept)
    taken = {0: "No reply is", 1: "One reply is"}.get(replies, f"{replies} replies are")
    paid = ", with what was spent on it there" if replies == 1 else ", with what was spent there"
    step = step_at(parent, seq)
    where = f"step {step}, event {seq}" if step else f"event {seq}"
    return (
        f"Forked from run {parent.id} at {where}: {what} "
        f"{taken} taken over{paid if replies else ''}."
    )


def step_at(run: Run, seq: int) -> int:
    """The step that an event belongs to; 0 where it stands before the first of its question."""
    for event in reversed(Run("", run.recorded[: seq + 1]).turn()):
        if isinstance(event, ModelAsked | ModelReplied | ModelFailed):
            return event.step
    return 0


def name_of(run: Run, call_id: str) -> str:
    """The tool that a call names."""
    return next((call.name for call in run.calls() if call.id == call_id), call_id)


def changed_tool(old: ModelReplied, new: ModelReplied) -> str:
    """The tool whose arguments differ."""
    pairs = zip(old.reply.calls, new.reply.calls, strict=True)
    return next((call.name for call, other in pairs if call != other), "")
