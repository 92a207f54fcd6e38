"""The agent. What has to happen next follows from the events of the run alone.

The loop never learns which model runs, what a tool does, or who is watching.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from lab.events import (
    End,
    Event,
    ModelFailed,
    ModelReplied,
    Noticed,
    ToolFinished,
    ToolStarted,
    TurnEnded,
)
from lab.limits import reached, why_not_run
from lab.messages import NOT_SENT, Attempt, Conversation, Exchange, Reply, ToolCall
from lab.models.model import Model, ModelError
from lab.run import Run
from lab.settings import Limits
from lab.waiting import GivenUp
from lab.watch import RunWatch

FAULTS_IN_A_ROW = 3
"""So many unreadable replies, one after the other, end a question."""


@dataclass(frozen=True, slots=True)
class NeedReply:
    """The model has to be asked."""

    conversation: Conversation


@dataclass(frozen=True, slots=True)
class NeedTool:
    """A tool has to run."""

    call: ToolCall


@dataclass(frozen=True, slots=True)
class NeedConsent:
    """A person has to decide on a tool that has effects."""

    call: ToolCall


@dataclass(frozen=True, slots=True)
class NeedRefusal:
    """A call must not run; its result says why."""

    call: ToolCall
    why: str


@dataclass(frozen=True, slots=True)
class NeedCorrection:
    """A reply could not be used; the model has to be told why."""

    text: str


@dataclass(frozen=True, slots=True)
class NeedEnd:
    """The question is over."""

    reason: End
    answer: str = ""
    detail: str = ""


Need: TypeAlias = NeedReply | NeedTool | NeedConsent | NeedRefusal | NeedCorrection | NeedEnd | None


class Tools(Protocol):
    """What the loop has to know of tools."""

    def has_effects(self, call: ToolCall) -> bool:
        """True where a person must agree before the call runs."""

    def run(self, call: ToolCall, watch: RunWatch) -> ToolFinished:
        """Run a call to its one result. Never raises; gives up when `watch` says so."""


def next_need(run: Run, tools: Tools, limits: Limits) -> Need:
    """What the run needs now; None where its last question is over. Pure."""
    if run.turn_is_over():
        return None
    for call in run.open_calls():
        return need_of_call(call, run, tools, limits)
    reply = run.last_reply()
    if reply and is_final(reply):
        return end_of(reply)
    if run.stopping():
        return NeedEnd("stopped", detail="Stopped by the person.")
    if limit := reached(run, limits):
        return NeedEnd(limit[0], detail=limit[1])
    if failed := run.failed():
        return NeedEnd(failed.reason, detail=failed.error)
    if reply and reply.fault and run.last_message() is reply:
        return need_of_fault(reply, run)
    return NeedReply(run.conversation())


def advance(run: Run, model: Model | None, tools: Tools, limits: Limits) -> Iterator[Event]:
    """Meet needs until the run ends or somebody else must act. Yields what is recorded already."""
    while True:
        seen = len(run)
        match next_need(run, tools, limits):
            case NeedReply(conversation) if model:
                ask(model, conversation, run, limits)
            case NeedTool(call):
                run.record(ToolStarted(call.id, tools.has_effects(call)))
                run.record(tools.run(call, RunWatch(run, limits)))
            case NeedRefusal(call, why):
                run.record(ToolFinished(call.id, why, failed=True))
            case NeedCorrection(text):
                run.record(Noticed("correction", text, for_model=True))
            case NeedEnd(reason, answer, detail):
                run.record(TurnEnded(reason, answer, detail))
            case _:
                return  # over, or parked: a person's consent, or a model that runs elsewhere
        yield from run.events[seen:]


def ask(model: Model, conversation: Conversation, run: Run, limits: Limits) -> None:
    """One model call, recorded: what was sent, then a reply or a failure."""
    step, watch = run.step(), RunWatch(run, limits)
    try:
        reply, exchange = model.reply(conversation, watch)
    except ModelError as error:
        run.record(ModelFailed(step, str(error), error.exchange, error.reason))
    except GivenUp as error:
        attempt = Attempt(None, 0.0, error=str(error))
        unasked = Exchange(attempts=(attempt,))
        if not run.unanswered():  # a try before this one may have left
            unasked = replace(unasked, cost=NOT_SENT)
        run.record(ModelFailed(step, f"The model was not asked: {error}.", unasked))
    else:
        run.record(ModelReplied(step, reply, exchange))


def need_of_call(call: ToolCall, run: Run, tools: Tools, limits: Limits) -> Need:
    """What an open call needs: to run, to be decided on, or a result that says why not."""
    reply = run.last_reply()
    if reply and reply.stop == "cut" and call in reply.calls:
        return NeedRefusal(
            call, "Not run: the reply was cut off by the output limit. Ask again, shorter."
        )
    if reply and reply.stop == "refused" and call in reply.calls:
        return NeedRefusal(call, "Not run: the reply was a refusal.")
    if run.stopping():
        return NeedRefusal(call, "Not run: the person stopped the run.")
    if why := why_not_run(call, run, limits):
        return NeedRefusal(call, why)
    if not tools.has_effects(call):
        return NeedTool(call)
    consent = run.consent(call)
    if consent is None:
        return NeedConsent(call)
    if not consent.allowed:
        return NeedRefusal(call, "Not run: the person did not approve this call.")
    return NeedTool(call)


def need_of_fault(reply: Reply, run: Run) -> Need:
    """A reply that is neither an answer nor a call: say so, and end when it will not stop."""
    faults = 0
    for event in reversed(run.leg()):
        if isinstance(event, ModelReplied):
            if not event.reply.fault:
                break
            faults += 1
    if faults >= FAULTS_IN_A_ROW:
        return NeedEnd("format", reply.text, f"{faults} unusable replies in a row. {reply.fault}")
    return NeedCorrection(reply.fault)


def is_final(reply: Reply) -> bool:
    """True where nothing can follow: a refusal, or a whole reply that asks for nothing more."""
    if reply.stop == "refused":
        return True
    return not reply.calls and not reply.fault and reply.stop != "paused"


def end_of(reply: Reply) -> NeedEnd:
    """The end that a final reply means."""
    match reply.stop:
        case "answer" | "tools":
            return NeedEnd("answered", reply.text)
        case "refused":
            return NeedEnd("refused", reply.text, reply.detail or "The model refused to answer.")
        case "cut":
            return NeedEnd("cut off", reply.text, "The output limit cut the answer off.")
    detail = reply.detail or f"The endpoint gave an unknown stop reason: {reply.stop_raw!r}."
    return NeedEnd("format", reply.text, detail)
