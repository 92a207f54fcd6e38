"""A reply that is still arriving: shown, reattached to, stopped; and three windows at once."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from answers import answer, as_stream
from conftest import Loopback, Received
from playwright.sync_api import Browser, Page, expect
from serving import WAIT, ask, choose_model, serving

from lab.events import ModelAsked, StopAsked, TurnEnded
from lab.store import Store

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

ENTRY = '[slow]\nwire = "openai"\nbase_url = "{}/v1"\nfree = true\nmodels = ["m"]\n'


@pytest.fixture
def url(loopback: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The page, with an endpoint at the loopback server."""
    (tmp_path / "endpoints.toml").write_text(ENTRY.format(loopback.url), encoding="utf-8")
    monkeypatch.setenv("LAB_ENDPOINTS", str(tmp_path / "endpoints.toml"))
    with serving(tmp_path) as address:
        yield address


def opened(browser: Browser, url: str) -> Page:
    page = browser.new_context().new_page()
    page.set_default_timeout(WAIT)
    page.goto(url)
    return page


def ask_slow(page: Page, question: str) -> None:
    page.get_by_role("textbox", name="Question").fill(question)
    choose_model(page, "slow/m")
    ask(page)


def badge(page: Page, text: str) -> None:
    expect(page.locator(".lab-badge").first).to_have_text(text)


def endless(loopback: Loopback) -> Iterator[bytes]:
    """The beginning of a reply; its end does not come before the test is over."""
    yield from as_stream(answer("openai", "The first half is here."))[:-3]
    loopback.closing.wait(100)


def test_a_reply_that_arrives_is_reattached_to_and_stopped_within_a_second(
    browser: Browser, url: str, loopback: Loopback, tmp_path: Path
) -> None:
    loopback.stream(endless(loopback))
    page = opened(browser, url)
    ask_slow(page, "Will it end?")
    arriving = page.locator(".lab-streamed")
    expect(arriving).to_contain_text("The first half")
    page.reload()
    expect(arriving).to_contain_text("The first half")
    page.get_by_role("button", name="Stop").click()
    badge(page, "■ stopped")
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    store = Store(tmp_path / "runs.db")
    [row] = store.rows()
    recorded = store.load(row.id).recorded
    store.close()
    assert sum(isinstance(one.event, ModelAsked) for one in recorded) == 1
    assert len(loopback.received) == 1
    asked, ended = (
        next(datetime.fromisoformat(one.at) for one in recorded if isinstance(one.event, kind))
        for kind in (StopAsked, TurnEnded)
    )
    assert (ended - asked).total_seconds() < 1


def test_what_was_sent_is_open_to_be_read_while_the_model_is_awaited(
    browser: Browser, url: str, loopback: Loopback
) -> None:
    searched = answer("openai", "", [("search_site", {"query": "paged cache"})])
    loopback.stream(as_stream(searched))
    loopback.stream(endless(loopback))
    page = opened(browser, url)
    ask_slow(page, "What is sent meanwhile?")
    steps = page.get_by_role("radiogroup", name="At step")
    steps.get_by_text("2", exact=True).wait_for()
    steps.get_by_text("1", exact=True).click()
    page.wait_for_url(re.compile("step=1"))
    page.get_by_role("tab", name="Raw").click()
    raw = page.get_by_role("tabpanel").locator("code").first
    expect(raw).to_contain_text("What is sent meanwhile?")
    page.wait_for_timeout(5000)  # drawn anew twice, what was chosen stays
    expect(raw).to_be_visible()
    expect(raw).not_to_contain_text("tool_call_id")
    page.get_by_role("button", name="Stop").click()
    badge(page, "■ stopped")
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    expect(page.get_by_role("tab", name="Raw", selected=True)).to_have_count(1)


def test_three_windows_at_once_each_show_their_own_run(
    browser: Browser, url: str, loopback: Loopback
) -> None:
    met = threading.Barrier(3)

    def together(request: Received) -> Any:
        met.wait(100)
        question = request.json["messages"][-1]["content"]
        body = answer("openai", f"You asked: {question}")
        body["usage"]["prompt_tokens"] = len(request.body) // 4
        return 200, {"content-type": "text/event-stream"}, as_stream(body)

    pages = [opened(browser, url) for _ in range(3)]
    for number, page in enumerate(pages):
        loopback.given(together)
        ask_slow(page, f"Who is number {number}?")
        page.wait_for_url(re.compile("run="))
    for number, page in enumerate(pages):
        badge(page, "✓ answered")
        expect(page.locator(".lab-answer")).to_have_text(f"You asked: Who is number {number}?")
