"""All that can happen in a run: a closed union of frozen values.

A run is nothing but a list of these. They know nothing of who reads or stores them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from lab.messages import Exchange, Reply, Request
from lab.settings import Settings

End: TypeAlias = Literal[
    "answered",
    "step limit",
    "tool limit",
    "token limit",
    "money limit",
    "time limit",
    "stopped",
    "refused",
    "cut off",
    "format",
    "failed",
]
"""How the turn of a question can end. All but `answered` are ends without an answer."""


@dataclass(frozen=True, slots=True)
class RunStarted:
    """The first event of every run."""

    settings: Settings


@dataclass(frozen=True, slots=True)
class Asked:
    """A question; a follow-up is a further one in the same run."""

    question: str


@dataclass(frozen=True, slots=True)
class ModelAsked:
    """A request left for the model; recorded while it leaves, before any answer."""

    step: int
    """1 for the first model call of a question."""
    request: Request


@dataclass(frozen=True, slots=True)
class ModelReplied:
    """A reply came, with the evidence of the call that brought it."""

    step: int
    reply: Reply
    exchange: Exchange


@dataclass(frozen=True, slots=True)
class ModelFailed:
    """A model call that brought no reply: refused connection, wrong key, time-out, Stop."""

    step: int
    error: str
    """One line for the person: what happened, where, what to do."""
    exchange: Exchange
    reason: End = "failed"
    """How the question ends with it: a limit may have forbidden the call."""


@dataclass(frozen=True, slots=True)
class ConsentGiven:
    """A person's decision on a tool that has effects."""

    call_id: str
    allowed: bool
    always: bool = False
    """True extends a yes to every later call of the same tool in this run."""


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A tool is about to run; recorded before it can have any effect."""

    call_id: str
    effects: bool = False
    """True where the tool may change something, so that running it twice is not the same."""


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """A call's one result; also of a call that was not run, which then says why."""

    call_id: str
    content: str
    failed: bool = False
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Noticed:
    """Something worth saying that is neither a reply nor a result."""

    about: str
    """`correction`, `retry`, `index changed` and the like."""
    text: str
    for_model: bool = False
    """True where it becomes part of the conversation."""


@dataclass(frozen=True, slots=True)
class StopAsked:
    """A person pressed Stop."""


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The question is over, answered or not."""

    reason: End
    answer: str = ""
    """The answer, or what there was of one."""
    detail: str = ""
    """For an end without an answer: one sentence on what happened."""


@dataclass(frozen=True, slots=True)
class Reopened:
    """A person asked to go on after an end without an answer; limits start afresh."""


Event: TypeAlias = (
    RunStarted
    | Asked
    | ModelAsked
    | ModelReplied
    | ModelFailed
    | ConsentGiven
    | ToolStarted
    | ToolFinished
    | Noticed
    | StopAsked
    | TurnEnded
    | Reopened
)


def started(call_id: str, events: Iterable[Event]) -> bool:
    """True where the tool of that call began to run in these events."""
    return any(isinstance(event, ToolStarted) and event.call_id == call_id for event in events)
