"""A model that runs elsewhere: a person at the page, or the model of a visitor's browser.

Without a model at hand a run parks where it needs a reply. It then holds the request that waits,
and takes one reply to it, however often one is sent. What supplies the reply is not known here.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from lab.errors import LabError
from lab.events import ModelAsked, ModelFailed, ModelReplied
from lab.loop import NeedConsent, NeedReply, Tools, advance, next_need
from lab.messages import Attempt, Conversation, Cost, Exchange, Reply, Request, ToolCall, Usage
from lab.models import openai
from lab.models.catalog import ELSEWHERE, PERSON
from lab.models.estimates import estimated_tokens, tokens_said
from lab.models.model import Model
from lab.models.react import as_text, read
from lab.models.standin import NOBODY, unsent, written
from lab.models.turns import call_ids, with_unique_ids
from lab.run import Run
from lab.runner import Runner
from lab.settings import Limits

NO_ENDPOINT = Cost(0.0, "free: no endpoint was called")
STOPPED = "stopped by the person"
REPLY_CHARACTERS = 50_000
"""So much of a reply is taken; the rest would only be sent again with every further step."""

_turn = threading.Lock()
"""One change at a time: a reply, a failure and a stop may come for the same step at once."""


class NotAwaitedError(LabError):
    """What came is for a request that waits no more: it was answered or given up."""


@dataclass(frozen=True, slots=True)
class Awaited:
    """A request that waits for its reply."""

    seq: int
    """Its place in the run; no other request has it, whatever its step."""
    at: str
    """Since when it waits: ISO 8601, UTC."""
    step: int
    request: Request


def awaited(run: Run) -> Awaited | None:
    """The request that waits for its reply; None where none does."""
    if run.turn_is_over() or run.settings.model not in ELSEWHERE or not run.unanswered():
        return None
    return next(
        Awaited(entry.seq, entry.at, entry.event.step, entry.event.request)
        for entry in reversed(run.recorded)
        if isinstance(entry.event, ModelAsked)
    )


def park(run: Run, tools: Tools, limits: Limits) -> None:
    """Advance as far as it goes without the model, then record what is waited for."""
    while True:
        for _ in advance(run, None, tools, limits):
            pass
        with _turn:
            need = next_need(run, tools, limits)
            if isinstance(need, NeedReply) and not run.unanswered():
                run.record(ModelAsked(run.step(), request_for(need.conversation, run)))
            if need is None or isinstance(need, NeedReply | NeedConsent):
                return


def request_for(conversation: Conversation, run: Run) -> Request:
    """What the model elsewhere is given: a person what most endpoints are sent, a browser text.

    Of a browser's messages all but the last are its session's past; the last is what it is asked.
    """
    if run.settings.model == PERSON:
        return unsent(conversation, PERSON)
    text = as_text(conversation)
    messages = list(openai.messages(text, NOBODY))
    body = {"messages": messages, "responseConstraint": text.answer_schema}
    return Request("Prompt to", "the browser's built-in model", written(body), {})


def played(text: str, calls: Iterable[ToolCall], conversation: Conversation) -> Reply:
    """A person's reply: tool calls, or an answer."""
    unique = with_unique_ids(calls, call_ids(conversation.messages))
    return Reply(text, unique, stop="tools" if unique else "answer")


def read_text(text: str, conversation: Conversation) -> Reply:
    """The reply that a browser's model wrote, in the text protocol."""
    said = Reply(text[:REPLY_CHARACTERS], stop="cut" if len(text) > REPLY_CHARACTERS else "answer")
    return read(said, conversation)


def take(
    run: Run, seq: int, reply: Reply, seconds: float | None = None, response: str = ""
) -> None:
    """Record the reply to request `seq`. NotAwaitedError where that waits for none.

    `seconds` is what the model itself says it took; without it, it took as long as was waited.
    """
    with _turn:
        asked = still_awaited(run, seq)
        usage = Usage(
            estimated_tokens(len(asked.request.body)),
            estimated_tokens(len(response)) if response else tokens_said(reply),
            estimated=True,
        )
        attempt = Attempt(None, seconds_taken(asked, seconds))
        exchange = Exchange(response[:REPLY_CHARACTERS], (attempt,), cost=NO_ENDPOINT)
        run.record(ModelReplied(asked.step, replace(reply, usage=usage), exchange))


def give_up(run: Run, seq: int, why: str, seconds: float | None = None) -> None:
    """Record that no reply will come to request `seq`. NotAwaitedError where it waits for none."""
    with _turn:
        asked = still_awaited(run, seq)
        attempt = Attempt(None, seconds_taken(asked, seconds), error=why)
        exchange = Exchange(attempts=(attempt,), cost=NO_ENDPOINT)
        said = f"{run.settings.model}: {why.rstrip('.')}."
        run.record(ModelFailed(asked.step, said, exchange))


def still_awaited(run: Run, seq: int) -> Awaited:
    """Request `seq`, while it waits for its reply."""
    asked = awaited(run)
    if asked is None or asked.seq != seq:
        raise NotAwaitedError("The request waits for no reply any more, so this one is dropped.")
    return asked


def seconds_taken(asked: Awaited, told: float | None) -> float:
    """Seconds since the request was there, or fewer where it is told so."""
    waited = max(0.0, (datetime.now(UTC) - datetime.fromisoformat(asked.at)).total_seconds())
    return waited if told is None else min(max(0.0, told), waited)


class Parking(Runner):
    """Runs what the lab itself has to run, and parks where the reply comes from elsewhere."""

    def __init__(self, run: Run, tools: Tools, limits: Limits) -> None:
        self._tools, self._limits = tools, limits
        self._change = threading.RLock()
        super().__init__(run, None, tools, limits)

    def _work(self, model: Model | None, tools: Tools, limits: Limits) -> None:
        try:
            park(self.run, tools, limits)
        except Exception as error:
            self.error = error

    def bring(self, reply: Callable[[Run], None]) -> None:
        """Let `reply` record what came for the request that waits, and go on from there.

        NotAwaitedError where it is for none that waits; then nothing happens.
        """
        with self._change:
            reply(self.run)
            self._thread = threading.Thread(
                target=self._work, args=(None, self._tools, self._limits), daemon=True
            )
            self._thread.start()

    def stop(self) -> None:
        """Stop the run also where it is parked and nobody else would end it."""
        with self._change:
            super().stop()
            if asked := awaited(self.run):
                with suppress(NotAwaitedError):  # the reply came at the same moment
                    give_up(self.run, asked.seq, STOPPED)
                    park(self.run, self._tools, self._limits)

    @property
    def working(self) -> bool:
        """True also while it is parked: it is under way, and somebody is at it."""
        with self._change:
            return super().working or awaited(self.run) is not None


def runner_for(run: Run, model: Model | None, tools: Tools, limits: Limits) -> Runner:
    """What advances a run; without a model, up to where it needs one."""
    return Runner(run, model, tools, limits) if model else Parking(run, tools, limits)
