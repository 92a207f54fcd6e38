"""Replay: what the loop recorded asks for the same things; what was changed afterwards does not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenes import Scene, saved, scenes

from lab.events import (
    Asked,
    ConsentGiven,
    Event,
    ModelAsked,
    ModelReplied,
    Noticed,
    Reopened,
    StopAsked,
    ToolFinished,
    ToolStarted,
    TurnEnded,
)
from lab.loop import next_need
from lab.messages import Reply, ToolCall
from lab.models.scripted import Scripted
from lab.moment import Moment, moment
from lab.prepare import can_go_on
from lab.replay import AsRecorded, Beat, replay
from lab.run import Recorded, Run
from lab.settings import Limits
from lab.tools.toolbox import Toolbox

Begun = Callable[..., Run]
Drive = Callable[..., Run]
Tools = Callable[..., Toolbox]

few = settings(max_examples=60)
ECHO = ToolCall("a", "echo", {"text": "x"})
SEND = ToolCall("b", "send", {"to": "me"})


def beats(run: Run, limits: Limits | None = None, tools: Toolbox | None = None) -> list[Beat]:
    return replay(run.recorded, tools or AsRecorded(run.events), limits or Limits())


def fault(run: Run, limits: Limits | None = None, tools: Toolbox | None = None) -> str:
    return beats(run, limits, tools)[-1].fault


def numbered(begun: Begun, *events: Event) -> Run:
    """A run of these events, as if they had been recorded so."""
    return begun([Recorded(seq, "2026-01-01", event) for seq, event in enumerate(events)])


@pytest.fixture
def two_tools(begun: Begun, drive: Drive, small_tools: Tools) -> Run:
    """A run with a tool, one that a person agreed to, a faulty reply, and an answer."""
    replies = [Reply("", (ECHO, SEND)), Reply("", fault="Your reply is empty."), Reply("So.")]
    return drive(begun(), Scripted(replies), small_tools())


@few
@given(scenes)
def test_whatever_the_loop_recorded_asks_for_the_same_things_in_the_same_order(
    begun: Begun, drive: Drive, small_tools: Tools, scene: Scene
) -> None:
    tools = small_tools()
    run = drive(begun(), scene.model, tools, scene.limits, scene.decide)
    for by in (tools, AsRecorded(run.events)):
        found = replay(run.recorded, by, scene.limits)
        assert not found[-1].fault
        assert [entry for beat in found for entry in beat.entries] == list(run.recorded)


@few
@given(scene=scenes, length=st.integers(2, 40), stop=st.booleans())
def test_a_run_cut_or_stopped_anywhere_and_gone_on_with_does_too(
    *, begun: Begun, drive: Drive, small_tools: Tools, scene: Scene, length: int, stop: bool
) -> None:
    whole = drive(begun(), scene.model, small_tools(), scene.limits, scene.decide)
    tools, run = small_tools(), begun(saved(whole, min(length, len(whole))))
    if stop:
        run.record(StopAsked())
    drive(run, scene.model, tools, scene.limits, scene.decide)
    if can_go_on(run):
        run.record(Reopened())
        run.record(Noticed("index changed", "The site's index changed."))
        drive(run, scene.model, tools, scene.limits, scene.decide)
    run.record(Asked("And then?"))
    drive(run, scene.model, tools, scene.limits, scene.decide)
    assert not replay(run.recorded, tools, scene.limits)[-1].fault


@few
@given(scenes, st.integers(1, 40))
def test_an_event_that_is_left_out_is_missed(
    begun: Begun, drive: Drive, small_tools: Tools, scene: Scene, place: int
) -> None:
    run = drive(begun(), scene.model, small_tools(), scene.limits, scene.decide)
    place = min(place, len(run) - 2)
    kept = [entry for entry in run.recorded if entry.seq != place]
    assert fault(begun(kept), scene.limits) == f"Event {place} is missing."


def test_a_beat_is_a_need_with_all_that_met_it(two_tools: Run) -> None:
    found = [(type(b.need).__name__, len(b.entries)) for b in beats(two_tools)]
    assert found == [
        *(("NoneType", 1), ("NoneType", 1), ("NeedReply", 2), ("NeedTool", 2)),
        *(("NeedConsent", 1), ("NeedTool", 2), ("NeedReply", 2), ("NeedCorrection", 1)),
        *(("NeedReply", 2), ("NeedEnd", 1)),
    ]


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (Asked, "Event 1: the run needs nothing; recorded is request 1."),
        (ModelReplied, "Event 3: the run needs a reply; recorded is start of a."),
        (ToolStarted, "Event 4: the run needs to run echo x; recorded is result of a."),
        (ToolFinished, "Event 5: the run needs to run echo x; recorded is a yes."),
        (ConsentGiven, "Event 6: the run needs a decision on send me; recorded is start of b."),
        (Noticed, "Event 11: the run needs a correction: Your reply is empty.; recorded is"),
    ],
)
def test_what_was_cut_out_of_a_run_is_found_where_it_is_first_needed(
    begun: Begun, small_tools: Tools, two_tools: Run, kind: type, said: str
) -> None:
    events = list(two_tools.events)
    del events[next(place for place, event in enumerate(events) if isinstance(event, kind))]
    assert fault(numbered(begun, *events), tools=small_tools()).startswith(said)


def changed(event: Event) -> Event:
    """The event with something else in it."""
    match event:
        case ModelAsked() | ModelReplied():
            return replace(event, step=event.step + 1)
        case ToolStarted() | ToolFinished() | ConsentGiven():
            return replace(event, call_id="z")
        case TurnEnded():
            return replace(event, answer="Something else.")
        case Noticed():
            return replace(event, text="Something else.")
    return event


def test_an_event_with_something_else_in_it_is_named(begun: Begun, two_tools: Run) -> None:
    for place, event in enumerate(two_tools.events):
        if changed(event) == event:
            continue
        events = [*two_tools.events[:place], changed(event), *two_tools.events[place + 1 :]]
        assert fault(numbered(begun, *events)).startswith(f"Event {place}: the run needs")


def test_events_in_another_order_are_found(begun: Begun, two_tools: Run) -> None:
    for place in range(len(two_tools) - 1):
        events = list(two_tools.events)
        events[place : place + 2] = reversed(events[place : place + 2])
        assert fault(numbered(begun, *events))


def test_a_limit_that_was_changed_afterwards_is_found(two_tools: Run) -> None:
    said = fault(two_tools, Limits(steps=1))
    assert said == "Event 9: the run needs its end: step limit; recorded is request 2."


def test_a_stop_between_the_look_and_the_deed_is_no_fault(begun: Begun, two_tools: Run) -> None:
    for kind in (ModelAsked, ToolStarted, TurnEnded):
        events = list(two_tools.events)
        place = max(i for i, event in enumerate(events) if isinstance(event, kind))
        raced = [*events[:place], StopAsked(), events[place]]
        assert not fault(numbered(begun, *raced))


def test_a_run_under_way_needs_what_it_waits_for(begun: Begun) -> None:
    [*_, last] = beats(begun())
    assert (type(last.need).__name__, last.entries, last.fault) == ("NeedReply", [], "")


def moments(run: Run, limits: Limits | None = None) -> list[Moment]:
    """The run as it stood after each of its events."""
    tools, limits = AsRecorded(run.events), limits or Limits()
    found = replay(run.recorded, tools, limits)
    return [moment(run.recorded, seq, found, tools, limits) for seq in range(len(run))]


@few
@given(scenes)
def test_after_every_event_a_run_needs_what_was_recorded_next(
    begun: Begun, drive: Drive, small_tools: Tools, scene: Scene
) -> None:
    run = drive(begun(), scene.model, small_tools(), scene.limits, scene.decide)
    tools = AsRecorded(run.events)
    for seq, then in enumerate(moments(run, scene.limits)):
        if not isinstance(run.events[seq], ToolStarted):  # whose tool goes on running
            assert then.need == next_need(Run("", run.recorded[: seq + 1]), tools, scene.limits)
        assert then.then == (run.recorded[seq + 1] if seq + 1 < len(run) else None)
        assert (then.fault, then.outside) == ("", seq == 0)


def test_what_was_recorded_otherwise_is_told_where_it_stands_and_not_looked_into_after(
    begun: Begun, two_tools: Run
) -> None:
    events = list(two_tools.events)
    del events[4]  # the start of a tool
    found = moments(numbered(begun, *events))
    assert [bool(then.fault) for then in found] == [seq >= 3 for seq in range(len(found) - 1)] + [
        False
    ]
    assert found[3].fault.startswith("Event 4: the run needs to run echo x")
    assert found[4].fault == f"Not looked into: {found[3].fault}"


def test_a_recording_that_breaks_off_leaves_a_need(begun: Begun, two_tools: Run) -> None:
    last = moments(begun(saved(two_tools, 5)))[-1]
    assert (type(last.need).__name__, last.then, last.fault) == ("NeedTool", None, "")


def test_a_person_who_goes_on_comes_from_outside(begun: Begun, two_tools: Run) -> None:
    two_tools.record(Asked("And then?"))
    [*_, before, last] = moments(two_tools)
    assert (before.need, before.outside, last.outside) == (None, True, False)
