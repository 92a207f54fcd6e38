"""The Runs page as its script runs: what it lists, what it hides, and how a run is deleted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from as_read import as_read
from streamlit.testing.v1 import AppTest

from lab.app import exporting, registry, resources, state
from lab.app.runs import page as runs
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
    from lab.app.runs import page

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


def opened(**chosen: Any) -> AppTest:
    page = AppTest.from_function(page_script, default_timeout=60)
    for key, value in chosen.items():
        page.session_state[getattr(state, key)] = value
    page.run()
    assert not page.exception
    return page


def bodies(page: AppTest) -> list[str]:
    """All that the page says in its own HTML."""
    return [str(element.proto.body) for element in page.get("html")]


def listed(page: AppTest) -> list[list[str]]:
    """The cells of every run on the page."""
    return [
        [unescape(cell) for cell in re.findall("<span[^>]*>(.*?)</span>", row)]
        for row in bodies(page)
        if row.startswith("<div class='lab-run lab-run-") and "lab-run-head" not in row
    ]


def click(page: AppTest, key: str) -> AppTest:
    page = page.button(key=key).click().run()
    assert not page.exception
    return page


def choose(page: AppTest, run: Run, choice: str) -> AppTest:
    """The page after something was chosen from a run's menu."""
    page = page.menu_button(key=f"more-{run.id}").click(choice).run()
    assert not page.exception
    return page


def tick(page: AppTest, id: str, chosen: bool = True) -> AppTest:
    """The page after a run was selected, or no longer."""
    page = page.checkbox(key=runs.box(id)).set_value(chosen).run()
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


def test_a_long_list_is_turned_page_by_page_and_begins_anew_with_another_filter(
    made: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "LISTED", 2)
    for number in range(5):
        made(f"Question {number}?", end="answered" if number else "failed")
    page = opened()
    assert [row[0] for row in listed(page)] == ["Question 4?", "Question 3?"]
    page.pagination[0].set_value(3).run()
    assert [row[0] for row in listed(page)] == ["Question 0?"]
    page.selectbox(key=state.widget(state.RUNS_END)).set_value("answered").run()
    assert [row[0] for row in listed(page)] == ["Question 4?", "Question 3?"]
    assert not page.exception


@pytest.mark.parametrize(
    ("since", "chosen", "questions"),
    [
        ("Any time", {}, ["New?", "Week?", "Month?", "Old?"]),
        ("Today", {}, ["New?"]),
        ("Last 7 days", {}, ["New?", "Week?"]),
        ("Last 30 days", {}, ["New?", "Week?", "Month?"]),
        ("From … to …", {}, ["New?", "Week?", "Month?", "Old?"]),
        ("From … to …", {"RUNS_FROM": 29}, ["New?", "Week?", "Month?"]),
        ("From … to …", {"RUNS_FROM": 29, "RUNS_TO": 6}, ["Week?", "Month?"]),
        ("From … to …", {"RUNS_TO": 29}, ["Month?", "Old?"]),
    ],
)
def test_runs_are_found_by_the_days_on_which_they_were_started(
    made: Callable[..., Run],
    own_store: Store,
    since: str,
    chosen: dict[str, int],
    questions: list[str],
) -> None:
    now = datetime.now(UTC)
    for question, days in (("Old?", 30), ("Month?", 29), ("Week?", 6), ("New?", 0)):
        run, started = made(question), f"{now - timedelta(days=days):%Y-%m-%dT%H:%M:%S.000Z}"
        own_store._db.execute("update runs set started = ? where id = ?", (started, run.id))
    days = {name: (now - timedelta(days=ago)).date() for name, ago in chosen.items()}
    page = opened(RUNS_SINCE=since, **days)
    assert [row[0] for row in listed(page)] == questions
    labels = [box.label for box in (*page.selectbox, *page.date_input)]
    assert "Started (UTC)" in labels


def test_two_to_four_runs_are_selected_to_be_compared(made: Callable[..., Run]) -> None:
    ids = [made(f"Question {number}?").id for number in range(5)]
    empty = made("").id
    page = opened()
    assert [button.key for button in page.button if button.key == "compare-chosen"] == []
    assert page.checkbox(key=runs.box(empty)).disabled
    page = tick(page, ids[3])
    assert page.button(key="compare-chosen").disabled
    for id in (ids[1], ids[0], ids[4]):
        page = tick(page, id)
    assert page.session_state[state.RUNS_CHOSEN] == [ids[3], ids[1], ids[0], ids[4]]
    assert page.button(key="compare-chosen").label == "Compare the 4 selected"
    assert [page.checkbox(key=runs.box(id)).disabled for id in ids] == [
        False,
        False,
        True,
        False,
        False,
    ]
    page = tick(page, ids[1], chosen=False)
    assert page.button(key="compare-chosen").label == "Compare the 3 selected"
    page = click(page, "choose-none")
    assert not any(box.value for box in page.checkbox)
    assert page.session_state[state.RUNS_CHOSEN] == []


def test_what_was_selected_lasts_as_long_as_the_run(
    made: Callable[..., Run], own_store: Store
) -> None:
    kept, gone = made("Keep?"), made("Delete?")
    page = opened(RUNS_CHOSEN=[kept.id, gone.id], RUNS_TEXT="Delete")
    assert page.button(key="compare-chosen").label == "Compare the 2 selected"
    own_store.delete(gone.id)
    assert page.run().button(key="compare-chosen").disabled


@pytest.mark.parametrize(
    ("end", "choices"),
    [
        ("answered", ["Replay or fork", "Export …", "Delete …"]),
        ("refused", ["Replay or fork", "Export …", "Delete …"]),
        ("step limit", ["Replay or fork", "Resume", "Export …", "Delete …"]),
        (None, ["Replay or fork", "Resume", "Export …", "Delete …"]),
    ],
)
def test_the_menu_offers_what_can_be_done_with_a_run(
    made: Callable[..., Run], end: str | None, choices: list[str]
) -> None:
    run = made("Why?", end=end)
    assert opened().menu_button(key=f"more-{run.id}").options == choices


def test_a_fork_names_its_parent_in_the_list(made: Callable[..., Run], own_store: Store) -> None:
    parent = made("Why?")
    started = parent.events[0]
    assert isinstance(started, RunStarted)
    fork = own_store.start(started, parent.id, 3, [Asked("Why?")])
    page = opened()
    rows = [body for body in bodies(page) if body.startswith("<div class='lab-run lab-run-")]
    assert [f"↳ forked from {parent.id} at event 3" in row for row in rows] == [False, True, False]
    assert "Compare with its original" in page.menu_button(key=f"more-{fork.id}").options


def test_a_hostile_question_is_text(made: Callable[..., Run]) -> None:
    made(HOSTILE, HOSTILE)
    page = opened()
    [row] = listed(page)
    assert (row[0], row[2]) == (HOSTILE, HOSTILE)
    html = "".join(bodies(page))
    assert "<script" not in html
    assert "<img" not in html
    assert HOSTILE not in "".join(button.label for button in page.button)


def test_a_run_is_deleted_only_after_a_yes(made: Callable[..., Run], own_store: Store) -> None:
    kept, gone = made("Keep?"), made("Delete?")
    page = choose(opened(), gone, "Delete …")
    assert "This cannot be undone" in " ".join(text.value for text in page.markdown)
    assert len(own_store.rows()) == 2
    choose(click(page, "confirm-keep"), gone, "Delete …")
    assert len(own_store.rows()) == 2
    click(choose(opened(), gone, "Delete …"), "confirm-delete")
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
    assert as_read(opened().error) == ["The store is locked."]


def test_the_files_of_a_run_are_its_events_and_its_page(made: Callable[..., Run]) -> None:
    run = made("Why?")
    assert exporting.lines_of(run.id).count(b"\n") == len(run)
    assert b"Why?" in exporting.page_of(run.id)
    page = choose(opened(), run, "Export …")
    labels = [str(element.proto.label) for element in page.get("download_button")]
    assert labels == ["Download as JSON lines", "Download as HTML page"]


def test_a_run_without_a_question_says_so() -> None:
    row = RunRow("id", "", "demo", "2026-01-01", None, None, 0, 0, None, None, 0, 0, None, 0)
    assert "No question was asked" in row_html(row, working=False)
