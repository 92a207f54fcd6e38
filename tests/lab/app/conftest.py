"""What tests of the page share: scripts to play, the served page in a browser."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from serving import chromium, serving

from lab.app import registry, resources
from lab.models.endpoints import endpoints
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


@pytest.fixture
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """For pages in this process: a store of the test's own, no key, no thread left at work."""
    monkeypatch.setenv("LAB_HOME", str(tmp_path / "home"))
    for endpoint in endpoints().values():
        monkeypatch.delenv(endpoint.key or "LAB_SHARED_KEYS", raising=False)
    runners: dict[str, registry.Runner] = {}
    monkeypatch.setattr(registry, "_runners", runners)
    resources.store.clear()
    yield
    for runner in runners.values():
        runner.stop()
        runner.join(30)
    resources.store().close()
    resources.store.clear()
