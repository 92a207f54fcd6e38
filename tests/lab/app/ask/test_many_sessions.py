"""Thirty sessions of one process, each with a run of its own under way at the same time."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from answers import answer, as_stream
from conftest import Loopback, Received
from streamlit.testing.v1 import AppTest

from indexer.index import Index
from lab.app import registry, resources, state

SESSIONS = 30
WAIT = 100
ENTRY = '[many]\nwire = "openai"\nbase_url = "{}/v1"\nfree = true\nmodels = ["m"]\n'


@pytest.fixture(autouse=True)
def own_data(
    loopback: Loopback, sample: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """A store and a registry of the test's own, and an endpoint at the loopback server."""
    (tmp_path / "endpoints.toml").write_text(ENTRY.format(loopback.url), encoding="utf-8")
    monkeypatch.setenv("LAB_ENDPOINTS", str(tmp_path / "endpoints.toml"))
    monkeypatch.setenv("LAB_HOME", str(tmp_path))
    monkeypatch.setattr(registry, "_runners", {})
    monkeypatch.setattr(resources, "index", lambda folder="", semantic=None: sample)
    resources.store.clear()
    yield
    resources.store().close()
    resources.store.clear()


def script() -> None:
    from lab.app.ask import page

    page.view()


def asked(question: str) -> AppTest:
    """A session that has pressed Ask, and did not wait for what comes of it."""
    page = AppTest.from_function(script, default_timeout=60)
    page.session_state[state.MODEL] = "many/m"
    page.run()
    page.text_area(key=state.widget(state.QUESTION)).set_value(question)
    next(button for button in page.button if button.label == "Ask").click()
    return page.run()


def replies(met: threading.Barrier) -> Any:
    """A server that answers nobody before all have asked, then calls a tool, then answers."""

    def made(request: Received) -> Any:
        messages = request.json["messages"]
        question = next(m["content"] for m in messages if m["role"] == "user")
        first = messages[-1]["role"] == "user"
        if first:
            met.wait(WAIT)
        number = question.rpartition(" ")[2]
        calls = [("calculate", {"expression": f"{number} * 1000"})] if first else []
        body = answer("openai", "" if first else f"It is {number}000.", calls)
        body["usage"]["prompt_tokens"] = len(request.body) // 4
        return 200, {"content-type": "text/event-stream"}, as_stream(body, 40)

    return made


def test_thirty_runs_at_once_all_complete_and_each_session_sees_its_own(
    loopback: Loopback,
) -> None:
    met = threading.Barrier(SESSIONS)
    for _ in range(2 * SESSIONS):
        loopback.given(replies(met))
    pages = [asked(f"What is a thousand times {n}") for n in range(SESSIONS)]
    ids = [str(page.query_params[state.RUN]) for page in pages]
    runners = [registry.runner(id) for id in ids]
    assert len(set(ids)) == SESSIONS
    for runner in runners:
        assert runner
        runner.join(WAIT)
        assert not runner.working
        assert runner.error is None
    for number, page in enumerate(pages):
        page.run()
        said = [str(html.proto.body) for html in page.get("html")]
        assert not page.exception
        assert any(f"It is {number}000." in body for body in said)
    for number, id in enumerate(ids):
        run = resources.store().load(id)
        assert (end := run.end())
        assert (end.reason, end.answer) == ("answered", f"It is {number}000.")
    sent = [json.loads(request.body)["messages"] for request in loopback.received]
    assert len(sent) == 2 * SESSIONS
