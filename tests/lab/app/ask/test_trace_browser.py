"""The trace and the context as a person uses them: real Chromium over the real server."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from serving import WAIT, ask, choose_model, settled

from lab.events import ModelAsked
from lab.store import Store

pytestmark = pytest.mark.browser

Script = Callable[..., str]
SEARCH = {"name": "search_site", "arguments": {"query": "KV cache"}}
READ = {"name": "read_passage", "arguments": {"id": "kv-cache-sizing#intro"}}


@pytest.fixture
def page(browser: Browser, url: str) -> Iterator[Page]:
    """A page of its own that may read what it copied."""
    with browser.new_context(permissions=["clipboard-read", "clipboard-write"]) as context:
        context.set_default_timeout(WAIT)
        page = context.new_page()
        page.goto(url)
        yield page


def row(page: Page, step: int) -> str:
    return f".st-key-lab-row-{step}"


def test_what_was_opened_stays_open_while_the_run_goes_on_and_when_it_is_over(
    page: Page, script: Script
) -> None:
    slow = script(
        {"thinking": "I look.", "calls": [SEARCH, SEARCH]},
        {"seconds": 4, "calls": [READ]},
        {"seconds": 4, "text": "Done."},
    )
    choose_model(page, slow)
    ask(page)
    first = page.locator(".st-key-lab-row-1 details")
    # A step is drawn anew until its last call has a result, which is when the next one begins.
    expect(page.locator(".st-key-lab-row-2")).to_be_attached()
    first.first.locator("summary").click()
    first.nth(2).locator("summary").click()
    expect(page.locator(".st-key-lab-row-2")).to_contain_text("passage of")
    second = page.locator(".st-key-lab-row-2 details").first
    second.locator("summary").click()
    expect(page.locator(".st-key-lab-row-3")).to_contain_text("waiting for the model …")
    assert [part.get_attribute("open") for part in (first.first, first.nth(2), second)] == [""] * 3
    assert first.nth(1).get_attribute("open") is None
    expect(page.locator(".lab-badge")).to_have_text("✓ answered")
    expect(page.get_by_role("tab", name="Raw")).to_be_visible()
    assert [part.get_attribute("open") for part in (first.first, first.nth(2), second)] == [""] * 3


def test_the_step_in_the_address_is_shown_again_and_its_pieces_can_be_searched_and_copied(
    page: Page, stored: Store
) -> None:
    choose_model(page, "scripted:careful")
    ask(page)
    steps = page.get_by_role("radiogroup", name="At step")
    expect(steps.get_by_role("radio", name="4")).to_be_checked()
    settled(page)
    steps.get_by_role("radio", name="2").click()
    page.wait_for_url(re.compile("[?&]step=2"))
    page.reload()
    expect(steps.get_by_role("radio", name="2")).to_be_checked()
    expect(page.locator(".lab-fresh")).to_have_count(3)

    inside = page.get_by_role("textbox", name="Search inside")
    inside.fill("PAGED allocation")
    inside.press("Enter")
    expect(page.locator(".lab-pieces mark").first).to_have_text(re.compile("paged", re.IGNORECASE))
    expect(page.locator(".lab-piece:visible")).to_have_count(1)

    page.get_by_role("tab", name="Raw").click()
    page.get_by_role("button", name="Copy to clipboard").click()
    run = re.search("run=([0-9a-f]+)", page.url)
    assert run
    asked = [e for e in stored.load(run[1]).events if isinstance(e, ModelAsked)]
    assert page.evaluate("navigator.clipboard.readText()") == asked[1].request.body
