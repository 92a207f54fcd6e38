"""What tests of the page share: scripts to play, the served page in a browser."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from serving import chromium, serving

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
