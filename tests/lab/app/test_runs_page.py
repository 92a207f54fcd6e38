"""The Runs page as its script runs: what it lists, what it hides, and how a run is deleted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from lab.app import registry, resources, runs, state
from lab.events import Asked, ModelAsked, ModelReplied, RunStarted, TurnEnded
from lab.html.rows import row_html
from lab.messages import Cost, Exchange, Reply, Request, Usage
from lab.models.scripted import Scripted
from lab.rows import RunRow
from lab.run import Run
from lab.runner import Runner
from lab.settings import Limits, Settings
from lab.store import Store, StoreError
from lab.tools.toolbox import Toolbox

HOSTILE = "<script>alert(1)</script> ![x](https://evil.example/a.png) <img src=x onerror=y>"


def page_script() -> None:
    """What Streamlit runs: the page alone."""
    from lab.app import runs as page

    page.view()


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """A store of the test's own, on a page for the person at this machine."""
    monkeypatch.setenv("LAB_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(resources, "local", lambda: True)
    monkeypatch.setattr(registry, "_runners", {})
    resources.store.clear()
    yield resources.store()
    resources.store().close()
    resources.store.clear()


@pytest.fixture
def made(own_store: Store, settings: Settings) -> Callable[..., Run]:
    """Store a run: its question, model, and how it ended, if it did."""

    def make(question: str, model: str = "demo", end: Any = "answered", **used: Any) -> Run:
        run = own_store.start(RunStarted(Settings(model, settings.system, settings.tools)))
        run.record(Asked(question))
        run.record(ModelAsked(1, Request("POST", "https://api.example", "{}", {})))
        cost = Cost(used.pop("usd", None), "a price")
        run.record(ModelReplied(1, Reply("So.", usage=Usage(**used)), Exchange(cost=cost)))
        if end:
            run.record(TurnEnded(end, "So."))
        return run

    return make


def opened(**chosen: str) -> AppTest:
    page = AppTest.from_function(page_script, default_timeout=60)
    for key, value in chosen.items():
        page.session_state[getattr(state, key)] = value
    page.run()
    assert not page.exception
    return page


def listed(page: AppTest) -> list[list[str]]:
    """The cells of every run on the page."""
    rows = [str(element.proto.body) for element in page.get("html")]
    return [
        [unescape(cell) for cell in re.findall("<span[^>]*>(.*?)</span>", row)]
        for row in rows
        if row.startswith("<div class='lab-run lab-run-") and "lab-run-head" not in row
    ]


def click(page: AppTest, key: str) -> AppTest:
    page = page.button(key=key).click().run()
    assert not page.exception
    return page


def test_without_runs_it_says_how_they_come_about() -> None:
    page = opened()
    assert page.info[0].value.startswith("No runs yet. Every question asked here")
    assert [button.label for button in page.button] == ["Ask a question"]


def test_runs_are_listed_newest_first_with_what_is_known_of_each(made: Callable[..., Run]) -> None:
    made("First?", "groq/m", tokens_in=1234, tokens_out=5, usd=0.25)
    made("Second?", "demo", "step limit", tokens_in=10, tokens_out=2, estimated=True, usd=0.0)
    made("Third?", "other/m", "failed")
    found = [row[:-1] for row in listed(opened())]
    assert found == [
        ["Third?", "⚠ failed", "other/m", "1", "–", "–", "–"],
        ["Second?", "⚠ step limit", "demo", "1", "≈10", "≈2", "free"],
        ["First?", "✓ answered", "groq/m", "1", "1,234", "5", "$0.2500"],
    ]


def test_what_a_run_without_an_end_used_is_a_lower_bound(made: Callable[..., Run]) -> None:
    made("Why?", end=None, tokens_in=7, tokens_out=3, usd=0.5)
    assert listed(opened())[0][1:7] == [
        *("⚠ not ended", "demo", "1", "at least 7", "at least 3", "at least $0.5000")
    ]


@pytest.mark.parametrize(
    ("chosen", "questions"),
    [
        ({"RUNS_TEXT": "tide MOON"}, ["The moon and the tides?"]),
        ({"RUNS_MODEL": "groq/m"}, ["Winds?"]),
        ({"RUNS_END": "step limit"}, ["Winds?"]),
        ({"RUNS_END": "not ended"}, ["The sun?"]),
        ({"RUNS_TEXT": "the", "RUNS_MODEL": "demo"}, ["The sun?", "The moon and the tides?"]),
        ({"RUNS_TEXT": "the", "RUNS_MODEL": "groq/m"}, []),
        ({"RUNS_MODEL": "gone/m"}, ["The sun?", "Winds?", "The moon and the tides?"]),
    ],
)
def test_filters_keep_what_passes_all_of_them(
    made: Callable[..., Run], chosen: dict[str, str], questions: list[str]
) -> None:
    made("The moon and the tides?")
    made("Winds?", "groq/m", "step limit")
    made("The sun?", end=None)
    page = opened(**chosen)
    assert [row[0] for row in listed(page)] == questions
    assert bool(page.info) == (not questions)


def test_a_long_list_grows_on_demand(made: Callable[..., Run], monkeypatch: Any) -> None:
    monkeypatch.setattr(runs, "LISTED", 2)
    for number in range(5):
        made(f"Question {number}?")
    page = opened()
    for count in (2, 4):
        assert len(listed(page)) == count
        [more] = [button for button in page.button if button.label == "Show more"]
        page = more.click().run()
    assert len(listed(page)) == 5


def test_a_hostile_question_is_text(made: Callable[..., Run]) -> None:
    made(HOSTILE, HOSTILE)
    page = opened()
    [row] = listed(page)
    assert (row[0], row[2]) == (HOSTILE, HOSTILE)
    html = "".join(str(element.proto.body) for element in page.get("html"))
    assert "<script" not in html
    assert "<img" not in html
    assert HOSTILE not in "".join(button.label for button in page.button)


def test_a_run_is_deleted_only_after_a_yes(made: Callable[..., Run], own_store: Store) -> None:
    kept, gone = made("Keep?"), made("Delete?")
    page = click(opened(), f"delete-{gone.id}")
    assert "This cannot be undone" in " ".join(text.value for text in page.markdown)
    assert len(own_store.rows()) == 2
    click(click(page, "confirm-keep"), f"delete-{gone.id}")
    assert len(own_store.rows()) == 2
    page = click(click(opened(), f"delete-{gone.id}"), "confirm-delete")
    assert [row.id for row in own_store.rows()] == [kept.id]
    assert [row[0] for row in listed(opened())] == ["Keep?"]


def test_a_run_under_way_is_marked_and_not_deleted(
    own_store: Store, settings: Settings, small_tools: Callable[..., Toolbox]
) -> None:
    run = own_store.start(RunStarted(settings))
    run.record(Asked("Slow?"))
    slow = Scripted([Reply("So.")], pauses=[30.0])
    registry.begin(run, lambda run: Runner(run, slow, small_tools(), Limits()))
    runner = registry.runner(run.id)
    assert runner
    try:
        assert listed(opened())[0][1] == "… under way"
        with pytest.raises(StoreError, match="is under way"):
            registry.remove(run.id, own_store)
        assert [row.id for row in own_store.rows()] == [run.id]
    finally:
        runner.stop()
        runner.join(30)
    registry.remove(run.id, own_store)
    assert not own_store.rows()
    assert registry.find(run.id, own_store) is None


def test_a_page_that_others_can_reach_lists_nothing(
    made: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    made("Secret?")
    monkeypatch.setattr(resources, "local", lambda: False)
    page = opened()
    assert "only where the page is bound to loopback" in page.info[0].value
    assert not listed(page)
    assert not page.button


def test_a_store_that_cannot_be_read_is_told(
    own_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> list[RunRow]:
        raise StoreError("The store is locked.")

    monkeypatch.setattr(own_store, "rows", broken)
    assert [error.value for error in opened().error] == ["The store is locked."]


def test_the_files_of_a_run_are_its_events_and_its_page(made: Callable[..., Run]) -> None:
    run = made("Why?")
    assert runs.lines_of(run.id).count(b"\n") == len(run)
    assert b"Why?" in runs.page_of(run.id)


def test_a_run_without_a_question_says_so() -> None:
    row = RunRow("id", "", "demo", "2026-01-01", None, None, 0, 0, None, None, 0, 0, None, 0)
    assert "No question was asked" in row_html(row, working=False)
