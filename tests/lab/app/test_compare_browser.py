"""The Compare page as a person uses it: real Chromium over the real server."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from lab.app.controls import DEFAULT_QUESTION
from lab.store import Store

pytestmark = pytest.mark.browser


def test_two_models_are_compared_and_a_reload_shows_the_same_runs(
    browser: Browser, url: str, stored: Store
) -> None:
    with browser.new_context(viewport={"width": 1440, "height": 900}) as context:
        context.set_default_timeout(30_000)
        page = context.new_page()
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(url)
        page.get_by_role("link", name="Compare").click()
        expect(page.get_by_role("heading", name="Compare models")).to_be_visible()
        expect(page.get_by_role("textbox", name="Question")).to_have_value(DEFAULT_QUESTION)
        page.get_by_role("button", name="Compare", exact=True).click()
        parted = page.locator(".lab-parting")
        expect(parted).to_contain_text("B went straight to calculate", timeout=30_000)
        expect(page.locator(".lab-badge")).to_have_text(
            ["✓ answered", "✓ right", "✓ answered", "✗ wrong"], timeout=30_000
        )
        page.wait_for_url(re.compile(r"[?&]runs="))
        before = len(stored.rows())
        boxes = [box.bounding_box() for box in page.locator(".lab-apart > .lab-what").all()]
        assert len({box and box["y"] for box in boxes}) == 1, "not at the same height"

        page.set_viewport_size({"width": 400, "height": 900})
        page.reload()
        expect(parted).to_contain_text("B went straight to calculate", timeout=30_000)
        first, then = page.locator(".lab-apart > .lab-what").all()
        above, below = first.bounding_box(), then.bounding_box()
        assert above
        assert below
        assert above["y"] + above["height"] <= below["y"], "not stacked"
        assert page.evaluate("document.querySelector('.stMain').scrollWidth") == 400
        assert len(stored.rows()) == before
        assert faults == []
