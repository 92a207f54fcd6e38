"""The Compare page as a person uses it: real Chromium over the real server."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from serving import WAIT, sideways

from lab.app.suggestions import DEFAULT_QUESTION
from lab.store import Store

pytestmark = pytest.mark.browser
COMPARE = re.compile("^Compare")
"""The button; its shortcut stands in it."""
"""Milliseconds a busy machine may take to draw."""


def test_two_columns_are_compared_and_a_reload_shows_the_same_runs(
    browser: Browser, url: str, stored: Store
) -> None:
    with browser.new_context(viewport={"width": 1440, "height": 900}) as context:
        context.set_default_timeout(WAIT)
        page = context.new_page()
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(url)
        page.get_by_role("link", name="Compare").click()
        expect(page.get_by_role("heading", name="Compare", exact=True)).to_be_visible()
        expect(page.get_by_role("textbox", name="Question")).to_have_value(DEFAULT_QUESTION)
        page.get_by_role("button", name=COMPARE).click()
        parted = page.locator(".lab-parting")
        expect(parted).to_contain_text("B went straight to calculate")
        expect(page.locator(".lab-badge")).to_have_text(
            ["✓ answered", "✓ right", "✓ answered", "✗ wrong"]
        )
        page.wait_for_url(re.compile(r"[?&]runs="))
        before = len(stored.rows())
        assert len({top(cell) for cell in cells(page)}) == 1, "not at the same height"
        expect(switch(page)).to_be_hidden()

        page.set_viewport_size({"width": 400, "height": 900})
        page.reload()
        expect(parted).to_contain_text("B went straight to calculate")
        assert len(stored.rows()) == before
        one_column_at_a_time(page)
        assert not sideways(page)
        assert faults == []


def one_column_at_a_time(page: Page) -> None:
    """A narrow screen shows one column, and where they part all of them; that stays in view."""
    heads = page.locator(".lab-column")
    expect(heads.nth(0)).to_be_visible()
    expect(heads.nth(1)).to_be_hidden()
    first, then = cells(page)
    assert top(first) < top(then), "not one below the other"
    then.scroll_into_view_if_needed()
    page.locator(".lab-multiples").scroll_into_view_if_needed()
    expect(page.locator(".lab-parting")).to_be_in_viewport()
    switch(page).get_by_text("B", exact=True).click()
    expect(heads.nth(1)).to_be_visible()
    expect(heads.nth(0)).to_be_hidden()
    expect(page.locator(".lab-parting")).to_be_in_viewport()
    expect(first).to_be_visible()


def test_columns_are_set_apart_from_each_other_and_asked_several_times(
    browser: Browser, url: str, stored: Store
) -> None:
    with browser.new_context(viewport={"width": 1440, "height": 900}) as context:
        context.set_default_timeout(WAIT)
        page = context.new_page()
        page.goto(f"{url}/compare")
        page.get_by_role("button", name="Careful and hasty").click()
        page.get_by_role("button", name="Add column").click()
        expect(page.get_by_role("combobox", name="C: model")).to_have_value("scripted:hasty")
        page.get_by_role("button", name="Usual settings").nth(2).click()
        prompt = page.get_by_role("textbox", name="System prompt")
        prompt.fill("Guess.")
        prompt.press("Control+Enter")
        expect(page.get_by_role("button", name="Own prompt")).to_be_visible()
        page.keyboard.press("Escape")
        often = page.get_by_role("spinbutton", name="Runs of each")
        often.fill("2")
        often.press("Enter")
        expect(page.get_by_text("6 new runs, at most 48 model calls.")).to_be_visible()
        before = len(stored.rows())
        page.get_by_role("button", name=COMPARE).click()
        expect(page.locator(".lab-differ")).to_have_text("C has another system prompt")
        expect(page.locator(".lab-told")).to_contain_text("that takes 6 counted runs of each")
        assert len(stored.rows()) == before + 6
        expect(page.get_by_role("radio", name="1")).to_be_checked()
        page.get_by_role("radio", name="2").click()
        expect(page.locator(".lab-repeats .lab-shown").first).to_contain_text("run 2")
        with context.expect_page() as opening:
            page.get_by_title("Open the run in a new tab").first.click()
        expect(opening.value.locator(".lab-outcome").first).to_contain_text("answered")
        expect(page.locator(".lab-repeats .lab-shown").first).to_contain_text("run 2")


def switch(page: Page) -> Locator:
    """What chooses the column that a narrow screen shows."""
    return page.locator(".st-key-parting .stButtonGroup")


def cells(page: Page) -> list[Locator]:
    """The steps in which the columns part."""
    return page.locator(".lab-apart .lab-what").all()


def top(of: Locator) -> float:
    box = of.bounding_box()
    assert box
    return box["y"]
