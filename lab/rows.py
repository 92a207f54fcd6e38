"""The table of runs: one row a run, kept in step with its events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from itertools import chain, repeat
from typing import Any

from lab.events import Asked, ModelFailed, ModelReplied, Reopened, TurnEnded
from lab.messages import Cost, Exchange, Usage
from lab.run import Recorded
from lab.totals import Amount, parts_of

RUNS = (
    """
    create table runs (
      id text primary key, parent text references runs(id), parent_seq integer,
      question text not null default '', model text not null, started text not null,
      ended text, reason text,
      steps integer not null default 0, model_calls integer not null default 0,
      tokens_in integer, tokens_out integer, tokens_unknown integer not null default 0,
      tokens_estimated integer not null default 0,
      cost real, cost_unknown integer not null default 0
    )
    """,
    "create index runs_by_start on runs(started)",
)


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run as a list shows it; fields are columns."""

    id: str
    question: str
    """The first question; empty where none was asked yet."""
    model: str
    started: str
    ended: str | None
    reason: str | None
    """How the last question ended; None where it has not."""
    steps: int
    """Model calls that brought a reply."""
    model_calls: int
    """All model calls that left, those that failed included."""
    tokens_in: int | None
    """Of the model calls that said; None where none did."""
    tokens_out: int | None
    tokens_unknown: int
    """How many model calls, or tries that broke off, did not say; the counts are lower bounds."""
    tokens_estimated: int
    """1 where any of the counts was estimated."""
    cost: float | None
    """US dollars; None where no part is known."""
    cost_unknown: int
    """How many of them have no known cost; `cost` then is a lower bound."""
    parent: str | None = None
    """The run that this one is a fork of; None where it is none, or that one was deleted."""
    parent_seq: int | None = None
    """The event of the parent at which it parts."""

    def amounts(self) -> tuple[Amount, Amount, Amount]:
        """Tokens in, tokens out and cost, with what is unknown of them."""
        estimated = bool(self.tokens_estimated)
        under_way = int(self.ended is None)  # a call may be awaited
        calls, unknown = self.model_calls + under_way, self.tokens_unknown + under_way
        return (
            summed(self.tokens_in, calls, unknown, estimated),
            summed(self.tokens_out, calls, unknown, estimated),
            summed(self.cost, calls, self.cost_unknown + under_way, estimated),
        )


def summed(value: float | None, calls: int, unknown: int, estimated: bool) -> Amount:
    """A sum over calls. A call of which a try broke off has an unknown part beside a known one."""
    return Amount(value or 0, max(calls, unknown + (value is not None)), unknown, estimated)


COLUMNS = ", ".join(field.name for field in fields(RunRow))


Statement = tuple[str, Mapping[str, Any]]
"""SQL and its values by name."""


def changes(id: str, entry: Recorded) -> list[Statement]:
    """What takes an event into its run's row; nothing for one that leaves the row as it is."""
    match entry.event:
        case Asked(question):
            asked = "update runs set question = :question where id = :id and question = ''"
            return [(asked, {"question": question, "id": id}), begun_anew(id)]
        case Reopened():
            return [begun_anew(id)]
        case ModelReplied(_, reply, exchange):
            return with_call(id, reply.usage, exchange, steps=1)
        case ModelFailed(_, _, exchange):
            return with_call(id, Usage(), exchange)
        case TurnEnded(reason):
            ended = "update runs set ended = :at, reason = :reason where id = :id"
            return [(ended, {"at": entry.at, "reason": reason, "id": id})]
    return []


def begun_anew(id: str) -> Statement:
    """The last question has no end any more."""
    return "update runs set ended = null, reason = null where id = :id", {"id": id}


def with_call(id: str, usage: Usage, exchange: Exchange, steps: int = 0) -> list[Statement]:
    """Add one model call, with the parts it adds to the sums; nothing for one that never left."""
    counts = chain([(1, steps)], repeat((0, 0)))  # a try that broke off is part of the call
    parts = zip(counts, parts_of(usage, exchange), strict=False)
    return [with_part(id, *count, *part) for count, part in parts]


def with_part(id: str, calls: int, steps: int, usage: Usage, cost: Cost) -> Statement:
    """Add what was used, and so many calls and steps. A null adds nothing but is counted."""
    unknown = usage.tokens_in is None or usage.tokens_out is None
    return (
        "update runs set model_calls = model_calls + :calls, steps = steps + :steps,"
        " tokens_in = coalesce(tokens_in + :tokens_in, tokens_in, :tokens_in),"
        " tokens_out = coalesce(tokens_out + :tokens_out, tokens_out, :tokens_out),"
        " tokens_unknown = tokens_unknown + :unknown,"
        " tokens_estimated = max(tokens_estimated, :estimated),"
        " cost = coalesce(cost + :cost, cost, :cost), cost_unknown = cost_unknown + :unpriced"
        " where id = :id",
        {
            "calls": calls,
            "steps": steps,
            "tokens_in": usage.tokens_in,
            "tokens_out": usage.tokens_out,
            "unknown": unknown,
            "estimated": usage.estimated,
            "cost": cost.usd,
            "unpriced": cost.usd is None,
            "id": id,
        },
    )
