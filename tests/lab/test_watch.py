"""What a call in progress may do to its run, and when it has to stop."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from lab.events import ModelAsked, ModelFailed, Noticed, StopAsked, ToolFinished
from lab.loop import ask
from lab.messages import Conversation, Cost, Exchange, Reply, Request, Usage
from lab.models.model import ModelError, Watch
from lab.run import Run
from lab.settings import Limits
from lab.totals import Totals
from lab.waiting import GivenUp
from lab.watch import RunWatch

Begun = Callable[..., Run]

REQUEST = Request("POST", "/", "{}", {})


def test_what_is_reported_is_recorded_and_what_is_streamed_is_not(begun: Begun) -> None:
    run = begun()
    watch = RunWatch(run, Limits())
    watch.sent(REQUEST)
    watch.noticed("retry", "Again.")
    watch.streamed("It ")
    watch.streamed("is")
    assert run.events[2:] == (ModelAsked(1, REQUEST), Noticed("retry", "Again."))
    assert run.streamed == "It is"


def test_a_new_call_begins_with_nothing_streamed(begun: Begun) -> None:
    run = begun()
    RunWatch(run, Limits()).streamed("old")
    RunWatch(run, Limits())
    assert run.streamed == ""


def test_stop_is_seen_at_once(begun: Begun) -> None:
    run = begun()
    watch = RunWatch(run, Limits())
    assert watch.give_up() == ""
    run.record(StopAsked())
    assert watch.give_up() == "stopped by the person"


def test_no_request_leaves_once_nobody_waits_for_it(begun: Begun) -> None:
    run = begun()
    watch = RunWatch(run, Limits())
    run.record(StopAsked())
    with pytest.raises(GivenUp, match="stopped by the person"):
        watch.sent(REQUEST)
    assert not any(isinstance(event, ModelAsked) for event in run.events)


def test_a_call_that_a_limit_forbids_adds_nothing_to_the_sums(begun: Begun) -> None:
    run = begun()
    with pytest.raises(ModelError, match="1 input token") as error:
        RunWatch(run, Limits(tokens_in=1)).about_to_send(Usage(5), Cost(0.5, ""))
    run.record(ModelFailed(1, str(error.value), error.value.exchange, error.value.reason))
    assert run.totals() == Totals()


def test_time_used_before_and_time_passing_both_count(begun: Begun) -> None:
    run = begun()
    run.record(ToolFinished("a", "x", seconds=9))
    watch = RunWatch(run, Limits(seconds=10))
    first = watch.seconds_left()
    assert first is not None
    assert 0 < first <= 1
    time.sleep(0.01)
    assert (watch.seconds_left() or 0) < first
    assert RunWatch(run, Limits(seconds=9)).give_up() == "the time limit is reached"


def test_without_a_time_limit_nothing_runs_out(begun: Begun) -> None:
    watch = RunWatch(begun(), Limits(seconds=None))
    assert watch.seconds_left() is None
    assert watch.give_up() == ""


class GivesUp:
    """A model that is given up, before its request left or after."""

    where = "nowhere"

    def __init__(self, left: bool) -> None:
        self._left = left

    def load(self) -> None:
        """Nothing to load."""

    def reply(self, conversation: Conversation, watch: Watch) -> tuple[Reply, Exchange]:
        if self._left:
            watch.sent(REQUEST)
        raise GivenUp(f"{len(conversation.messages)} messages in vain")


@pytest.mark.parametrize("left", [False, True])
def test_a_call_given_up_is_an_unknown_part_only_where_something_left(
    begun: Begun, left: bool
) -> None:
    run = begun()
    ask(GivesUp(left), run.conversation(), run, Limits())
    assert run.totals().tokens_in.unknown == left
    assert run.totals().cost.unknown == left
