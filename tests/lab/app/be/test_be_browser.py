"""The page Be the model as a person uses it: real Chromium over the real server."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from serving import WAIT, ask, choose_model

from lab.app.suggestions import DEFAULT_QUESTION
from lab.events import ModelAsked, ModelReplied, ToolFinished
from lab.models.catalog import PERSON
from lab.store import Store

pytestmark = pytest.mark.browser

ANSWER = "It takes 4 GiB [kv-cache-sizing#bytes-per-token-for-known-models]."


def test_a_run_begun_on_ask_for_a_person_waits_for_one(
    browser: Browser, url: str, stored: Store
) -> None:
    with browser.new_context() as context:
        context.set_default_timeout(WAIT)
        page = context.new_page()
        page.goto(url)
        choose_model(page, PERSON)
        ask(page)
        seen(page.get_by_text("A run waits for a person"))
        page.get_by_role("link", name="Reply in its place").click()
        sent(page, 1)
        page.get_by_role("button", name="Stop").click()
        expect(page.locator(".lab-badge").first).to_have_text("■ stopped")
        [id] = parse_qs(urlsplit(page.url).query)["run"]
        events = stored.load(id).events
        assert [e.step for e in events if isinstance(e, ModelAsked)] == [1]
        assert not any(isinstance(e, ModelReplied) for e in events)


def seen(place: Locator) -> None:
    expect(place.first).to_be_visible()


def sent(page: Page, step: int) -> None:
    """Wait until the page shows the request of this step."""
    heading = page.get_by_role("heading", name=f"What you are sent, step {step}")
    seen(heading)


def test_a_visitor_is_the_model_and_then_stands_beside_one(
    browser: Browser, url: str, stored: Store
) -> None:
    with browser.new_context(viewport={"width": 1440, "height": 900}) as context:
        context.set_default_timeout(WAIT)
        page = context.new_page()
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(url)
        page.get_by_role("link", name="Be the model").click()
        expect(page.get_by_role("textbox", name="Question")).to_have_value(DEFAULT_QUESTION)
        before = len(stored.rows())
        page.get_by_role("button", name="Begin").dblclick()
        sent(page, 1)
        assert len(stored.rows()) == before + 1
        page.wait_for_url(re.compile(r"[?&]run="))
        [id] = parse_qs(urlsplit(page.url).query)["run"]

        page.get_by_role("textbox", name="query").fill("KV cache per token")
        page.get_by_role("button", name="Reply").dblclick()
        sent(page, 2)
        seen(page.get_by_text('search_site "KV cache per token"'))
        page.reload()
        sent(page, 2)
        tool = page.get_by_role("combobox", name="Tool")
        tool.click()
        tool.fill("guess")
        tool.press("Enter")
        page.get_by_role("textbox", name="Arguments").fill('{"number": 4}')
        page.get_by_role("button", name="Reply").click()
        sent(page, 3)
        seen(page.get_by_text("There is no tool named 'guess'"))

        other = context.new_page()
        other.goto(page.url)
        sent(other, 3)
        for window in (page, other):
            window.get_by_text("Answer", exact=True).click()
            window.get_by_role("textbox", name="The answer").fill(ANSWER)
        for window in (page, other):
            window.get_by_role("button", name="Reply").click()
        for window in (page, other):
            expect(window.locator(".lab-badge").first).to_have_text("✓ answered")
        seen(page.get_by_text("✓ Right."))
        other.close()

        events = stored.load(id).events
        assert [e.step for e in events if isinstance(e, ModelAsked)] == [1, 2, 3]
        assert [e.step for e in events if isinstance(e, ModelReplied)] == [1, 2, 3]
        assert [e.failed for e in events if isinstance(e, ToolFinished)] == [False, True]

        page.get_by_role("button", name="Run and compare").dblclick()
        seen(page.get_by_text("✓ right"))
        page.wait_for_url(re.compile(f"compare[?]runs={id}"))
        assert len(stored.rows()) == before + 2
        assert faults == []
