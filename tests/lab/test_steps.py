"""The steps a person reads, built from the events alone."""

from __future__ import annotations

from collections.abc import Callable

from lab.events import (
    Asked,
    ConsentGiven,
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
from lab.messages import Attempt, Exchange, Reply, Request, ToolCall
from lab.models.scripted import Scripted
from lab.run import Run
from lab.steps import turns
from lab.tools.toolbox import Toolbox

Begun = Callable[..., Run]
Drive = Callable[..., Run]
Tools = Callable[..., Toolbox]

REQUEST = Request("POST", "/", "{}", {})
CALL = ToolCall("a", "send", {"to": "me"})
CALLS = ModelReplied(1, Reply("", (CALL,)), Exchange(attempts=(Attempt(200, 2.0),)))
ANSWER = ModelReplied(2, Reply("So."), Exchange())


def test_a_whole_run_is_its_steps_with_every_call_and_result(
    begun: Begun, drive: Drive, small_tools: Tools
) -> None:
    calls = (ToolCall("", "echo", {"text": "x"}), ToolCall("", "nobody", {}))
    run = drive(begun(), Scripted([Reply("", calls), Reply("It is this.")]), small_tools())
    [turn] = turns(run.events)
    assert (turn.question, [step.number for step in turn.steps]) == ("What is it?", [1, 2])
    first, second = turn.steps
    found = [(view.call.name, view.started, view.result) for view in first.calls]
    assert [(name, started) for name, started, _ in found] == [("echo", True), ("nobody", True)]
    assert [result.failed for _, _, result in found if result] == [False, True]
    assert first.tool_seconds == sum(result.seconds for _, _, result in found if result) > 0
    assert second.reply
    assert second.reply.text == "It is this."
    assert turn.end == TurnEnded("answered", "It is this.")


def test_every_beginning_of_a_run_can_be_shown(
    begun: Begun, drive: Drive, small_tools: Tools
) -> None:
    replies = [Reply("", (CALL, CALL)), Reply("", fault="Empty."), Reply("So.")]
    run = drive(begun(), Scripted(replies), small_tools())
    for length in range(len(run) + 1):
        events = run.events[:length]
        shown = [step for turn in turns(events) for step in turn.steps]
        assert len(shown) == sum(isinstance(e, ModelAsked) for e in events)
        replied = [step.reply for step in shown if step.reply]
        assert replied == [e.reply for e in events if isinstance(e, ModelReplied)]
        results = [view.result for step in shown for view in step.calls if view.result]
        assert results == [e for e in events if isinstance(e, ToolFinished)]


def test_a_step_that_waits_has_its_request_and_no_reply() -> None:
    [turn] = turns([Asked("x"), ModelAsked(1, REQUEST)])
    [step] = turn.steps
    assert (step.request, step.reply, step.exchange, step.failure) == (REQUEST, None, None, "")


def test_a_failed_call_keeps_its_place_and_its_evidence() -> None:
    evidence = Exchange("no such model")
    [turn] = turns([Asked("x"), ModelAsked(1, REQUEST), ModelFailed(1, "Status 404.", evidence)])
    [step] = turn.steps
    assert (step.failure, step.exchange, step.reply) == ("Status 404.", evidence, None)


def test_a_reply_from_elsewhere_is_a_step_that_was_not_sent() -> None:
    [turn] = turns([Asked("x"), ModelAsked(1, REQUEST), CALLS, ANSWER])
    assert [step.request.sent for step in turn.steps] == [True, False]
    assert [step.number for step in turn.steps] == [1, 2]


def test_a_decision_stands_at_its_call() -> None:
    events = [Asked("x"), CALLS, ConsentGiven("a", allowed=False)]
    assert [view.allowed for view in turns(events)[0].steps[0].calls] == [False]
    events += [ConsentGiven("a", allowed=True), ToolStarted("a")]
    [view] = turns(events)[0].steps[0].calls
    assert (view.allowed, view.started, view.result) == (True, True, None)


def test_a_notice_stands_where_it_was_said() -> None:
    before, during = Noticed("index changed", "It changed."), Noticed("retry", "Again.")
    [turn] = turns([Asked("x"), before, ModelAsked(1, REQUEST), during])
    assert turn.notices == [before]
    assert turn.steps[0].notices == [during]


def test_going_on_takes_back_the_end_and_the_stop() -> None:
    events = [Asked("x"), CALLS, StopAsked(), TurnEnded("stopped")]
    [turn] = turns(events)
    assert (turn.stopping, turn.end) == (True, TurnEnded("stopped"))
    [turn] = turns([*events, Reopened()])
    assert (turn.stopping, turn.end) == (False, None)


def test_each_question_has_its_own_steps() -> None:
    events = [Asked("x"), CALLS, TurnEnded("answered", "So."), Asked("y"), ANSWER]
    assert [(turn.question, len(turn.steps)) for turn in turns(events)] == [("x", 1), ("y", 1)]


def test_a_run_without_a_question_has_no_turns(begun: Begun) -> None:
    assert turns(begun().events[:1]) == []
