"""Limits: each ends a question by its name, counts per question, and leaves no call open."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from lab.events import (
    Asked,
    Event,
    ModelAsked,
    ModelFailed,
    ModelReplied,
    Reopened,
    ToolFinished,
    ToolStarted,
)
from lab.limits import reached, seconds_left, several, why_not_run, would_exceed
from lab.messages import Attempt, Cost, Exchange, Reply, Request, ToolCall, Usage
from lab.models.scripted import Scripted
from lab.run import Run
from lab.settings import Limits
from lab.tools.toolbox import Toolbox

Begun = Callable[..., Run]
Drive = Callable[..., Run]
Tools = Callable[..., Toolbox]

ECHO = ToolCall("", "echo", {"text": "x"})
CALLS = Reply("", (ECHO,))
ANSWER = Reply("It is this.")
WIDE = Limits(steps=100, tool_calls=None, tokens_in=None, cost=None, seconds=None)


def spent(
    tokens: int | None = 0, usd: float | None = 0.0, seconds: float = 0.0, waited: float = 0.0
) -> ModelReplied:
    attempt = Attempt(200, seconds, waited)
    return ModelReplied(
        1, Reply("", usage=Usage(tokens, 0)), Exchange(attempts=(attempt,), cost=Cost(usd, ""))
    )


@pytest.mark.parametrize(
    ("limits", "events", "name"),
    [
        (Limits(steps=2), [spent()], None),
        (Limits(steps=2), [spent(), spent()], "step limit"),
        (Limits(tokens_in=10), [spent(9)], None),
        (Limits(tokens_in=10), [spent(4), spent(6)], "token limit"),
        (Limits(tokens_in=10), [spent(None)], None),
        (Limits(cost=0.5), [spent(usd=0.25)], None),
        (Limits(cost=0.5), [spent(usd=0.25), spent(usd=0.25)], "money limit"),
        (Limits(cost=0.5), [spent(usd=None)], None),
        (Limits(seconds=3), [spent(seconds=2.5)], None),
        (Limits(seconds=3), [spent(seconds=1), spent(seconds=1, waited=1)], "time limit"),
        (Limits(seconds=3), [ToolStarted("a"), ToolFinished("a", "x", seconds=3)], "time limit"),
        (
            Limits(seconds=3),
            [ModelFailed(1, "late", Exchange(attempts=(Attempt(None, 3),)))],
            "time limit",
        ),
        (WIDE, [spent(10**9, 10.0**6, 10.0**6)] * 99, None),
    ],
)
def test_a_limit_is_reached_by_its_name(
    limits: Limits, events: list[Event], name: str | None, begun: Begun
) -> None:
    run = begun()
    for event in events:
        run.record(event)
    found = reached(run, limits)
    assert (found and found[0]) == name


@pytest.mark.parametrize(
    ("limits", "end"),
    [
        (Limits(steps=3), "step limit"),
        (Limits(tool_calls=1), "tool limit"),
        (Limits(tokens_in=1), "token limit"),
        (Limits(cost=0.0), "money limit"),
        (Limits(seconds=0.0), "time limit"),
    ],
)
def test_a_model_that_calls_without_end_is_ended(
    limits: Limits, end: str, begun: Begun, drive: Drive, small_tools: Tools
) -> None:
    run = drive(begun(), Scripted([CALLS] * 50), small_tools(), limits)
    ended = run.end()
    assert ended
    assert (ended.reason, ended.answer) == (end, "")
    assert ended.detail
    assert run.open_calls() == []


def test_the_tool_limit_amid_parallel_calls_still_answers_each(
    begun: Begun, drive: Drive, small_tools: Tools, assert_paired: Callable[..., None]
) -> None:
    log: list[str] = []
    model = Scripted([Reply("", (ECHO,) * 5), ANSWER])
    run = drive(begun(), model, small_tools(log), Limits(tool_calls=2))
    assert len(log) == 2
    results = [e for e in run.events if isinstance(e, ToolFinished)]
    assert [e.failed for e in results] == [False, False, True, True, True]
    assert results[-1].content == (
        "Not run: the limit of 2 tool calls for this question is reached."
    )
    assert_paired(run.messages())
    ended = run.end()
    assert ended
    assert ended.reason == "tool limit"


def test_as_many_calls_as_allowed_leave_room_for_the_answer(
    begun: Begun, drive: Drive, small_tools: Tools
) -> None:
    model = Scripted([Reply("", (ECHO, ECHO)), ANSWER])
    run = drive(begun(), model, small_tools(), Limits(steps=2, tool_calls=2))
    ended = run.end()
    assert ended
    assert ended.reason == "answered"


def test_time_used_up_by_one_tool_refuses_the_next(begun: Begun) -> None:
    run = begun()
    run.record(ToolFinished("a", "x", seconds=5))
    assert why_not_run(ECHO, run, Limits(seconds=5)).startswith("Not run: the limit of 5 seconds")
    assert why_not_run(ECHO, run, Limits(seconds=6)) == ""


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (0, "0 seconds"),
        (1, "1 second"),
        (1.0, "1 second"),
        (0.5, "0.5 seconds"),
        (2, "2 seconds"),
        (300.0, "300 seconds"),
        (4096, "4,096 seconds"),
    ],
)
def test_a_noun_agrees_with_its_number(count: float, said: str) -> None:
    assert several(count, "second") == said


def test_no_limit_of_one_is_put_in_the_plural(begun: Begun) -> None:
    run = begun()
    run.record(spent(2, 2.0, 2.0))
    run.record(ModelReplied(2, Reply("", (ECHO, ECHO)), Exchange()))
    run.record(ToolStarted("a"))
    ones = [
        Limits(steps=1),
        Limits(tool_calls=1),
        Limits(tokens_in=1),
        Limits(seconds=1.0),
    ]
    ends = [found[1] for limits in ones if (found := reached(run, limits))]
    ahead = would_exceed(run, Limits(tokens_in=1), Usage(5), Cost(0.0, ""))
    calls = [
        why_not_run(ECHO, run, Limits(tool_calls=1)),
        why_not_run(ECHO, run, Limits(seconds=1)),
    ]
    assert ahead
    said = [*ends, ahead[1], *calls]
    assert len(said) == 7
    assert not [text for text in said if re.search(r"\b1 \w+( \w+)?s\b", text)]


def test_tokens_that_nobody_counted_are_reckoned_against_the_limit(begun: Begun) -> None:
    run = begun()
    run.record(ModelAsked(1, Request("POST", "x", "b" * 40, {})))
    run.record(spent(None))
    assert reached(run, Limits(tokens_in=11)) is None
    assert reached(run, Limits(tokens_in=10)) == ("token limit", "10 of 10 input tokens used.")
    assert would_exceed(run, Limits(tokens_in=12), Usage(3), Cost(0.0, ""))
    assert run.used().tokens_in.known is None, "what is told stays unknown"


def test_a_limit_on_money_is_not_kept_blindly(begun: Begun) -> None:
    run = begun()
    run.record(spent(None, usd=None))
    found = would_exceed(run, Limits(cost=0.5), Usage(1), Cost(0.1, ""))
    assert found
    assert "does not say what its answers used" in found[1]
    assert would_exceed(run, Limits(cost=None), Usage(1), Cost(0.1, "")) is None


@pytest.mark.parametrize("fresh", [Asked("And that?"), Reopened()])
@pytest.mark.parametrize(
    "limits",
    [
        Limits(steps=1),
        Limits(tokens_in=1),
        Limits(cost=1.0),
        Limits(seconds=1),
        Limits(tool_calls=0),
    ],
)
def test_limits_count_afresh_for_a_question_and_after_reopening(
    fresh: Event, limits: Limits, begun: Begun
) -> None:
    run = begun()
    run.record(spent(5, 2.0, 2.0))
    run.record(ModelReplied(2, CALLS, Exchange()))
    assert reached(run, limits)
    run.record(fresh)
    assert reached(run, limits) is None


def test_seconds_left_never_fall_below_zero(begun: Begun) -> None:
    run = begun()
    run.record(spent(seconds=4))
    assert seconds_left(run, Limits(seconds=10)) == 6
    assert seconds_left(run, Limits(seconds=1)) == 0
    assert seconds_left(run, Limits(seconds=None)) is None


def test_a_tool_that_outlasts_the_time_is_given_up_and_the_question_ends(
    begun: Begun, drive: Drive
) -> None:
    import threading

    from lab.tools.tool import tool

    release = threading.Event()

    def wait() -> str:
        """Wait."""
        release.wait(60)
        return "waited"

    model = Scripted([Reply("", (ToolCall("", "wait", {}),)), ANSWER])
    run = drive(begun(), model, Toolbox([tool(wait)]), Limits(seconds=0.2))
    release.set()
    [result] = [e for e in run.events if isinstance(e, ToolFinished)]
    assert result.content == "wait did not finish: the time limit is reached."
    ended = run.end()
    assert ended
    assert ended.reason == "time limit"
