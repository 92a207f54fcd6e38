"""What holds for every page alike: an empty state, no scrolling sideways, the keyboard alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from serving import WAIT, ask, choose_model, serving, sideways, tab_to

from lab.store import Store

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

WIDTHS = (400, 1440, 2560)
EMPTY = {
    "": "No key needed: the tools run for real",
    "compare": "No key needed: press Compare",
    "be": "No key needed: you are the model",
    "search": "Try one of these",
    "runs": "No runs yet.",
    "models": "Without any key, demo and the scripts run.",
}
"""What each page says to somebody who comes for the first time."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of this module's own, empty to begin with."""
    return tmp_path_factory.mktemp("empty")


@pytest.fixture(scope="module")
def url(home: Path) -> Iterator[str]:
    with serving(home) as address:
        yield address


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with browser.new_context(viewport={"width": 1440, "height": 900}) as context:
        context.set_default_timeout(WAIT)
        page, faults = context.new_page(), list[str]()
        page.on("pageerror", lambda error: faults.append(str(error)))
        yield page
        assert faults == []


def fits(page: Page) -> None:
    """No width of a window makes the page scroll sideways."""
    expect(page.locator("[data-testid=stSkeleton]")).to_have_count(0)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert not sideways(page), f"{page.url} at {width}"
    page.set_viewport_size({"width": 1440, "height": 900})


def seen(page: Page, selector: str) -> None:
    expect(page.locator(selector).first).to_be_visible()


def test_an_empty_page_says_what_it_is_for_and_fits(page: Page, url: str) -> None:
    for path, said in EMPTY.items():
        page.goto(f"{url}/{path}")
        expect(page.locator(".stMain")).to_contain_text(said)
        fits(page)


def test_a_page_with_something_on_it_fits(page: Page, url: str, home: Path) -> None:
    page.goto(url)
    choose_model(page, "scripted:careful")
    ask(page)
    seen(page, ".lab-pieces")
    fits(page)
    page.goto(f"{url}/compare")
    page.get_by_role("button", name="Compare").click()
    seen(page, ".lab-badge:has-text('wrong')")
    fits(page)
    page.goto(f"{url}/search?q=KV+cache")
    seen(page, ".lab-hits")
    page.locator("details").evaluate_all("all => all.forEach(one => one.open = true)")
    fits(page)
    store = Store(home / "runs.db")
    run = store.rows()[-1]
    store.close()
    page.goto(f"{url}/runs")
    seen(page, ".st-key-run-list")
    fits(page)
    for at in (0, 7):
        page.goto(f"{url}/runs?run={run.id}&at={at}")
        seen(page, ".lab-moment")
        seen(page, ".st-key-fork textarea, .st-key-fork input")
        fits(page)
    page.goto(f"{url}/models")
    for opened in page.get_by_text("Try it").all():
        opened.click()
    fits(page)


def test_the_keyboard_alone_compares_plays_searches_and_opens(page: Page, url: str) -> None:
    page.goto(f"{url}/compare")
    expect(page.get_by_role("combobox", name="A: model")).to_be_visible()
    tab_to(page, "button", "Compare")
    page.keyboard.press("Enter")
    seen(page, ".lab-parting")

    page.goto(f"{url}/be")
    expect(page.get_by_role("button", name="Begin")).to_be_visible()
    tab_to(page, "button", "Begin")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="What you are sent, step 1")).to_be_visible()
    tab_to(page, "input", "query")
    page.keyboard.type("KV cache per token")
    tab_to(page, "button", "Reply")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="What you are sent, step 2")).to_be_visible()
    fits(page)

    page.goto(f"{url}/search")
    expect(page.get_by_role("textbox", name="Query")).to_be_visible()
    tab_to(page, "input", "Query")
    page.keyboard.type("KV cache")
    page.keyboard.press("Enter")
    seen(page, ".lab-hits")

    page.goto(f"{url}/runs")
    seen(page, ".st-key-run-list")
    tab_to(page, "button", "Open")
    page.keyboard.press("Enter")
    page.wait_for_url("**run=*")
    seen(page, ".lab-outcome")
