"""A model elsewhere: the run parks with its request, and takes one reply to it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import settings as configured
from hypothesis import strategies as st
from scenes import saved

from lab.elsewhere import (
    NO_ENDPOINT,
    REPLY_CHARACTERS,
    NotAwaitedError,
    Parking,
    awaited,
    give_up,
    park,
    played,
    read_text,
    take,
)
from lab.events import Asked, ModelAsked, ModelFailed, ModelReplied, RunStarted
from lab.limits import TIME_IS_UP
from lab.messages import Message, Reply, ToolCall
from lab.models.catalog import BROWSER, PERSON
from lab.models.scripted import Scripted
from lab.replay import replay
from lab.run import Run
from lab.settings import Limits, Settings
from lab.tools.toolbox import Toolbox
from lab.totals import total

Small = Callable[..., Toolbox]
names = st.sampled_from(["echo", "add", "broken", "nobody", ""])
arguments = st.sampled_from([{"text": "x"}, {"a": 1, "b": 2}, {"a": "1"}, {}])
calls = st.builds(ToolCall, st.just(""), names, arguments) | st.builds(
    ToolCall, st.just(""), names, st.none(), st.just("{"), st.just("Not JSON.")
)
calling = st.lists(calls, min_size=1, max_size=3).map(lambda made: Reply("", tuple(made)))
turns = st.lists(calling, max_size=4).map(lambda made: [*made, Reply("It is this.")])


FIRST = 2
"""Place of the first request in a run: after its start and its question."""
few = configured(max_examples=60)


@pytest.fixture
def run(settings: Settings) -> Run:
    """A run that a person plays, with its question asked."""
    return asked(settings, PERSON)


def asked(settings: Settings, model: str) -> Run:
    run = Run("run")
    protocol = "react" if model == BROWSER else "native"
    run.record(RunStarted(replace(settings, model=model, protocol=protocol)))
    run.record(Asked("What is it?"))
    return run


def play(run: Run, replies: Iterable[Reply], tools: Toolbox, limits: Limits | None = None) -> Run:
    """Park, reply, and so on while the run waits."""
    park(run, tools, limits or Limits())
    for reply in replies:
        if asks := awaited(run):
            take(run, asks.seq, played(reply.text, reply.calls, run.conversation()))
            park(run, tools, limits or Limits())
    return run


def newest(run: Run) -> int:
    """Place of the request that waits."""
    asks = awaited(run)
    assert asks
    return asks.seq


def said(messages: Iterable[Message]) -> list[object]:
    """What was said, whatever it took."""
    return [(m.text, m.calls) if isinstance(m, Reply) else m for m in messages]


@few
@given(turns)
def test_a_person_gets_the_requests_and_the_run_that_a_model_would_have_got(
    small_tools: Small, settings: Settings, drive: Callable[..., Run], replies: list[Reply]
) -> None:
    person = play(asked(settings, PERSON), replies, small_tools())
    model = drive(asked(settings, "demo"), Scripted(replies, PERSON), small_tools())
    assert said(person.messages()) == said(model.messages())
    assert person.end() == model.end()
    requests = [
        [json.loads(e.request.body) for e in run.events if isinstance(e, ModelAsked)]
        for run in (person, model)
    ]
    assert requests[0] == requests[1]
    assert total(person.events).tokens_in == total(model.events).tokens_in


@few
@given(turns, st.data())
def test_a_run_loaded_at_any_event_goes_on_and_asks_for_nothing_twice(
    small_tools: Small, settings: Settings, replies: list[Reply], data: st.DataObject
) -> None:
    whole = play(asked(settings, PERSON), replies, small_tools())
    length = data.draw(st.integers(2, len(whole)))
    kept = Run("run", saved(whole, length))
    left = replies[sum(isinstance(e, ModelReplied) for e in kept.events) :]
    play(kept, left, small_tools())
    assert said(kept.messages()) == said(whole.messages())
    steps = [e.step for e in kept.events if isinstance(e, ModelAsked)]
    assert steps == list(range(1, len(replies) + 1))
    assert not [beat.fault for beat in replay(kept.recorded, small_tools(), Limits()) if beat.fault]


def test_what_waits_says_that_nothing_was_sent_and_that_no_endpoint_was_called(
    run: Run, small_tools: Small
) -> None:
    park(run, small_tools(), Limits())
    waiting = awaited(run)
    assert waiting
    assert not waiting.request.sent
    body = json.loads(waiting.request.body)
    assert [tool["function"]["name"] for tool in body["tools"]] == ["echo", "add", "broken", "send"]
    assert body["messages"][-1] == {"role": "user", "content": "What is it?"}
    take(run, FIRST, Reply("It is this."))
    replied = run.events[-1]
    assert isinstance(replied, ModelReplied)
    assert replied.exchange.cost == NO_ENDPOINT
    assert replied.reply.usage.estimated
    assert 0 <= replied.exchange.seconds < 60


def test_a_reply_that_many_send_at_once_is_recorded_once(run: Run, small_tools: Small) -> None:
    park(run, small_tools(), Limits())
    gate, dropped = threading.Barrier(8), []

    def send() -> None:
        gate.wait()
        try:
            take(run, FIRST, Reply("It is this."))
        except NotAwaitedError as error:
            dropped.append(str(error))

    senders = [threading.Thread(target=send) for _ in range(8)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join(30)
    assert sum(isinstance(e, ModelReplied) for e in run.events) == 1
    assert dropped == ["The request waits for no reply any more, so this one is dropped."] * 7


@pytest.mark.parametrize("seq", [-1, 0, 1, FIRST + 1])
def test_a_reply_to_another_request_is_dropped(run: Run, small_tools: Small, seq: int) -> None:
    park(run, small_tools(), Limits())
    before = run.events
    with pytest.raises(NotAwaitedError):
        take(run, seq, Reply("It is this."))
    with pytest.raises(NotAwaitedError):
        give_up(run, seq, "no reason")
    assert run.events == before


def test_a_late_reply_is_none_to_the_first_step_of_the_next_question(
    run: Run, small_tools: Small
) -> None:
    play(run, [Reply("It is this.")], small_tools())
    run.record(Asked("And that?"))
    park(run, small_tools(), Limits())
    asks = awaited(run)
    assert asks
    assert asks.step == 1
    with pytest.raises(NotAwaitedError):
        take(run, FIRST, Reply("Late."))


def test_a_run_of_a_model_that_can_be_called_waits_for_nobody(settings: Settings) -> None:
    run = asked(settings, "demo")
    park(run, Toolbox([]), Limits())
    assert awaited(run) is None


def test_stop_ends_a_parked_run_and_a_late_reply_changes_nothing(
    run: Run, small_tools: Small, assert_paired: Callable[[Iterable[Message]], None]
) -> None:
    runner = Parking(run, small_tools(), Limits())
    runner.join(30)
    assert awaited(run)
    runner.stop()
    end = run.end()
    assert end
    assert end.reason == "stopped"
    events = run.events
    with pytest.raises(NotAwaitedError):
        take(run, FIRST, Reply("It is this."))
    runner.stop()
    assert run.events == events
    assert_paired(list(run.messages()))


@pytest.mark.parametrize("attempt", range(20))
def test_a_reply_and_a_stop_at_once_leave_one_of_them_and_a_stopped_or_answered_run(
    run: Run, small_tools: Small, attempt: int
) -> None:
    runner = Parking(run, small_tools(), Limits())
    runner.join(30)
    gate = threading.Barrier(2)

    def reply() -> None:
        gate.wait()
        with suppress(NotAwaitedError):
            take(run, FIRST, Reply("", (ToolCall("a", "echo", {"text": "x"}),), stop="tools"))
            park(run, small_tools(), Limits())

    sender = threading.Thread(target=reply)
    sender.start()
    gate.wait()
    runner.stop()
    sender.join(30)
    end = run.end()
    assert end
    assert end.reason == "stopped"
    first = [e for e in run.events if isinstance(e, ModelReplied | ModelFailed) and e.step == 1]
    assert len(first) == 1
    assert not run.open_calls()


def test_a_parked_run_is_under_way_and_goes_on_with_what_is_brought(
    run: Run, small_tools: Small
) -> None:
    runner = Parking(run, small_tools(), Limits())
    runner.join(30)
    assert runner.working
    call = ToolCall("a", "echo", {"text": "x"})
    runner.bring(lambda run: take(run, FIRST, Reply("", (call,), stop="tools")))
    runner.join(30)
    assert runner.working
    with pytest.raises(NotAwaitedError):
        runner.bring(lambda run: take(run, FIRST, Reply("Again.")))
    runner.bring(lambda run: take(run, newest(run), Reply("It is x.")))
    runner.join(30)
    assert not runner.working
    end = run.end()
    assert end
    assert (end.reason, end.answer) == ("answered", "It is x.")


def test_limits_hold_for_a_person_as_for_a_model(run: Run, small_tools: Small) -> None:
    many = [Reply("", (ToolCall("", "echo", {"text": "x"}),))] * 9
    play(run, many, small_tools(), Limits(steps=3))
    end = run.end()
    assert end
    assert (end.reason, run.totals().steps) == ("step limit", 3)


def browser_run(settings: Settings, tools: Toolbox, *texts: str) -> Run:
    """A run whose replies are these texts of a browser's model."""
    run = asked(settings, BROWSER)
    park(run, tools, Limits())
    for text in texts:
        waiting = awaited(run)
        assert waiting
        take(run, waiting.seq, read_text(text, run.conversation()), 0.0, text)
        park(run, tools, Limits())
    return run


def test_a_browser_gets_text_with_a_schema_and_its_json_is_read_as_a_call(
    settings: Settings, small_tools: Small
) -> None:
    call = '{"thought": "why", "action": "echo", "input": {"text": "x"}}'
    final = '{"thought": "", "action": "final", "input": "It is x."}'
    run = browser_run(settings, small_tools(), call, final)
    first, second = [e.request for e in run.events if isinstance(e, ModelAsked)]
    body = json.loads(second.body)
    assert [m["role"] for m in body["messages"]] == ["system", "user", "assistant", "user"]
    assert "echo: Return the text." in body["messages"][0]["content"]
    assert body["messages"][2]["content"] == call
    assert body["messages"][3]["content"] == "Observation from echo:\nx"
    assert body["responseConstraint"]["properties"]["action"]["enum"][-1] == "final"
    assert body["messages"][:2] == json.loads(first.body)["messages"]
    end = run.end()
    assert end
    assert (end.reason, end.answer) == ("answered", "It is x.")
    replies = [e for e in run.events if isinstance(e, ModelReplied)]
    assert [e.exchange.response for e in replies] == [call, final]


def test_three_unreadable_texts_in_a_row_end_as_format(
    settings: Settings, small_tools: Small
) -> None:
    run = browser_run(settings, small_tools(), "Hm.", "{}", "")
    end = run.end()
    assert end
    assert end.reason == "format"


def test_a_text_without_end_is_cut_and_not_read(settings: Settings, small_tools: Small) -> None:
    run = browser_run(settings, small_tools(), "x" * (REPLY_CHARACTERS + 1))
    end = run.end()
    assert end
    assert (end.reason, len(end.answer)) == ("cut off", REPLY_CHARACTERS)


@pytest.mark.parametrize(
    ("why", "reason", "detail"),
    [
        ("This browser has none.", "failed", "browser/built-in: This browser has none."),
        (TIME_IS_UP, "time limit", "300 seconds"),
    ],
)
def test_a_browser_that_cannot_reply_ends_the_question_in_words(
    settings: Settings, small_tools: Small, why: str, reason: str, detail: str
) -> None:
    run = browser_run(settings, small_tools())
    give_up(run, FIRST, why)
    park(run, small_tools(), Limits())
    end = run.end()
    assert end
    assert end.reason == reason
    assert detail in end.detail


@pytest.mark.parametrize(("told", "least", "most"), [(0.0, 0, 0), (-1.0, 0, 0), (1e9, 0, 60)])
def test_seconds_told_by_a_browser_are_believed_up_to_the_time_that_was_waited(
    settings: Settings, small_tools: Small, told: float, least: float, most: float
) -> None:
    run = browser_run(settings, small_tools())
    take(run, FIRST, Reply("It is this."), told)
    replied = run.events[-1]
    assert isinstance(replied, ModelReplied)
    assert least <= replied.exchange.seconds <= most
