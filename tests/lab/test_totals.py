"""Totals: what is unknown is counted, never added as zero."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lab.events import Event, ModelFailed, ModelReplied, ToolFinished, ToolStarted
from lab.messages import NOT_SENT, Attempt, Cost, Exchange, Reply, ToolCall, Usage
from lab.prices import FREE
from lab.totals import Amount, Totals, total


@pytest.mark.parametrize(
    ("parts", "known", "unknown"),
    [
        ([], 0, 0),
        ([0.0], 0.0, 0),
        ([None], None, 1),
        ([None, None], None, 2),
        ([1.5, None], 1.5, 1),
        ([1.5, 2.0], 3.5, 0),
    ],
)
def test_a_sum_is_known_as_far_as_one_part_is(
    parts: list[float | None], known: float | None, unknown: int
) -> None:
    amount = Amount()
    for part in parts:
        amount = amount.plus(part)
    assert (amount.known, amount.unknown, amount.parts) == (known, unknown, len(parts))


@pytest.mark.parametrize(
    ("part", "estimated", "result"),
    [(1, True, True), (1, False, False), (None, True, False)],
)
def test_a_sum_is_estimated_where_a_known_part_is(
    part: float | None, estimated: bool, result: bool
) -> None:
    assert Amount().plus(part, estimated).plus(2).estimated is result


TRIED = Exchange(attempts=(Attempt(429, 0.5), Attempt(200, 2.0, waited=1.5)), cost=Cost(0.25, ""))
BROKEN_OFF = Exchange(
    attempts=(Attempt(200, 3.0, error="the answer broke off"), Attempt(200, 2.0)),
    cost=Cost(0.25, ""),
)
REFUSED = Exchange(
    attempts=(
        *(Attempt(status, 1.0, error="x") for status in (429, 500, 503, None)),
        Attempt(200, 1.0),
    ),
    cost=Cost(0.25, ""),
)
CALLS = (ToolCall("a", "echo", {}), ToolCall("b", "echo", {}))


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([], Totals()),
        (
            [ModelReplied(1, Reply("", CALLS, usage=Usage(10, 3)), TRIED)],
            Totals(1, 2, 0, Amount(10, 1), Amount(3, 1), Amount(0.25, 1), 2.5, 1.5),
        ),
        (
            [ModelFailed(1, "down", Exchange(attempts=(Attempt(None, 4.0),)))],
            Totals(0, 0, 0, *[Amount(0, 1, 1)] * 3, model_seconds=4.0),
        ),
        (
            [ToolStarted("a"), ToolStarted("a"), ToolFinished("a", "x", seconds=0.5)],
            Totals(tools_run=1, tool_seconds=0.5),
        ),
        ([ToolFinished("a", "Not run.", failed=True)], Totals()),
        (
            [ModelReplied(1, Reply("x", usage=Usage(10, 3)), BROKEN_OFF)],
            Totals(1, 0, 0, Amount(10, 2, 1), Amount(3, 2, 1), Amount(0.25, 2, 1), 5.0),
        ),
        (
            [
                ModelReplied(1, Reply("x", usage=Usage(10, 3)), TRIED),
                ModelFailed(2, "over the limit", Exchange(cost=NOT_SENT), "money limit"),
            ],
            Totals(1, 0, 0, Amount(10, 1), Amount(3, 1), Amount(0.25, 1), 2.5, 1.5),
        ),
        (  # refused, or nobody was reached: not charged
            [ModelReplied(1, Reply("x", usage=Usage(10, 3)), REFUSED)],
            Totals(1, 0, 0, Amount(10, 1), Amount(3, 1), Amount(0.25, 1), 5.0),
        ),
        (  # what is free is so however often it breaks off
            [ModelReplied(1, Reply("x", usage=Usage(10, 3)), replace(BROKEN_OFF, cost=FREE))],
            Totals(1, 0, 0, Amount(10, 2, 1), Amount(3, 2, 1), Amount(0, 2), 5.0),
        ),
    ],
)
def test_events_sum_up(events: list[Event], expected: Totals) -> None:
    assert total(events) == expected


def test_time_is_that_of_models_waits_and_tools_together() -> None:
    events = [ModelReplied(1, Reply("x"), TRIED), ToolFinished("a", "x", seconds=0.5)]
    assert total(events).seconds == 4.5
