"""One call with its retries: every attempt is kept, waits are honoured, capped and cut short."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from answers import answer, as_stream

from lab.errors import LabError
from lab.events import ModelFailed, ModelReplied, Noticed, StopAsked
from lab.messages import Conversation
from lab.models import call
from lab.models.call import LONGEST_ASKED, LONGEST_WAIT, MOST_RETRIES, call_model, next_wait
from lab.models.endpoints import Endpoint
from lab.models.failures import Failure
from lab.models.hosted import HostedModel
from lab.models.model import ModelError
from lab.run import Run
from lab.settings import Limits
from lab.waiting import GivenUp

if TYPE_CHECKING:
    from tests.conftest import Loopback

Talk = Callable[..., Conversation]
Play = Callable[..., Run]


@pytest.fixture
def model(wire: Any, loopback: Loopback) -> HostedModel:
    return HostedModel(Endpoint("mine", wire, loopback.url, free=True), "m")


def test_an_overloaded_endpoint_is_asked_again_and_each_attempt_is_kept(
    wire: str, loopback: Loopback, model: HostedModel, play: Play, waits: list[float]
) -> None:
    loopback.json({"error": {"message": "Overloaded"}}, 529)
    loopback.raw("", 429, retry_after="7").say(wire, "It is back.")
    run = play(model)
    (replied,) = [event for event in run.events if isinstance(event, ModelReplied)]
    exchange = replied.exchange
    assert replied.reply.text == "It is back."
    assert [(a.status, a.error) for a in exchange.attempts] == [
        (529, "Overloaded"),
        (429, "no explanation"),
        (200, ""),
    ]
    assert [attempt.waited for attempt in exchange.attempts] == [0, *waits]
    assert waits[1] == 7
    assert exchange.waited == sum(waits)
    assert exchange.seconds < 5 < exchange.waited
    notices = [event.text for event in run.events if isinstance(event, Noticed)]
    assert notices == [
        f"{model.where}: Overloaded (status 529). Trying again in {waits[0]:.1f} s.",
        f"{model.where}: no explanation (status 429). Trying again in 7.0 s.",
    ]
    assert len({received.body for received in loopback.received}) == 1


def test_a_refused_connection_is_tried_again(talk: Talk, watch: Any, waits: list[float]) -> None:
    tried: list[int] = []

    def send(capture: Any) -> str:
        tried.append(1)
        if len(tried) < 3:
            raise ConnectionRefusedError("refused")
        return "ok"

    said, exchange = call_model(send, "here", watch)
    assert said == "ok"
    assert [attempt.error for attempt in exchange.attempts] == ["refused", "refused", ""]
    assert [about for about, _ in watch.notices] == ["retry", "retry"]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413])
def test_what_would_fail_again_is_not_tried_again(
    status: int, loopback: Loopback, model: HostedModel, talk: Talk, watch: Any
) -> None:
    loopback.json({"error": {"message": "no"}}, status)
    with pytest.raises(ModelError) as caught:
        model.reply(talk(), watch)
    assert [attempt.status for attempt in caught.value.exchange.attempts] == [status]
    assert watch.notices == []


def failure(wait: float | None = None, retry: bool = True) -> Failure:
    return Failure("server", "x", 500, retry, wait)


class Left:
    """A watch that only knows how much time is left."""

    def __init__(self, seconds: float | None = None) -> None:
        self.seconds_left = lambda: seconds


@pytest.mark.parametrize(
    ("failed", "tried", "left", "wait"),
    [
        (failure(5), 1, None, 5),
        (failure(5), MOST_RETRIES, None, 5),
        (failure(5), MOST_RETRIES + 1, None, None),
        (failure(5, retry=False), 1, None, None),
        (failure(LONGEST_ASKED), 1, None, LONGEST_ASKED),
        (failure(LONGEST_ASKED + 1), 1, None, None),
        (failure(5), 1, 4, None),
        (failure(5), 1, 6, 5),
        (failure(), 1, 0, None),
        (failure(0), 1, None, 0),
    ],
)
def test_a_wait_is_what_the_endpoint_asks_within_the_cap_and_the_time_left(
    failed: Failure, tried: int, left: float | None, wait: float | None
) -> None:
    assert next_wait(failed, tried, Left(left)) == wait  # type: ignore[arg-type]


@pytest.mark.parametrize(("tried", "least", "most"), [(1, 0.375, 0.5), (2, 0.75, 1.0)])
def test_a_wait_nobody_asked_for_doubles(tried: int, least: float, most: float) -> None:
    for _ in range(50):
        wait = next_wait(failure(), tried, Left())  # type: ignore[arg-type]
        assert wait is not None
        assert least <= wait <= most <= LONGEST_WAIT


def test_stop_cuts_a_wait_short(
    loopback: Loopback, model: HostedModel, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    loopback.raw("", 503, retry_after="30")
    began, real = threading.Event(), call.rest

    def rest(seconds: float, watch: Any) -> float:
        began.set()
        watch._run.record(StopAsked())
        return real(seconds, watch)

    monkeypatch.setattr(call, "rest", rest)
    started = time.monotonic()
    run = play(model)
    assert began.is_set()
    assert time.monotonic() - started < 5
    end = run.end()
    assert end is not None
    assert end.reason == "stopped"
    assert len(loopback.received) == 1


def test_a_wait_longer_than_the_time_left_ends_the_call_at_once(
    loopback: Loopback, model: HostedModel, play: Play
) -> None:
    loopback.raw('{"error": "busy"}', 503, retry_after="30")
    started = time.monotonic()
    run = play(model, Limits(seconds=10))
    assert time.monotonic() - started < 5
    (failed,) = [event for event in run.events if isinstance(event, ModelFailed)]
    assert "busy" in failed.error


def test_a_real_wait_is_counted_apart_from_model_time(
    loopback: Loopback, model: HostedModel, wire: str, talk: Talk, watch: Any
) -> None:
    loopback.raw("", 503, retry_after_ms="120").say(wire, "Yes.")
    started = time.monotonic()
    _, exchange = model.reply(talk(), watch)
    assert time.monotonic() - started >= 0.12
    assert 0.12 <= exchange.waited < 1
    assert exchange.attempts[0].waited == 0


def test_a_fault_of_ours_is_raised_on_and_not_tried_again(watch: Any) -> None:
    def send(capture: Any) -> str:
        raise LabError("the store is full")

    with pytest.raises(LabError, match="the store is full"):
        call_model(send, "here", watch)
    assert watch.notices == []


def test_a_call_that_is_given_up_closes_its_connection_and_keeps_what_came(watch: Any) -> None:
    closed = threading.Event()

    def send(capture: Any) -> str:
        capture.close = closed.set
        watch.stopped = "stopped by the person"
        closed.wait(10)
        raise OSError("closed")

    with pytest.raises(ModelError, match="here: stopped by the person") as caught:
        call_model(send, "here", watch)
    assert closed.is_set()
    assert isinstance(caught.value.__cause__, GivenUp)
    (attempt,) = caught.value.exchange.attempts
    assert attempt.error == "stopped by the person"


def test_stop_in_the_middle_of_a_stream_keeps_what_had_come(
    wire: str, loopback: Loopback, model: HostedModel, talk: Talk, watch: Any
) -> None:
    first = as_stream(answer(wire, "It is here."))[:6]
    shown = threading.Event()
    watch.streamed = lambda text: shown.set()

    def stopping() -> Any:
        yield from first
        shown.wait(10)
        watch.stopped = "stopped by the person"
        loopback.closing.wait(30)

    loopback.stream(stopping())
    with pytest.raises(ModelError, match="stopped by the person") as caught:
        model.reply(talk(), watch)
    exchange = caught.value.exchange
    assert exchange.response
    assert b"".join(first).decode().startswith(exchange.response)
    assert exchange.first_token is not None


def test_stop_between_two_pieces_of_a_stream_makes_no_answer_of_half_of_it(
    wire: str, loopback: Loopback, model: HostedModel, talk: Talk, watch: Any
) -> None:
    def stop(text: str) -> None:
        watch.stopped = "stopped by the person"

    watch.streamed = stop
    loopback.say(wire, "It is here.")
    with pytest.raises(ModelError, match="stopped by the person"):
        model.reply(talk(), watch)
