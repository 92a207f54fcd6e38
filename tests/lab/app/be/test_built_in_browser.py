"""The model of a visitor's own browser: real Chromium, with its interface played by a stub."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect
from serving import WAIT, ask, choose_model

from lab.events import ModelAsked, ModelReplied
from lab.models.catalog import BROWSER
from lab.store import Store

pytestmark = pytest.mark.browser

STUB = (Path(__file__).parent / "language_model.js").read_text("utf-8")
CALL = '{"thought": "Look.", "action": "search_site", "input": {"query": "KV cache"}}'
FINAL = '{"thought": "", "action": "final", "input": "It is 4 GiB."}'


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    with browser.new_context() as made:
        made.set_default_timeout(WAIT)
        yield made


def begun(context: BrowserContext, url: str, script: str) -> Page:
    """A page of a browser in which that script ran first, with a question asked of its model."""
    context.add_init_script(script)
    page = context.new_page()
    page.goto(url)
    choose_model(page, BROWSER)
    ask(page)
    return page


def with_replies(*replies: str, **settings: object) -> str:
    """The stub, with what it writes."""
    held = {"replies": replies, **settings}
    return f"Object.assign(window, {json.dumps(held)});\n{STUB}"


def seen(place: Locator) -> None:
    expect(place.first).to_be_visible()


def badge(page: Page, text: str) -> None:
    expect(page.locator(".lab-badge").first).to_have_text(text)


def run_id(page: Page) -> str:
    page.wait_for_url(re.compile(r"[?&]run="))
    [id] = parse_qs(urlsplit(page.url).query)["run"]
    return id


def test_it_is_downloaded_calls_a_tool_and_answers(
    context: BrowserContext, url: str, stored: Store
) -> None:
    page = begun(context, url, with_replies(CALL, FINAL, refuseOnce=True))
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    seen(page.get_by_text("Chrome's built-in model is downloadable."))
    page.get_by_role("button", name="Download the model").click()
    seen(page.get_by_text("Downloading the model: 50 %"))
    assert page.get_by_role("progressbar", name="Download").evaluate("bar => bar.value") == 0.5
    page.evaluate("window.goOn()")
    badge(page, "✓ answered")
    expect(page.locator(".lab-answer")).to_have_text("It is 4 GiB.")

    first, second = page.evaluate("window.asked")
    assert (first["roles"], second["roles"]) == (["system"], ["system", "user", "assistant"])
    assert first["actions"] == ["search_site", "read_passage", "calculate", "final"]
    assert second["text"].startswith("Observation from search_site:\n5 passages, best first")
    events = stored.load(run_id(page)).events
    bodies = [json.loads(e.request.body) for e in events if isinstance(e, ModelAsked)]
    assert [body["messages"][-1]["content"] for body in bodies] == [first["text"], second["text"]]
    replied = [e for e in events if isinstance(e, ModelReplied)]
    assert [e.exchange.response for e in replied] == [CALL, FINAL]
    assert faults == []


def test_stop_reaches_it_and_another_window_can_take_over(
    context: BrowserContext, url: str, stored: Store
) -> None:
    page = begun(context, url, with_replies(FINAL, thinking=60_000, there="available"))
    seen(page.get_by_text("The browser's own model is writing …"))
    page.get_by_role("button", name="Stop").click()
    badge(page, "■ stopped")
    page.wait_for_function("window.asked[0].aborted")
    page.get_by_role("button", name="Resume").click()
    seen(page.get_by_text("The browser's own model is writing …"))

    other = context.new_page()
    other.goto(page.url)
    other.evaluate("window.thinking = 100")
    other.get_by_role("button", name="Let this browser reply").click()
    for window in (page, other):
        badge(window, "✓ answered")
    page.wait_for_function("window.asked[1].aborted")
    events = stored.load(run_id(page)).events
    assert sum(isinstance(e, ModelReplied) for e in events) == 1


def test_a_browser_without_one_says_what_it_takes(context: BrowserContext, url: str) -> None:
    page = begun(context, url, "delete window.LanguageModel;")
    badge(page, "⚠ failed")
    said = "This browser has no built-in model that a page can ask. It takes Chrome 138"
    seen(page.locator(".lab-outcome").get_by_text(said))
    page.get_by_role("link", name="Models").click()
    seen(page.locator(".st-key-endpoint-browser").get_by_text(said))
