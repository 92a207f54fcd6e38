"""A run: an append-only list of events, and what can be read off it.

It knows nothing of models, tools or storage; whoever keeps it durable passes a `journal`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from lab.events import (
    Asked,
    ConsentGiven,
    Event,
    ModelAsked,
    ModelFailed,
    ModelReplied,
    Noticed,
    Reopened,
    RunStarted,
    StopAsked,
    ToolFinished,
    ToolStarted,
    TurnEnded,
)
from lab.messages import Conversation, Message, Notice, Question, Reply, ToolCall, ToolResult
from lab.settings import Settings
from lab.totals import Totals, total

GO_ON = "Go on with the question where you left off."


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event with its place in the run."""

    seq: int
    """0 for the first event of the run."""
    at: str
    """When it was recorded: ISO 8601, UTC, milliseconds."""
    event: Event


@dataclass(frozen=True)
class _Read:
    """What is read most often, in one piece for readers of all threads."""

    events: tuple[Event, ...]
    turn: tuple[Event, ...]
    leg: tuple[Event, ...]

    @cached_property
    def used(self) -> Totals:
        return total(self.leg)


def _read(events: tuple[Event, ...]) -> _Read:
    return _Read(events, _since(events, Asked), _since(events, Asked, Reopened))


def _since(events: tuple[Event, ...], *kinds: type) -> tuple[Event, ...]:
    for place in range(len(events) - 1, -1, -1):
        if isinstance(events[place], kinds):
            return events[place:]
    return ()


class Run:
    """An append-only list of events. Any number of threads may read it while one records."""

    def __init__(
        self,
        id: str,
        recorded: Iterable[Recorded] = (),
        journal: Callable[[str, Recorded], None] | None = None,
    ) -> None:
        self.id = id
        self._recorded = list(recorded)
        self._read = _read(tuple(entry.event for entry in self._recorded))
        self._journal = journal
        self._changed = threading.Condition()
        self.streamed = ""
        """Text of the reply that is arriving now. Display only: it is no part of the run."""

    def record(self, event: Event) -> Event:
        """Append an event, after the journal has made it durable."""
        with self._changed:
            at = datetime.now(UTC).isoformat(timespec="milliseconds")
            entry = Recorded(len(self._recorded), at, event)
            if self._journal:
                self._journal(self.id, entry)
            self._recorded.append(entry)
            self._read = _read((*self._read.events, event))
            self._changed.notify_all()
        return event

    def wait(self, seen: int, timeout: float) -> bool:
        """Block until there are more than `seen` events; False when `timeout` seconds passed."""
        with self._changed:
            return self._changed.wait_for(lambda: len(self._recorded) > seen, timeout)

    @property
    def recorded(self) -> Sequence[Recorded]:
        return tuple(self._recorded)

    @property
    def events(self) -> tuple[Event, ...]:
        return self._read.events

    def __len__(self) -> int:
        return len(self._recorded)

    @property
    def settings(self) -> Settings:
        """Settings the run was started with; LookupError where it has not started."""
        for event in self.events:
            if isinstance(event, RunStarted):
                return event.settings
        raise LookupError(f"run {self.id} has no RunStarted event")

    def conversation(self) -> Conversation:
        """All that the next model call is sent."""
        settings = self.settings
        return Conversation(settings.system, settings.tools, tuple(self.messages()))

    def messages(self) -> Iterator[Message]:
        """The conversation so far, oldest first."""
        last: Message | None = None
        for event in self.events:
            message = _message(event, last)
            if message is not None:
                yield message
                last = message

    def open_calls(self) -> list[ToolCall]:
        """Calls without a result, in the order the model made them."""
        done = {e.call_id for e in self.events if isinstance(e, ToolFinished)}
        return [call for call in self.calls() if call.id not in done]

    def calls(self) -> list[ToolCall]:
        """Every call of the run, in order."""
        return [c for e in self.events if isinstance(e, ModelReplied) for c in e.reply.calls]

    def turn(self) -> tuple[Event, ...]:
        """Events of the last question, from its `Asked` on."""
        return self._read.turn

    def leg(self) -> tuple[Event, ...]:
        """Events since the last question was asked or reopened: what limits count."""
        return self._read.leg

    def used(self) -> Totals:
        """Sums since the last question was asked or reopened."""
        return self._read.used

    def turn_is_over(self) -> bool:
        """True where nothing was asked, or the last question has its end."""
        return not self.turn() or self.end() is not None

    def end(self) -> TurnEnded | None:
        """How the last question ended; None while it goes on, or was asked on."""
        return next((e for e in self.leg() if isinstance(e, TurnEnded)), None)

    def stopping(self) -> bool:
        """True from the moment a person pressed Stop until the question is asked on."""
        return any(isinstance(e, StopAsked) for e in self.leg())

    def step(self) -> int:
        """The number of the next model call of this question; the first is 1."""
        return 1 + sum(isinstance(e, ModelReplied | ModelFailed) for e in self.turn())

    def unanswered(self) -> bool:
        """True where the newest model call has neither a reply nor a failure."""
        kinds = (ModelAsked, ModelReplied, ModelFailed)
        newest = next((e for e in reversed(self.turn()) if isinstance(e, kinds)), None)
        return isinstance(newest, ModelAsked)

    def last_reply(self) -> Reply | None:
        """The newest reply since the question was asked or reopened."""
        replies = [e.reply for e in self.leg() if isinstance(e, ModelReplied)]
        return replies[-1] if replies else None

    def last_message(self) -> Message | None:
        """The end of the conversation so far."""
        return next(reversed(list(self.messages())), None)

    def failed(self) -> ModelFailed | None:
        """The newest model call, where it failed."""
        for event in reversed(self.leg()):
            if isinstance(event, ModelFailed):
                return event
            if isinstance(event, ModelReplied):
                return None
        return None

    def totals(self) -> Totals:
        """Sums over the whole run."""
        return total(self.events)

    def consent(self, call: ToolCall) -> ConsentGiven | None:
        """The decision that now stands for a call: its own, or an earlier yes to the tool.

        A start without a finish uses a decision up: the tool may have had its effect,
        so a person is asked again before it could have it twice.
        """
        names = {c.id: c.name for c in self.calls()}
        decision: ConsentGiven | None = None
        for event in self.events:
            match event:
                case ConsentGiven(call_id, allowed, always) if call_id == call.id or (
                    allowed and always and names.get(call_id) == call.name
                ):
                    decision = event
                case ToolStarted(call_id) if call_id == call.id:
                    decision = None
        return decision


def _message(event: Event, last: Message | None) -> Message | None:
    match event:
        case Asked(question):
            return Question(question)
        case ModelReplied(_, reply):
            return reply
        case ToolFinished(call_id, content, failed):
            return ToolResult(call_id, content, failed)
        case Noticed(_, text, True):
            return Notice(text)
        case Reopened() if isinstance(last, Reply) and not last.calls:
            return Notice(GO_ON)
    return None
