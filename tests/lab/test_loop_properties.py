"""The loop, whatever the model does: pairing, limits, append-only sending, resuming, stopping."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from scenes import Scene, saved, scenes

from lab.events import (
    ConsentGiven,
    Event,
    ModelAsked,
    ModelFailed,
    ModelReplied,
    Reopened,
    StopAsked,
    ToolFinished,
    ToolStarted,
    TurnEnded,
)
from lab.loop import NeedReply, end_of, is_final, next_need
from lab.messages import ToolCall
from lab.run import Run
from lab.tools.toolbox import Toolbox

Begun = Callable[..., Run]
Drive = Callable[..., Run]
Tools = Callable[..., Toolbox]
Check = Callable[[Any], None]

few = settings(max_examples=40)


def count(events: tuple[Event, ...], *kinds: type) -> int:
    return sum(isinstance(event, kinds) for event in events)


def assert_append_only(run: Run) -> None:
    """Every request extends the one before and changes nothing else."""
    bodies = [json.loads(e.request.body) for e in run.events if isinstance(e, ModelAsked)]
    for before, after in pairwise(bodies):
        sent = before.pop("messages")
        assert after["messages"][: len(sent)] == sent
        assert {**after, "messages": sent} == {**before, "messages": sent}


@few
@given(scenes)
def test_every_call_has_one_result_and_the_run_ends_within_its_limits(
    begun: Begun, drive: Drive, small_tools: Tools, assert_paired: Check, scene: Scene
) -> None:
    tools = small_tools()
    run = drive(begun(), scene.model, tools, scene.limits, scene.decide)
    assert_paired(run.messages())
    assert next_need(run, tools, scene.limits) is None
    assert count(run.events, TurnEnded) == 1
    assert isinstance(run.events[-1], TurnEnded)
    assert count(run.events, ModelReplied) <= scene.limits.steps
    if scene.limits.tool_calls is not None:
        assert count(run.events, ToolStarted) <= scene.limits.tool_calls


@few
@given(scenes)
def test_what_is_sent_only_grows(
    begun: Begun, drive: Drive, small_tools: Tools, scene: Scene
) -> None:
    run = drive(begun(), scene.model, small_tools(), scene.limits, scene.decide)
    assert_append_only(run)
    whole = tuple(run.messages())
    for length in range(2, len(run)):
        part = tuple(begun(run.recorded[:length]).messages())
        assert whole[: len(part)] == part


@few
@given(scenes)
def test_what_is_needed_follows_from_the_events_alone(
    begun: Begun, drive: Drive, small_tools: Tools, scene: Scene
) -> None:
    tools = small_tools(log := [])
    run = drive(begun(), scene.model, tools, scene.limits, scene.decide)
    ran = list(log)
    for length in range(2, len(run) + 1):
        part = begun(run.recorded[:length])
        again = begun(saved(run, length))
        assert next_need(part, tools, scene.limits) == next_need(again, tools, scene.limits)
        assert part.recorded == run.recorded[:length]
    assert log == ran


@few
@given(scenes)
def test_a_run_cut_anywhere_and_resumed_ends_as_the_uncut_one(
    begun: Begun, drive: Drive, small_tools: Tools, scene: Scene
) -> None:
    whole = drive(begun(), scene.model, small_tools(), scene.limits, scene.decide)
    decided = {e.call_id: e for e in whole.events if isinstance(e, ConsentGiven)}

    def as_before(call: ToolCall) -> ConsentGiven:
        return decided.get(call.id) or ConsentGiven(call.id, allowed=True)

    for length in range(2, len(whole)):
        run = drive(
            begun(saved(whole, length)), scene.model, small_tools(), scene.limits, as_before
        )
        assert list(run.messages()) == list(whole.messages())
        assert run.end() == whole.end()
        missing = count(whole.events[length:], ModelReplied, ModelFailed)
        assert count(run.events[length:], ModelAsked) == missing


@few
@given(scenes)
def test_a_tool_with_effects_never_runs_without_a_yes_nor_twice_unseen(
    begun: Begun, drive: Drive, small_tools: Tools, scene: Scene
) -> None:
    whole = drive(begun(), scene.model, small_tools(), scene.limits, scene.decide)
    for length in range(2, len(whole) + 1):
        run = drive(
            begun(saved(whole, length)), scene.model, small_tools(), scene.limits, scene.decide
        )
        sends = {c.id for c in run.calls() if c.name == "send"}
        allowed: set[str] = set()
        always = False
        for event in run.events:
            if isinstance(event, ConsentGiven) and event.call_id in sends:
                always |= event.allowed and event.always
                (allowed.add if event.allowed else allowed.discard)(event.call_id)
            elif isinstance(event, ToolStarted) and event.call_id in sends:
                assert event.call_id in allowed or always
                allowed.discard(event.call_id)
        starts = [e.call_id for e in run.events if isinstance(e, ToolStarted)]
        for id in sends:
            own = [e for e in run.events if isinstance(e, ConsentGiven) and e.call_id == id]
            assert starts.count(id) <= 1 or any(e.allowed for e in own)


@few
@given(scenes)
def test_stop_at_any_moment_leaves_a_history_that_can_be_sent_again(
    begun: Begun, drive: Drive, small_tools: Tools, assert_paired: Check, scene: Scene
) -> None:
    whole = drive(begun(), scene.model, small_tools(), scene.limits, scene.decide)
    for length in range(2, len(whole)):
        tools = small_tools(log := [])
        run = begun(saved(whole, length))
        run.record(StopAsked())
        drive(run, scene.model, tools, scene.limits, scene.decide)
        last, end = run.last_reply(), run.end()
        assert end is not None
        assert end.reason == (end_of(last).reason if last and is_final(last) else "stopped")
        assert not log
        assert all(isinstance(e, ToolFinished | TurnEnded) for e in run.events[length + 1 :])
        assert_paired(run.messages())
        if end.reason == "stopped":
            run.record(Reopened())
            assert isinstance(next_need(run, tools, scene.limits), NeedReply)
            drive(run, scene.model, tools, scene.limits, scene.decide)
            assert run.turn_is_over()
            assert_paired(run.messages())
            assert_append_only(run)
