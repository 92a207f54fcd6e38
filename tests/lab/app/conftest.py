"""What tests of the page share: scripts to play, steps to draw, the served page in a browser."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from serving import chromium, serving

from lab.events import Asked, ToolFinished
from lab.messages import Attempt, Cost, Exchange, Reply, Request, ToolCall, Usage
from lab.steps import CallView, Step, Turn, turns
from lab.store import Store


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the served page keeps its data."""
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="session")
def url(home: Path) -> Iterator[str]:
    """The address of the real page."""
    with serving(home) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real Chromium."""
    with chromium() as started:
        yield started


@pytest.fixture
def stored(home: Path) -> Iterator[Store]:
    """The store of the served page, read beside it."""
    store = Store(home / "runs.db")
    yield store
    store.close()


@pytest.fixture
def script(tmp_path: Path) -> Callable[..., str]:
    """Write a script of these replies; gives the name of the model that plays it."""

    def written(*replies: dict[str, Any]) -> str:
        path = tmp_path / "script.json"
        path.write_text(json.dumps({"replies": replies}), encoding="utf-8")
        return f"scripted:{path}"

    return written


def _step(number: int = 1, **reply: Any) -> Step:
    usage = Usage(reply.pop("tokens_in", 100), 10, estimated=reply.pop("estimated", False))
    exchange = Exchange(attempts=(Attempt(200, 1.5),), cost=Cost(reply.pop("usd", 0.01), "a price"))
    said = Reply(reply.pop("text", ""), usage=usage, **reply)
    request = Request("POST", "https://api.example/v1", "{}", {})
    return Step(number, request, said, exchange, calls=[CallView(call) for call in said.calls])


@pytest.fixture(scope="session")
def step() -> Callable[..., Step]:
    """Make a step with its reply: fields of the reply, tokens_in, estimated, usd."""
    return _step


def _called(name: str, result: str, failed: bool = False, **arguments: Any) -> Step:
    made = _step(calls=(ToolCall("c1", name, arguments),))
    made.calls = [CallView(made.calls[0].call, True, ToolFinished("c1", result, failed, 0.25))]
    return made


@pytest.fixture(scope="session")
def called() -> Callable[..., Step]:
    """Make a step with one finished call: tool, result, failed, arguments."""
    return _called


@pytest.fixture(scope="session")
def turn() -> Callable[..., Turn]:
    """Make a turn of these steps."""

    def made(*steps: Step) -> Turn:
        [of] = turns([Asked("What is it?")])
        of.steps = list(steps)
        return of

    return made
