"""A run: what can be read off its events, and that they are only ever added to."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable

import pytest

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
from lab.messages import Exchange, Message, Notice, Question, Reply, Request, ToolCall, ToolResult
from lab.run import GO_ON, Run
from lab.settings import Settings

Begun = Callable[..., Run]

A, B = ToolCall("a", "send", {"to": "me"}), ToolCall("b", "send", {"to": "you"})
OTHER = ToolCall("c", "echo", {"text": "x"})
CALLS = ModelReplied(1, Reply("", (A, B, OTHER)), Exchange())
ANSWER = ModelReplied(2, Reply("So."), Exchange())


def with_events(run: Run, *events: Event) -> Run:
    for event in events:
        run.record(event)
    return run


def test_events_are_numbered_and_dated_in_order(begun: Begun) -> None:
    recorded = with_events(begun(), CALLS, ANSWER).recorded
    assert [entry.seq for entry in recorded] == [0, 1, 2, 3]
    assert sorted(entry.at for entry in recorded) == [entry.at for entry in recorded]
    utc = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00"
    assert all(re.fullmatch(utc, entry.at) for entry in recorded)


def test_what_the_journal_refuses_is_not_in_the_run() -> None:
    def full(id: str, entry: object) -> None:
        raise OSError("disk full")

    run = Run("x", journal=full)
    with pytest.raises(OSError, match="disk full"):
        run.record(Asked("x"))
    assert run.recorded == ()


def test_the_journal_has_an_event_before_a_reader_does() -> None:
    lengths: list[int] = []
    run = Run("x", journal=lambda id, entry: lengths.append(len(run)))
    with_events(run, Asked("x"), ANSWER)
    assert lengths == [0, 1]


def test_threads_that_record_at_once_get_a_number_each(begun: Begun) -> None:
    run = begun()
    threads = [
        threading.Thread(target=lambda: [run.record(StopAsked()) for _ in range(50)])
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [entry.seq for entry in run.recorded] == list(range(202))


def test_what_was_handed_out_does_not_change(begun: Begun) -> None:
    run = begun()
    before = run.events, run.recorded, tuple(run.messages())
    lengths = [len(part) for part in before]
    run.record(ANSWER)
    assert [len(part) for part in before] == lengths


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (Asked("And?"), Question("And?")),
        (ANSWER, Reply("So.")),
        (ToolFinished("a", "x", failed=True, seconds=2), ToolResult("a", "x", failed=True)),
        (Noticed("correction", "No.", for_model=True), Notice("No.")),
        (Noticed("retry", "Again."), None),
        (ModelAsked(1, Request("POST", "/", "{}", {})), None),
        (ModelFailed(1, "down", Exchange()), None),
        (ConsentGiven("a", allowed=True), None),
        (ToolStarted("a"), None),
        (StopAsked(), None),
        (TurnEnded("answered", "So."), None),
        (Reopened(), None),
    ],
)
def test_an_event_adds_one_message_or_none(
    event: Event, message: Message | None, begun: Begun
) -> None:
    run = with_events(begun(), event)
    assert list(run.messages())[1:] == ([message] if message else [])


def test_going_on_after_a_reply_tells_the_model_so(begun: Begun) -> None:
    run = with_events(begun(), ANSWER, TurnEnded("cut off", "So."), Reopened())
    assert list(run.messages())[-1] == Notice(GO_ON)


def test_a_conversation_has_the_settings_the_run_began_with(
    begun: Begun, settings: Settings
) -> None:
    conversation = begun().conversation()
    assert conversation.system == settings.system
    assert conversation.tools == settings.tools
    assert conversation.messages == (Question("What is it?"),)


def test_a_run_that_has_not_started_has_no_settings() -> None:
    with pytest.raises(LookupError, match="run empty has no RunStarted"):
        _ = Run("empty").settings
    assert Run("empty").turn_is_over()


def test_open_calls_are_those_without_a_result_in_the_models_order(begun: Begun) -> None:
    run = with_events(begun(), CALLS, ToolStarted("a"))
    assert run.open_calls() == [A, B, OTHER]
    run.record(ToolFinished("b", "x"))
    assert run.open_calls() == [A, OTHER]


def test_a_turn_begins_with_its_question_and_a_leg_with_its_reopening(begun: Begun) -> None:
    run = with_events(begun(), CALLS, TurnEnded("stopped"), Reopened(), ANSWER)
    assert run.turn()[0] == Asked("What is it?")
    assert run.leg() == (Reopened(), ANSWER)
    run.record(Asked("And?"))
    assert run.turn() == run.leg() == (Asked("And?"),)


@pytest.mark.parametrize(
    ("events", "over", "stopping"),
    [
        ([], False, False),
        ([StopAsked()], False, True),
        ([StopAsked(), TurnEnded("stopped")], True, True),
        ([StopAsked(), TurnEnded("stopped"), Reopened()], False, False),
        ([StopAsked(), TurnEnded("stopped"), Asked("And?")], False, False),
        ([TurnEnded("answered"), StopAsked()], True, True),
        ([TurnEnded("answered"), StopAsked(), Asked("And?")], False, False),
    ],
)
def test_an_end_and_a_stop_hold_until_the_question_goes_on(
    events: list[Event], over: bool, stopping: bool, begun: Begun
) -> None:
    run = with_events(begun(), *events)
    assert (run.turn_is_over(), run.stopping()) == (over, stopping)
    assert (run.end() is not None) == over


@pytest.mark.parametrize(
    ("events", "failure"),
    [
        ([], ""),
        ([ModelFailed(1, "down", Exchange())], "down"),
        ([ModelFailed(1, "down", Exchange()), ANSWER], ""),
        ([ModelFailed(1, "down", Exchange()), TurnEnded("failed"), Reopened()], ""),
    ],
)
def test_a_failure_holds_until_a_reply_comes_or_a_person_goes_on(
    events: list[Event], failure: str, begun: Begun
) -> None:
    failed = with_events(begun(), *events).failed()
    assert (failed.error if failed else "") == failure


YES, ALWAYS = ConsentGiven("a", allowed=True), ConsentGiven("a", allowed=True, always=True)
NO = ConsentGiven("a", allowed=False, always=True)


@pytest.mark.parametrize(
    ("events", "for_a", "for_b"),
    [
        ([], None, None),
        ([YES], YES, None),
        ([NO], NO, None),
        ([ALWAYS], ALWAYS, ALWAYS),
        ([ALWAYS, ToolStarted("a")], None, ALWAYS),
        ([ALWAYS, ToolStarted("a"), YES], YES, ALWAYS),
        ([ALWAYS, ConsentGiven("b", allowed=False)], ALWAYS, ConsentGiven("b", allowed=False)),
    ],
)
def test_a_decision_stands_for_its_call_until_that_starts_and_always_for_the_tool(
    events: list[Event], for_a: ConsentGiven | None, for_b: ConsentGiven | None, begun: Begun
) -> None:
    run = with_events(begun(), CALLS, *events)
    assert (run.consent(A), run.consent(B), run.consent(OTHER)) == (for_a, for_b, None)
