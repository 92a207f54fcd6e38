"""A run as the steps a person reads: every call with its result, every reply with its cost.

Built from the events alone, for the terminal, the page and whatever else shows a trace.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from lab.events import (
    Asked,
    ConsentGiven,
    Event,
    ModelAsked,
    ModelFailed,
    ModelReplied,
    Noticed,
    Reopened,
    StopAsked,
    ToolFinished,
    ToolStarted,
    TurnEnded,
)
from lab.messages import Exchange, Reply, Request, ToolCall


@dataclass(slots=True)
class CallView:
    """A call and what became of it."""

    call: ToolCall
    started: bool = False
    result: ToolFinished | None = None
    allowed: bool | None = None
    """The person's decision, where one was needed and taken."""


@dataclass(slots=True)
class Step:
    """One model call with the tools it led to."""

    number: int
    """1 for the first of its question."""
    request: Request
    """What was sent."""
    reply: Reply | None = None
    """What came; None while it is awaited, or where none came."""
    exchange: Exchange | None = None
    failure: str = ""
    calls: list[CallView] = field(default_factory=list)
    notices: list[Noticed] = field(default_factory=list)
    """What was said while this was the newest step."""
    question: str = ""
    """The question it is a step of."""

    @property
    def tool_seconds(self) -> float:
        return sum(view.result.seconds for view in self.calls if view.result)


@dataclass(slots=True)
class Turn:
    """One question, its steps, and its end."""

    question: str
    steps: list[Step] = field(default_factory=list)
    notices: list[Noticed] = field(default_factory=list)
    """What was said before the first step."""
    stopping: bool = False
    end: TurnEnded | None = None
    """None while it goes on."""


def turns(events: Iterable[Event]) -> list[Turn]:
    """The questions of a run, oldest first."""
    seen: list[Turn] = []
    for event in events:
        if isinstance(event, Asked):
            seen.append(Turn(event.question))
        elif seen:
            _add(seen[-1], event)
    return seen


def _add(turn: Turn, event: Event) -> None:
    step = turn.steps[-1] if turn.steps else None
    match event:
        case ModelAsked(number, request):
            if step and step.number == number and not step.reply and not step.failure:
                step.request = request  # refused as it was, and sent again with a change
            else:
                turn.steps.append(Step(number, request, question=turn.question))
        case ModelReplied(number, reply, exchange):
            step = _answered(turn, number)
            step.reply, step.exchange = reply, exchange
            step.calls = [CallView(call) for call in reply.calls]
        case ModelFailed(number, error, exchange):
            step = _answered(turn, number)
            step.failure, step.exchange = error, exchange
        case Noticed():
            (step or turn).notices.append(event)
        case StopAsked():
            turn.stopping = True
        case TurnEnded():
            turn.end = event
        case Reopened():
            turn.end, turn.stopping = None, False
        case ToolStarted(call_id):
            _view(turn, call_id).started = True
        case ToolFinished(call_id):
            _view(turn, call_id).result = event
        case ConsentGiven(call_id, allowed):
            _view(turn, call_id).allowed = allowed


def _answered(turn: Turn, number: int) -> Step:
    """The step that a reply belongs to; a reply from elsewhere was not asked for over a wire."""
    if not turn.steps or turn.steps[-1].reply or turn.steps[-1].failure:
        nothing = Request("", "", "", {}, sent=False)
        turn.steps.append(Step(number, nothing, question=turn.question))
    return turn.steps[-1]


def _view(turn: Turn, call_id: str) -> CallView:
    views = [view for step in turn.steps for view in step.calls]
    return next(view for view in reversed(views) if view.call.id == call_id)
