"""A fork takes over what came before one changed event, as it was, and goes on by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenes import Scene, scenes

from indexer.index import Index
from lab.errors import LabError
from lab.events import (
    Asked,
    ConsentGiven,
    Event,
    ModelAsked,
    ModelReplied,
    Noticed,
    Reopened,
    RunStarted,
    StopAsked,
    ToolFinished,
    ToolStarted,
)
from lab.forks.edits import (
    Edit,
    NewAnswer,
    NewArguments,
    NewDescription,
    NewModel,
    NewQuestion,
    NewResult,
    NewSystem,
)
from lab.forks.forking import Plan, begin, is_notice, planned
from lab.messages import Message, Reply, ToolCall
from lab.models.catalog import PERSON
from lab.models.scripted import Scripted
from lab.replay import AsRecorded, replay
from lab.run import Recorded, Run
from lab.settings import Settings
from lab.store import Store, StoreError
from lab.tools.toolbox import Toolbox

Begun = Callable[..., Run]
Drive = Callable[..., Run]
Tools = Callable[..., Toolbox]

few = settings(max_examples=60)
ECHO = ToolCall("a", "echo", {"text": "x"})
ADD = ToolCall("b", "add", {"a": 1, "b": 2})
SEND = ToolCall("c", "send", {"to": "me"})
REPLIES = [Reply("I look.", (ECHO, ADD), raw={"content": []}), Reply("So.", raw={"content": []})]
START, ASKED, REQUEST, REPLY, RESULT, SECOND, ANSWER = 0, 1, 2, 3, 5, 8, 9
"""Events of the run below by their number."""


@pytest.fixture
def parent(store: Store, settings: Settings, drive: Drive, small_tools: Tools) -> Run:
    """A run of two steps, with two calls in the first."""
    run = store.start(RunStarted(replace(settings, model="demo")))
    run.record(Asked("What is it?"))
    return drive(run, Scripted(REPLIES), small_tools())


def begun_with(plan: Plan) -> Run:
    """The fork in memory."""
    events = [RunStarted(plan.settings), *plan.others]
    return Run("fork", [Recorded(seq, "2026-01-01", event) for seq, event in enumerate(events)])


def notice(run: Run) -> str:
    return next(e.text for e in reversed(run.events) if is_notice(e))


def edits(event: Event, started: Sequence[str]) -> Iterator[Edit]:
    """What can be changed of an event."""
    match event:
        case RunStarted():
            yield from (NewSystem("Be brief."), NewDescription("echo", "Says it again."))
            yield NewModel("demo")
        case Asked():
            yield NewQuestion("And what is that?")
        case ModelAsked():
            yield NewModel("demo")
        case ModelReplied() if event.reply.calls:
            yield NewArguments('{"text": "y"}', event.reply.calls[-1].id)
        case ModelReplied():
            yield NewAnswer("It is that.")
        case ToolFinished(call_id) if call_id in started:
            yield from (NewResult("another"), NewResult("it failed", failed=True))


@few
@given(scene=scenes, place=st.integers(0, 40), stop=st.booleans(), data=st.data())
def test_a_fork_of_any_run_at_any_event_goes_on_and_can_be_replayed_and_resent(
    *,
    begun: Begun,
    drive: Drive,
    small_tools: Tools,
    small_index: Index,
    assert_paired: Callable[[Sequence[Message]], None],
    scene: Scene,
    place: int,
    stop: bool,
    data: st.DataObject,
) -> None:
    tools, run = small_tools(), begun()
    run = drive(run, scene.model, tools, scene.limits, scene.decide)
    events = list(run.events)
    if stop:  # as it may come at any moment
        events.insert(min(place + 1, len(events) - 1), StopAsked())
        run = Run("run", [Recorded(n, "2026-01-01", event) for n, event in enumerate(events)])
    seq = min(place, len(run) - 1)
    started = [e.call_id for e in run.events[:seq] if isinstance(e, ToolStarted)]
    possible = list(edits(run.events[seq], started))
    if not possible:
        return
    plan = planned(run, seq, data.draw(st.sampled_from(possible)), small_index)
    fork = drive(begun_with(plan), scene.model, tools, scene.limits, scene.decide)
    assert fork.end()
    assert_paired(list(fork.messages()))
    assert not replay(fork.recorded, AsRecorded(fork.events), scene.limits)[-1].fault
    assert not any(e.always for e in plan.others if isinstance(e, ConsentGiven))


@pytest.mark.parametrize(
    ("seq", "edit", "kept", "said"),
    [
        (RESULT, NewResult("z"), 4, "step 1, event 5: another result of echo. One reply is taken"),
        (RESULT, NewResult("z", failed=True), 4, "an error as the result of echo."),
        (RESULT, NewResult("x"), 5, "nothing is changed, the rest is done once more."),
        (7, NewResult("4"), 6, "step 1, event 7: another result of add."),
        (REPLY, NewArguments('{"a": 3, "b": 4}', "b"), 2, "other arguments of add."),
        (REPLY, NewArguments('{"text": "x"}', "a"), 3, "nothing is changed"),
        (ASKED, NewQuestion("Why?"), 0, "event 1: another question. No reply is taken over."),
        (ANSWER, NewAnswer("So what."), 8, "step 2, event 9: another answer."),
        (SECOND, NewModel("scripted:hasty"), 2, "scripted:hasty in place of demo. Earlier replies"),
        (SECOND, NewModel("demo"), 7, "step 2, event 8: nothing is changed, the rest is done"),
    ],
)
def test_events_before_the_changed_one_are_taken_over_as_they_were(
    *, parent: Run, small_index: Index, seq: int, edit: Edit, kept: int, said: str
) -> None:
    plan = planned(parent, seq, edit, small_index)
    before = parent.events[1:]
    same = next((n for n, e in enumerate(plan.others) if e != before[n]), len(plan.others))
    assert same == kept
    assert said in notice(begun_with(plan))
    assert f"Forked from run {parent.id} at " in notice(begun_with(plan))


def test_a_result_that_was_changed_is_what_the_model_is_sent_and_later_tools_run_anew(
    parent: Run, store: Store, small_index: Index, drive: Drive, small_tools: Tools
) -> None:
    fork = begin(store, planned(parent, RESULT, NewResult("z"), small_index))
    ran: list[str] = []
    drive(fork, Scripted(REPLIES), small_tools(ran))
    results = [e.content for e in fork.events if isinstance(e, ToolFinished)]
    assert (results, ran) == (["z", "3"], ["add 1 2"])
    assert fork.end() == parent.end()
    assert store.load(fork.id).events == fork.events


@pytest.mark.parametrize(
    ("edit", "field", "value"),
    [
        (NewSystem("Be brief."), "system", "Be brief."),
        (NewModel("scripted:hasty"), "model", "scripted:hasty"),
        (NewModel("ollama/m", "react"), "protocol", "react"),
        (NewModel("ollama/m", base_url="http://[::1]/v1"), "base_url", "http://[::1]/v1"),
    ],
)
def test_what_is_said_first_is_changed_only_where_all_is_run_anew(
    parent: Run, small_index: Index, edit: Edit, field: str, value: str
) -> None:
    plan = planned(parent, START, edit, small_index)
    assert getattr(plan.settings, field) == value
    assert [type(event) for event in plan.others] == [Asked, Noticed, Noticed]
    assert "event 0: another" in notice(begun_with(plan)) or "in place of" in plan.others[-1].text
    for seq in range(1, len(parent)):
        if not (isinstance(edit, NewModel) and seq in (REQUEST, SECOND)):
            with pytest.raises(LabError, match="event 0"):
                planned(parent, seq, edit, small_index)


def test_a_description_is_changed_of_one_tool_alone(parent: Run, small_index: Index) -> None:
    plan = planned(parent, START, NewDescription("add", "Adds."), small_index)
    told = {tool.name: tool.description for tool in parent.settings.tools}
    assert {t.name: t.description for t in plan.settings.tools} == {**told, "add": "Adds."}
    with pytest.raises(LabError, match="There is no tool 'sing'"):
        planned(parent, START, NewDescription("sing", "Sings."), small_index)


def test_another_model_is_told_earlier_replies_without_what_only_the_first_can_read(
    parent: Run, small_index: Index
) -> None:
    told = [
        e.reply
        for e in planned(parent, SECOND, NewModel("scripted:hasty"), small_index).others[:3]
        if isinstance(e, ModelReplied)
    ]
    again = planned(parent, SECOND, NewModel("demo"), small_index).others
    assert told == [replace(REPLIES[0], raw=None, stop="tools", usage=told[0].usage)]
    assert again[:7] == parent.events[1:8]


def test_the_address_stays_with_its_endpoint(parent: Run, small_index: Index) -> None:
    address = "http://127.0.0.1:9/v1"
    here = replace(parent.settings, model="ollama/m", base_url=address)
    run = Run("run", [Recorded(0, "", RunStarted(here)), *parent.recorded[1:]])
    found = {
        name: planned(run, START, NewModel(name), small_index).settings.base_url
        for name in ("ollama/n", "vllm/n", "demo")
    }
    assert (found["ollama/n"], found["demo"]) == (address, "")
    assert found["vllm/n"] not in ("", address)


def test_a_person_who_takes_over_has_all_the_time(parent: Run, small_index: Index) -> None:
    plan = planned(parent, SECOND, NewModel(PERSON), small_index)
    assert (plan.settings.model, plan.settings.limits.seconds) == (PERSON, None)


def test_a_fork_of_a_fork_names_the_fork_and_outlives_all_it_came_from(
    parent: Run, store: Store, small_index: Index, drive: Drive, small_tools: Tools
) -> None:
    first = begin(store, planned(parent, RESULT, NewResult("y"), small_index))
    drive(first, Scripted(REPLIES), small_tools())
    second = begin(store, planned(first, RESULT, NewResult("z"), small_index))
    drive(second, Scripted(REPLIES), small_tools())
    assert (store.row(second.id).parent, store.row(second.id).parent_seq) == (first.id, RESULT)
    assert first.id in notice(second)
    store.delete(parent.id)
    store.delete(first.id)
    left = store.load(second.id)
    assert (store.row(second.id).parent, store.row(second.id).parent_seq) == (None, None)
    assert left.events == second.events
    assert not replay(left.recorded, AsRecorded(left.events), left.settings.limits)[-1].fault


def test_a_stop_does_not_hold_the_fork(
    begun: Begun, drive: Drive, small_tools: Tools, small_index: Index
) -> None:
    run = begun()
    replies = [Reply("", (ECHO, ADD)), Reply("So.")]
    for event in drive(begun(), Scripted(replies), small_tools()).events[2:5]:
        run.record(event)
    run.record(StopAsked())
    drive(run, Scripted(replies), small_tools())
    seq = next(e.seq for e in run.recorded if isinstance(e.event, ToolFinished))
    plan = planned(run, seq, NewResult("z"), small_index)
    fork = drive(begun_with(plan), Scripted(replies), small_tools())
    assert any(isinstance(event, Reopened) for event in plan.others)
    assert [run.end().reason, fork.end().reason] == ["stopped", "answered"]  # type: ignore[union-attr]


def test_a_yes_for_the_whole_run_is_asked_for_again_in_the_fork(
    begun: Begun, drive: Drive, small_tools: Tools, small_index: Index
) -> None:
    twice = [Reply("", (SEND, replace(SEND, id="d"))), Reply("", (replace(SEND, id="e"),))]
    replies = [*twice, Reply("So.")]
    run = drive(
        begun(), Scripted(replies), small_tools(), None, lambda c: ConsentGiven(c.id, True, True)
    )
    seq = [e.seq for e in run.recorded if isinstance(e.event, ToolFinished)][1]
    asked: list[str] = []

    def decide(call: ToolCall) -> ConsentGiven:
        asked.append(call.id)
        return ConsentGiven(call.id, allowed=False)

    plan = planned(run, seq, NewResult("sent"), small_index)
    fork = drive(begun_with(plan), Scripted(replies), small_tools(), None, decide)
    assert asked == ["e"]
    assert not replay(fork.recorded, AsRecorded(fork.events), fork.settings.limits)[-1].fault


def test_a_changed_site_is_told_in_the_fork(parent: Run, small_index: Index) -> None:
    def told(run: Run) -> list[str]:
        plan = planned(run, RESULT, NewResult("z"), small_index)
        return [e.about for e in plan.others if isinstance(e, Noticed)]

    same = replace(parent.settings, fingerprint=small_index.fingerprint)
    unchanged = Run("run", [Recorded(0, "", RunStarted(same)), *parent.recorded[1:]])
    assert told(parent) == ["index changed", "fork"]
    assert told(unchanged) == ["fork"]


def test_a_fork_is_stored_as_a_whole_or_not_at_all(
    parent: Run, store: Store, small_index: Index
) -> None:
    store._db.execute(
        "create trigger no before insert on events when new.kind = 'Noticed'"
        " begin select raise(abort, 'x'); end"
    )
    with pytest.raises(StoreError):
        begin(store, planned(parent, RESULT, NewResult("z"), small_index))
    assert [row.id for row in store.rows()] == [parent.id]


@pytest.mark.parametrize(
    ("seq", "edit", "error"),
    [
        (99, NewResult("z"), "has the events 0 to 10, and no 99"),
        (-1, NewResult("z"), "has the events 0 to 10, and no -1"),
        (REPLY, NewResult("z"), "is reply 1 with echo, add; a result can be changed where a tool"),
        (RESULT, NewQuestion("z"), "a question can be changed where it was asked"),
        (ANSWER, NewArguments("{}"), "arguments can be changed where a reply makes calls"),
        (REPLY, NewAnswer("z"), "an answer can be changed where a reply makes no call"),
        (ASKED, NewQuestion(" "), "The question is empty"),
        (ANSWER, NewAnswer(" "), "The answer is empty"),
        (RESULT, NewResult("x" * 40_001), "has 40,001 characters; at most 40,000"),
        (REPLY, NewArguments("{}"), "The reply makes the calls a, b; say which one is meant."),
        (REPLY, NewArguments("{}", "z"), "'z' is none of them"),
        (REPLY, NewArguments("{", "a"), "not valid JSON"),
        (REPLY, NewArguments("[" * 99_999, "a"), "not valid JSON"),
        (REPLY, NewArguments("[1]", "a"), "not a JSON object"),
        (START, NewModel("nobody/m"), "Unknown model 'nobody/m'"),
        (SECOND, NewModel("ollama/m", "react"), "A reply with 2 calls at once cannot be told"),
    ],
)
def test_what_cannot_be_changed_is_refused_in_one_line(
    parent: Run, small_index: Index, seq: int, edit: Edit, error: str
) -> None:
    with pytest.raises(LabError) as caught:
        planned(parent, seq, edit, small_index)
    assert error in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_result_of_a_call_that_did_not_run_is_not_one_to_change(
    begun: Begun, drive: Drive, small_tools: Tools, small_index: Index
) -> None:
    run = drive(begun(), Scripted([Reply("", (ECHO,), stop="cut"), Reply("So.")]), small_tools())
    seq = next(e.seq for e in run.recorded if isinstance(e.event, ToolFinished))
    with pytest.raises(LabError, match="where a tool that ran has finished"):
        planned(run, seq, NewResult("z"), small_index)


def test_a_run_without_a_question_cannot_be_run_anew(
    settings: Settings, small_index: Index
) -> None:
    run = Run("run", [Recorded(0, "", RunStarted(settings))])
    with pytest.raises(LabError, match="No question was asked"):
        planned(run, START, NewSystem("Be brief."), small_index)
