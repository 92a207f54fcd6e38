"""The runs behind the Compare page: their address, their turns, and what is kept of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.index import Index
from lab.app import registry, resources, state
from lab.app.compare import finished, repeating
from lab.app.compare.picks import Pick, on_this_machine, picks, ready_made
from lab.events import Reopened, StopAsked, TurnEnded
from lab.messages import Conversation, Exchange, Reply
from lab.models.model import Watch
from lab.models.scripted import Scripted
from lab.run import Run
from lab.settings import Settings
from lab.steps import turns
from lab.store import Store
from lab.tools.site import site_tools

IDS = st.text("abc", min_size=1, max_size=3)
COLUMNS = st.lists(st.lists(IDS, min_size=1, max_size=3, unique=True).map(tuple), min_size=2)


@pytest.fixture(autouse=True)
def own_runs(store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A store and a registry of the test's own, and no thread left at work."""
    runners: dict[str, registry.Runner] = {}
    monkeypatch.setattr(registry, "_runners", runners)
    monkeypatch.setattr(resources, "store", lambda: store)
    yield
    for runner in runners.values():
        runner.join(30)


class Counting:
    """A model that counts how many ask it at once, and answers when it is let go."""

    def __init__(self) -> None:
        self.now = self.most = 0
        self.go, self._turn = threading.Event(), threading.Lock()

    def reply(self, conversation: Conversation, watch: Watch) -> tuple[Reply, Exchange]:
        with self._turn:
            self.now += 1
            self.most = max(self.most, self.now)
        assert self.go.wait(30)
        with self._turn:
            self.now -= 1
        return Reply("It is this."), Exchange()


def settings(model: str) -> Settings:
    return Settings(model, "You are tested.", ())


def until(reached: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not reached():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@given(COLUMNS)
def test_an_address_holds_every_run_in_its_column(columns: list[tuple[str, ...]]) -> None:
    assert state.columns_of(state.address_of(columns)) == columns


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("", []),
        ("a,b", [("a",), ("b",)]),
        ("a,b,a", [("a",), ("b",), ("a",)]),
        ("a,a,c;b", [("a", "c"), ("b",)]),
        (";;a;,", [("a",)]),
    ],
)
def test_an_address_that_was_typed_is_read(text: str, columns: list[tuple[str, ...]]) -> None:
    assert state.columns_of(text) == columns


@pytest.mark.parametrize(("name", "at_once"), [("there/m", 4), ("ollama/llama3.1:8b", 1)])
def test_so_many_runs_of_a_column_are_under_way_at_once_and_all_come_to_their_end(
    name: str, at_once: int, sample: Index
) -> None:
    model = Counting()
    column = repeating.planned(model, settings(name), site_tools(sample))
    [ids] = repeating.begin([column], "Why?", 6)
    until(lambda: model.now == at_once)
    waiting = f"{at_once} of 6 runs under way, {6 - at_once} waiting for their turn"
    assert repeating.progress(ids) == waiting
    model.go.set()
    until(lambda: not repeating.progress(ids))
    ends = [run.end() for id in ids if (run := finished.find(id, resources.store()))]
    assert [end.reason for end in ends if end] == ["answered"] * 6
    assert model.most == at_once


def test_a_saved_run_among_the_columns_is_not_begun(sample: Index, store: Store) -> None:
    column = repeating.planned(
        Scripted([Reply("It is this.")]), settings("demo"), site_tools(sample)
    )
    saved, begun = repeating.begin(["0123", column], "Why?", 2)
    assert saved == ("0123",)
    assert {row.id for row in store.rows()} == set(begun)


def test_a_run_that_was_gone_on_with_or_deleted_is_not_shown_as_it_was(
    sample: Index, store: Store
) -> None:
    column = repeating.planned(
        Scripted([Reply("It is this.")]), settings("demo"), site_tools(sample)
    )
    [[id]] = repeating.begin([column], "Why?", 1)
    until(lambda: not repeating.progress([id]))
    registry._runners.clear()
    first = finished.find(id, store)
    assert first is finished.find(id, store), "kept at hand"
    elsewhere = store.load(id)
    for event in (Reopened(), StopAsked()):
        elsewhere.record(event)
    assert ended(finished.find(id, store)) == ""
    time.sleep(0.002)  # an end has its time in milliseconds
    elsewhere.record(TurnEnded("stopped", ""))
    assert ended(finished.find(id, store)) == "stopped"
    store.delete(id)
    assert finished.find(id, store) is None


def ended(run: Run | None) -> str:
    """How a run ended; empty where it has not."""
    end = run.end() if run else None
    return end.reason if end else ""


def test_a_step_is_drawn_anew_only_while_something_may_come_to_it(
    sample: Index, store: Store
) -> None:
    column = repeating.planned(
        Scripted([Reply("It is this.")]), settings("demo"), site_tools(sample)
    )
    [[id]] = repeating.begin([column], "Why?", 1)
    until(lambda: not repeating.progress([id]))
    run = store.load(id)
    turn = turns(run.events)[-1]
    [before] = finished.steps_of(run, turn, 1, working=False)
    assert finished.steps_of(run, turn, 1, working=False)[0] is before
    [running] = finished.steps_of(run, turn, 1, working=True)
    assert running.running
    run.record(Reopened())
    assert finished.steps_of(run, turn, 1, working=False)[0] is not before


def test_ready_made_columns_keep_the_model_that_was_chosen_where_one_is_enough() -> None:
    made = ready_made(picks(["demo", "there/m"]), ["demo", "ollama/x"], "Tides")
    assert made["Native and text protocol"] == (Pick("there/m", "native"), Pick("there/m", "react"))
    assert made["Caching off and on"] == (Pick("there/m"), Pick("there/m", cache=True))
    assert "Tides" in made["Two system prompts"][1].system
    assert made["Hosted and local"][1] == Pick("ollama/x")
    by_default = ready_made(picks(["demo"]), ["demo"], "Tides")["Caching off and on"]
    assert by_default[0].model == "anthropic/claude-haiku-4-5"


@pytest.mark.parametrize(
    ("name", "here"),
    [("ollama/x", True), ("local/smollm2-135m", True), ("anthropic/x", False), ("demo", False)],
)
def test_what_runs_on_the_persons_own_machine_is_known_by_its_name(name: str, here: bool) -> None:
    assert on_this_machine(name) is here


@pytest.mark.parametrize(
    ("pick", "label"),
    [
        (Pick("demo"), "Usual settings"),
        (Pick("x/m", "react", cache=True, system="Guess."), "Text protocol, cached, own prompt"),
        (Pick("x/m", "native"), "Native tool calls"),
        (Pick("demo", run="0123456789abcdef"), "Saved run 01234567"),
    ],
)
def test_a_pick_says_what_was_set_otherwise(pick: Pick, label: str) -> None:
    assert pick.label() == label
