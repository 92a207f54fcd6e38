"""Runs in progress are found by their exact id, by nobody else, and hold no key."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable, Iterator

import pytest

from lab.app import registry, state
from lab.events import Asked, RunStarted
from lab.messages import Conversation, Exchange, Reply
from lab.models.endpoints import endpoints
from lab.models.hosted import HostedModel
from lab.models.model import Model, Watch
from lab.models.scripted import Scripted
from lab.run import Run
from lab.runner import Runner
from lab.settings import Limits, Settings
from lab.store import Store
from lab.tools.toolbox import Toolbox

CANARY = "sk-canary-0123456789"


@pytest.fixture(autouse=True)
def runners(store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Runner]]:
    """Every test begins with an empty registry, and leaves no thread at work."""
    empty: dict[str, Runner] = {}
    monkeypatch.setattr(registry, "_runners", empty)
    yield empty
    for left in empty.values():
        left.join(30)


class Held:
    """A model that answers once it is let go."""

    def __init__(self) -> None:
        self.asked, self.go = threading.Event(), threading.Event()

    def reply(self, conversation: Conversation, watch: Watch) -> tuple[Reply, Exchange]:
        self.asked.set()
        assert self.go.wait(30)
        return Reply("It is this."), Exchange()


@pytest.fixture
def held() -> Iterator[Held]:
    """A model that is let go when the test is over."""
    model = Held()
    yield model
    model.go.set()


def new(store: Store, settings: Settings) -> Run:
    run = store.start(RunStarted(settings))
    run.record(Asked("x"))
    return run


def runner(model: Model | None) -> Callable[[Run], Runner]:
    return lambda run: Runner(run, model, Toolbox([]), Limits())


def finished(run: Run) -> Runner:
    """Begin a run that ends at once, and wait for it."""
    registry.begin(run, runner(Scripted([Reply("It is this.")])))
    [known] = [registry.runner(run.id)]
    assert known
    known.join(30)
    return known


def test_a_run_that_somebody_works_on_gets_no_second_worker(
    store: Store, settings: Settings, held: Held
) -> None:
    run = new(store, settings)
    registry.begin(run, runner(held))
    assert held.asked.wait(30)
    first = registry.runner(run.id)

    def another(run: Run) -> Runner:
        raise AssertionError("a second worker was made")

    registry.begin(store.load(run.id), another)
    assert registry.runner(run.id) is first


def test_a_finished_run_goes_on_in_the_same_object(store: Store, settings: Settings) -> None:
    run = new(store, settings)
    finished(run)
    seen: list[Run] = []

    def again(run: Run) -> Runner:
        seen.append(run)
        return runner(None)(run)

    registry.begin(store.load(run.id), again)
    assert seen == [run]


@pytest.mark.parametrize("meant", ["", "last", "prefix", "none", "%"])
def test_nothing_but_the_exact_id_finds_a_run(meant: str, store: Store, settings: Settings) -> None:
    run = new(store, settings)
    finished(run)
    stored = new(store, settings)
    for id in (run.id, stored.id):
        asked = id[:-1] if meant == "prefix" else meant
        assert registry.find(asked, store) is None
        assert registry.runner(asked) is None


def test_a_run_is_found_live_where_it_runs_and_in_the_store_otherwise(
    store: Store, settings: Settings
) -> None:
    run, other = new(store, settings), new(store, settings)
    finished(run)
    assert registry.find(run.id, store) is run
    found = registry.find(other.id, store)
    assert found
    assert found.recorded == other.recorded


def test_finished_runs_beyond_the_number_kept_are_dropped_oldest_first(
    store: Store, settings: Settings, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "KEPT", 2)
    working, *runs = (new(store, settings) for _ in range(5))
    registry.begin(working, runner(held))
    for run in runs:
        finished(run)
    kept = [run.id for run in (working, *runs) if registry.runner(run.id)]
    assert kept == [working.id, runs[-1].id]
    assert all(registry.find(run.id, store) for run in runs)


def reachable(value: object, seen: set[int]) -> Iterator[str]:
    """Every text that repr and vars give away, down from a value."""
    if id(value) in seen:
        return
    seen.add(id(value))
    yield repr(value)
    if isinstance(value, dict):
        inner = [*value, *value.values()]
    elif isinstance(value, list | tuple | set):
        inner = list(value)
    else:
        inner = list(getattr(value, "__dict__", {}).values())
    for part in inner:
        yield from reachable(part, seen)


def test_no_key_can_be_read_from_the_registry_once_a_run_is_over(
    store: Store, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = new(store, settings)
    model = HostedModel(endpoints()["anthropic"], "some-model", CANARY)
    monkeypatch.setattr(model, "reply", Scripted([Reply("It is this.")]).reply)
    registry.begin(run, runner(model))
    known = registry.runner(run.id)
    assert known
    known.join(30)
    assert not any(CANARY in text for text in reachable(registry._runners, set()))
    assert CANARY not in repr(model)
    assert CANARY.encode() not in pickle.dumps(run.recorded)
    assert CANARY.encode() not in store.path.read_bytes()


def test_a_model_under_way_does_not_print_its_key(
    store: Store, settings: Settings, held: Held
) -> None:
    run = new(store, settings)
    registry.begin(run, runner(held))
    known = registry.runner(run.id)
    assert known
    assert "Held" not in repr(known) + repr(vars(known))


def test_values_are_kept_in_keys_that_no_widget_owns() -> None:
    keys = [v for k, v in vars(state).items() if k.isupper() and isinstance(v, str)]
    assert len(keys) == len(set(keys))
    assert all(state.widget(key) not in keys for key in keys)
