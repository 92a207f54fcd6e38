"""Waiting: the work's own outcome, or an end to the waiting as soon as patience runs out."""

from __future__ import annotations

import threading
import time

import pytest

from lab.waiting import POLL_SECONDS, Endless, GivenUp, result_of


class Until:
    """Patience that ends when told."""

    def __init__(self) -> None:
        self.why = ""

    def give_up(self) -> str:
        return self.why


@pytest.mark.parametrize("result", ["x", "", None, 0])
def test_the_result_of_the_work_is_returned(result: object) -> None:
    assert result_of(lambda: result, Endless()) == result


@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt(), SystemExit(3)])
def test_what_the_work_raises_is_raised(error: BaseException) -> None:
    def work() -> None:
        raise error

    with pytest.raises(type(error)) as raised:
        result_of(work, Endless())
    assert raised.value is error


def test_waiting_ends_with_the_reason_while_the_work_goes_on() -> None:
    patience, release, done = Until(), threading.Event(), threading.Event()

    def work() -> None:
        patience.why = "it takes too long"
        release.wait(60)
        done.set()

    started = time.monotonic()
    with pytest.raises(GivenUp, match="it takes too long"):
        result_of(work, patience)
    assert time.monotonic() - started < 10
    assert not done.is_set()
    release.set()
    assert done.wait(30)


def test_work_that_is_done_is_not_given_up() -> None:
    patience = Until()
    patience.why = "no time"

    def work() -> str:
        time.sleep(POLL_SECONDS / 5)
        return "done"

    assert result_of(work, patience) == "done"
