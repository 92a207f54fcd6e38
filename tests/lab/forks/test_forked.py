"""What a fork changed, word by word: nothing is lost, and what stayed is not shown as changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.index import Index
from lab.events import Asked, RunStarted
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
from lab.forks.forked import SHOWN_WORDS, differences, pieces
from lab.forks.forking import Plan, planned
from lab.html.forked import differences_html
from lab.messages import Reply, ToolCall
from lab.models.scripted import Scripted
from lab.run import Recorded, Run
from lab.settings import Settings
from lab.tools.toolbox import Toolbox

Drive = Callable[..., Run]

HOSTILE = "</pre><script>alert(1)</script><img src=x onerror=y>"
texts = st.text(st.sampled_from("ab \n<"), max_size=60)


@given(texts, texts)
def test_both_texts_can_be_read_off_the_pieces(before: str, after: str) -> None:
    found = list(pieces(before, after))
    if not [piece for piece in found if piece[0] == "gap"]:
        assert "".join(text for kind, text in found if kind in ("same", "out")) == before
        assert "".join(text for kind, text in found if kind in ("same", "in")) == after


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ("", "", []),
        ("a b", "a b", [("same", "a b")]),
        ("a b c", "a x c", [("same", "a"), ("out", " b"), ("in", " x"), ("same", " c")]),
        ("a b", "a b c", [("same", "a b"), ("in", " c")]),
        ("a\nb", "a\n\nb", [("same", "a"), ("out", "\nb"), ("in", "\n\nb")]),
        ("", "new", [("in", "new")]),
        ("a ", "a", [("same", "a"), ("out", " ")]),
    ],
)
def test_the_words_that_differ_are_named(
    before: str, after: str, found: list[tuple[str, str]]
) -> None:
    assert list(pieces(before, after)) == found


def test_long_stretches_that_stayed_are_counted_and_not_shown() -> None:
    same = " ".join(["w"] * 1000)
    found = list(pieces(f"{same} a {same}", f"{same} b {same}"))
    assert [kind for kind, _ in found] == ["gap", "same", "out", "in", "same", "gap"]
    assert [found[0][1], found[-1][1]] == [f"{1000 - SHOWN_WORDS:,}"] * 2


@pytest.fixture
def parent(drive: Drive, settings: Settings, small_tools: Callable[..., Toolbox]) -> Run:
    """A run of two steps."""
    run = Run("run")
    run.record(RunStarted(replace(settings, model="demo")))
    run.record(Asked("What is it?"))
    replies = [Reply("", (ToolCall("a", "echo", {"text": "x"}),)), Reply("So.")]
    return drive(run, Scripted(replies), small_tools())


def begun_with(plan: Plan) -> Run:
    """The fork in memory."""
    events = [RunStarted(plan.settings), *plan.others]
    return Run("fork", [Recorded(seq, "2026-01-01", event) for seq, event in enumerate(events)])


@pytest.mark.parametrize(
    ("seq", "edit", "found"),
    [
        (5, NewResult("z"), [("result of echo", "x", "z")]),
        (5, NewResult("x", failed=True), [("echo came back with", "a result", "an error")]),
        (1, NewQuestion("Why?"), [("question", "What is it?", "Why?")]),
        (7, NewAnswer("No."), [("answer", "So.", "No.")]),
        (
            3,
            NewArguments('{"text": "y"}'),
            [("arguments of echo", '{\n "text": "x"\n}', '{\n "text": "y"\n}')],
        ),
        (0, NewSystem("Be brief."), [("system prompt", "You are tested.", "Be brief.")]),
        (0, NewDescription("echo", "Say."), [("description of echo", "Return the text.", "Say.")]),
        (0, NewModel("scripted:hasty"), [("model", "demo", "scripted:hasty")]),
        (6, NewModel("scripted:hasty"), [("model", "demo", "scripted:hasty")]),
        (5, NewResult("x"), []),
    ],
)
def test_what_was_changed_is_all_that_differs(
    parent: Run, small_index: Index, seq: int, edit: Edit, found: list[tuple[str, str, str]]
) -> None:
    fork = begun_with(planned(parent, seq, edit, small_index))
    assert [(one.what, one.before, one.after) for one in differences(parent, fork, seq)] == found


def test_texts_of_models_and_sites_stay_texts(parent: Run, small_index: Index) -> None:
    fork = begun_with(planned(parent, 5, NewResult(HOSTILE), small_index))
    html = differences_html(differences(parent, fork, 5))
    assert "&lt;script&gt;" in html
    assert "<script" not in html
    assert "<img" not in html
    assert "<del>x</del>" in html
