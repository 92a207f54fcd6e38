"""From what a person asks for to a stored run with its question, and back to one saved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.index import Index
from lab import places
from lab.errors import LabError
from lab.events import (
    Asked,
    End,
    Event,
    ModelAsked,
    ModelFailed,
    Noticed,
    Reopened,
    RunStarted,
    StopAsked,
    TurnEnded,
)
from lab.loop import NeedReply, next_need
from lab.messages import Request
from lab.prepare import (
    QUESTION_CHARACTERS,
    Choice,
    InputError,
    checked_question,
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

Begun = Callable[..., Run]
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
