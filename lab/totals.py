"""Sums over events: steps, tokens, money, time. An unknown part is never counted as zero."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lab.events import Event, ModelAsked, ModelFailed, ModelReplied, ToolFinished, ToolStarted
from lab.messages import NOT_SENT, Cost, Exchange, Usage


@dataclass(frozen=True, slots=True)
class Amount:
    """A sum whose parts may be unknown or estimated."""

    value: float = 0
    """The sum of the known parts."""
    parts: int = 0
    """How many parts there were."""
    unknown: int = 0
    """How many of them were unknown; the sum then is a lower bound."""
    estimated: bool = False
    """True where any part was estimated."""

    def plus(self, part: float | None, estimated: bool = False) -> Amount:
        """The amount with one more part; None is an unknown one."""
        known = part is not None
        return Amount(
            self.value + (part or 0),
            self.parts + 1,
            self.unknown + (not known),
            self.estimated or (known and estimated),
        )

    @property
    def known(self) -> float | None:
        """The sum, or None where not one part of it is known."""
        return None if self.parts and self.unknown == self.parts else self.value


def amount_of(parts: Iterable[tuple[float | None, bool]]) -> Amount:
    """The sum of parts, each with whether it is estimated."""
    amount = Amount()
    for part, estimated in parts:
        amount = amount.plus(part, estimated)
    return amount


@dataclass(frozen=True, slots=True)
class Totals:
    """What a run, a turn or a leg has used."""

    steps: int = 0
    """Model calls that brought a reply."""
    calls: int = 0
    """Tool calls the model asked for."""
    tools_run: int = 0
    """Calls whose tool was started, each once however often it had to start again."""
    tokens_in: Amount = Amount()
    tokens_out: Amount = Amount()
    cost: Amount = Amount()
    """US dollars."""
    model_seconds: float = 0.0
    """Model time, waits excluded."""
    waited_seconds: float = 0.0
    """Waits between attempts."""
    tool_seconds: float = 0.0
    unread: int = 0
    """Characters of the requests that were answered without a word on their tokens."""

    @property
    def seconds(self) -> float:
        return self.model_seconds + self.waited_seconds + self.tool_seconds


def parts_of(usage: Usage, exchange: Exchange) -> list[tuple[Usage, Cost]]:
    """What one model call adds to the sums: its own part, and one for each try that broke off.

    Such a try was answered, so it may be charged, but nobody said how much. One that was refused
    or reached nobody is not charged, and a call that never left adds nothing at all.
    """
    if exchange.cost == NOT_SENT:
        return []
    broken_off = sum(a.status == 200 and bool(a.error) for a in exchange.attempts[:-1])
    lost = exchange.cost if exchange.cost.usd == 0 else Cost(None, "the answer broke off")
    return [(usage, exchange.cost), *[(Usage(), lost)] * broken_off]


def total(events: Iterable[Event]) -> Totals:
    """Sum up the events given, in one pass."""
    # A call that failed, or has no answer yet, may be charged for all the same: unknown, not zero.
    steps = calls = 0
    awaited, sent, unread = False, 0, 0
    started: set[str] = set()
    parts: list[tuple[Usage, Cost]] = []
    tool_seconds = 0.0
    exchanges: list[Exchange] = []
    for event in events:
        match event:
            case ModelAsked(_, request):
                awaited, sent = True, len(request.body)
            case ModelReplied(_, reply, exchange):
                awaited = False
                steps += 1
                calls += len(reply.calls)
                parts += parts_of(reply.usage, exchange)
                unread += sent if reply.usage.tokens_in is None else 0
                exchanges.append(exchange)
            case ModelFailed(_, _, exchange):
                awaited = False
                parts += parts_of(Usage(), exchange)
                exchanges.append(exchange)
            case ToolStarted(call_id):
                started.add(call_id)
            case ToolFinished():
                tool_seconds += event.seconds
    if awaited:
        parts.append((Usage(), Cost(None, "not answered yet")))
    return Totals(
        steps,
        calls,
        len(started),
        amount_of((usage.tokens_in, usage.estimated) for usage, _ in parts),
        amount_of((usage.tokens_out, usage.estimated) for usage, _ in parts),
        amount_of((cost.usd, usage.estimated) for usage, cost in parts),
        sum(e.seconds for e in exchanges),
        sum(e.waited for e in exchanges),
        tool_seconds,
        unread,
    )
