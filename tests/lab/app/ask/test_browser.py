"""The page as a person uses it: real Chromium over the real server."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from serving import WAIT, ask, choose_model, sideways, tab_to

from lab.app.suggestions import DEFAULT_QUESTION, EXAMPLES
from lab.events import ModelAsked, ModelReplied, Reopened
from lab.store import Store

pytestmark = pytest.mark.browser

Script = Callable[..., str]
SEARCH = {"name": "search_site", "arguments": {"query": "KV cache"}}
HOSTILE = (
    "<script>alert(1)</script><img src=https://evil.example/a.png onerror=alert(2)> "
    "![x](https://evil.example/b.png) [x](javascript:alert(3)) [y](https://evil.example/c) "
    "<style>body{background:url(https://evil.example/d.png)}</style>\n\n"
    "![z][z]\n\n[z]: https://evil.example/e.png"
)
BARE = ("favicon", "GPU", "WebGL")
"""What Chromium itself may say on a machine without a screen."""


@pytest.fixture
def faults() -> list[str]:
    """What went wrong in the browser; must be empty when the test is over."""
    return []


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """One for all tests, so that the page's own scripts are read only once."""
    with browser.new_context() as shared:
        shared.set_default_timeout(WAIT)
        yield shared


@pytest.fixture
def page(context: BrowserContext, url: str, faults: list[str]) -> Iterator[Page]:
    """A page that keeps watch: no error, no dialog, no request to anywhere else."""
    page = context.new_page()
    page.on("request", lambda request: leaving(request.url, url, faults))
    page.on("pageerror", lambda error: faults.append(f"error: {error}"))
    page.on("dialog", lambda dialog: (faults.append("a dialog"), dialog.dismiss()))
    page.on(
        "console",
        lambda said: faults.append(f"console: {said.text}") if said.type == "error" else None,
    )
    page.goto(url)
    question = page.get_by_role("textbox", name="Question")
    expect(question).to_have_value(DEFAULT_QUESTION)  # the first reads the site
    yield page
    page.close()
    assert not [fault for fault in faults if not any(word in fault for word in BARE)]


def leaving(address: str, url: str, faults: list[str]) -> None:
    """Keep a request that is not for the page's own server."""
    parts = urlsplit(address)
    if parts.scheme not in ("data", "blob") and parts.netloc != urlsplit(url).netloc:
        faults.append(f"request to {address}")


def run_id(page: Page) -> str:
    """The id of the run in the address, once it is there."""
    page.wait_for_url(re.compile(r"[?&]run="))
    [id] = parse_qs(urlsplit(page.url).query)["run"]
    return id


def started(page: Page, model: str, question: str = "What is it?") -> str:
    """Ask a model; gives the id of the run."""
    page.get_by_role("textbox", name="Question").fill(question)
    choose_model(page, model)
    ask(page)
    return run_id(page)


def stop(page: Page) -> None:
    page.get_by_role("button", name="Stop").click()


def has_steps(page: Page, number: int) -> None:
    expect(page.locator(".lab-cells")).to_have_count(number)


def awaited(page: Page, step: int) -> None:
    """Wait until the page shows that this step's reply is awaited."""
    row = page.locator(f".st-key-lab-row-{step}")
    expect(row).to_contain_text("waiting for the model …")


def badge(page: Page, text: str) -> None:
    """Wait until the run's state is this."""
    expect(page.locator(".lab-badge")).to_have_text(text)


def test_a_newcomer_asks_the_default_question_and_finds_what_was_sent_at_step_2(
    page: Page, stored: Store
) -> None:
    expect(page.get_by_text("No key needed: the tools run for real")).to_be_visible()
    choose_model(page, "scripted:careful")
    ask(page)
    badge(page, "✓ answered")
    expect(page.locator(".lab-answer")).to_contain_text("which is 4 GiB")
    link = page.locator(".lab-answer sup a")
    assert str(link.get_attribute("href")).startswith("https://contour-notes.example/kv-cache")
    assert (link.get_attribute("target"), link.inner_text()) == ("_blank", "1")
    expect(page.locator(".lab-sources li")).to_have_count(1)
    has_steps(page, 4)
    parts = page.locator(".lab-bar").evaluate_all(
        "bars => bars.map(bar => [...bar.children].reduce((sum, i) => sum + i.offsetWidth, 0))"
    )
    assert parts == sorted(parts)
    assert len(set(parts)) == 4

    page.locator(".lab-what summary").first.click()
    expect(page.locator(".lab-what pre").first).to_contain_text("query: KV cache size per token")
    page.get_by_role("radio", name="2").click()
    page.get_by_role("tab", name="Raw").click()
    asked = [e for e in stored.load(run_id(page)).events if isinstance(e, ModelAsked)]
    raw = page.locator("[data-testid=stCode] code")
    expect(raw).to_contain_text('"role":"tool"')
    assert raw.text_content() == asked[1].request.body
    page.get_by_text("Indent it to be read").click()
    expect(page.get_by_text("Indented by the lab")).to_be_visible()
    page.get_by_role("tab", name="Response").click()
    expect(raw).to_contain_text('"tool_calls"')
    page.get_by_role("tab", name="Raw").click()
    expect(page.get_by_text("Indented by the lab")).to_be_visible()
    page.get_by_role("button", name="Export …").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as HTML page").click()
    assert b"128 KiB" in download.value.path().read_bytes()


def test_the_trace_grows_step_by_step_while_the_run_goes_on(page: Page, script: Script) -> None:
    slow = script({"calls": [SEARCH]}, {"seconds": 6, "calls": [SEARCH]}, {"text": "Done."})
    started(page, slow)
    awaited(page, step=2)
    expect(page.locator(".lab-badge")).to_have_text("… under way")
    expect(page.locator(".lab-what summary").first).to_contain_text('search_site "KV cache"')
    badge(page, "✓ answered")
    has_steps(page, 3)


def test_stop_keeps_what_there_is_within_a_second_and_resume_completes_it(
    page: Page, script: Script, stored: Store
) -> None:
    id = started(page, script({"calls": [SEARCH]}, {"seconds": 8, "text": "Done."}))
    awaited(page, step=2)
    stop(page)
    badge(page, "■ stopped")
    kept = stored.load(id)
    asked, ended = (
        next(r.at for r in kept.recorded if type(r.event).__name__ == name)
        for name in ("StopAsked", "TurnEnded")
    )
    assert seconds_between(asked, ended) < 1
    assert sum(isinstance(e, ModelReplied) for e in kept.events) == 1
    expect(page.locator(".lab-what summary").first).to_contain_text("search_site")
    page.get_by_role("button", name="Resume").click()
    badge(page, "✓ answered")
    expect(page.locator(".lab-answer")).to_have_text("Done.")
    whole = stored.load(id)
    assert whole.recorded[: len(kept.recorded)] == kept.recorded
    assert sum(isinstance(e, Reopened) for e in whole.events) == 1


def seconds_between(first: str, then: str) -> float:
    return (datetime.fromisoformat(then) - datetime.fromisoformat(first)).total_seconds()


def test_a_reload_in_mid_run_reattaches_and_starts_no_second_run(
    page: Page, script: Script, stored: Store
) -> None:
    id = started(page, script({"calls": [SEARCH]}, {"seconds": 8, "text": "Done."}))
    awaited(page, step=2)
    before = len(stored.rows())
    page.reload()
    badge(page, "… under way")
    badge(page, "✓ answered")
    assert len(stored.rows()) == before
    assert run_id(page) == id
    asked = [e.step for e in stored.load(id).events if isinstance(e, ModelAsked)]
    assert asked == [1, 2]


def test_ask_pressed_twice_starts_one_run(page: Page, script: Script, stored: Store) -> None:
    before = len(stored.rows())
    choose_model(page, script({"seconds": 3, "text": "Done."}))
    page.get_by_role("button", name="Ask", exact=True).dblclick()
    badge(page, "✓ answered")
    assert len(stored.rows()) == before + 1


def test_resume_pressed_in_two_windows_asks_the_model_once(
    page: Page, script: Script, stored: Store
) -> None:
    id = started(page, script({"seconds": 10, "text": "Done."}))
    badge(page, "… under way")
    stop(page)
    badge(page, "■ stopped")
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.get_by_role("button", name="Resume")).to_be_visible()
    for window in (page, other):
        window.get_by_role("button", name="Resume").click()
    for window in (page, other):
        badge(window, "✓ answered")
    events = stored.load(id).events
    assert sum(isinstance(e, ModelReplied) for e in events) == 1
    assert sum(isinstance(e, Reopened) for e in events) == 1


def test_an_example_fills_the_question_box(page: Page) -> None:
    page.get_by_role("button", name=EXAMPLES[1]).click()
    expect(page.get_by_role("textbox", name="Question")).to_have_value(EXAMPLES[1])


def test_a_hostile_model_makes_no_dialog_no_request_and_no_element(
    page: Page, script: Script
) -> None:
    call = {"name": HOSTILE, "arguments": {HOSTILE: HOSTILE}}
    started(page, script({"thinking": HOSTILE, "calls": [call]}, {"text": HOSTILE}), HOSTILE)
    badge(page, "✓ answered")
    for summary in page.locator(".lab-what summary").all():
        summary.click()
    expect(page.locator(".lab-answer")).to_contain_text("[image: x https://evil.example/b.png]")
    assert not page.locator(".stMain img, .stMain iframe, .stMain script").count()
    links = page.locator(".lab-answer a").all()
    assert [link.get_attribute("href") for link in links] == ["https://evil.example/c"]


@pytest.mark.parametrize("model", ["scripted:careful", "long"])
def test_a_narrow_window_never_scrolls_sideways(page: Page, script: Script, model: str) -> None:
    page.set_viewport_size({"width": 400, "height": 850})
    long = "x" * 3000
    call = {"name": "search_site", "arguments": {"query": long}}
    named = script({"calls": [call]}, {"text": long}) if model == "long" else model
    assert not sideways(page)
    started(page, named, DEFAULT_QUESTION)
    badge(page, "✓ answered")
    expect(page.get_by_role("tab", name="Raw")).to_be_visible()
    assert not sideways(page)
    page.locator(".lab-what summary").first.click()
    assert not sideways(page)


def test_the_keyboard_alone_asks_and_stops(page: Page, script: Script) -> None:
    choose_model(page, script({"seconds": 20, "text": "Done."}))
    page.evaluate("document.activeElement.blur()")
    tab_to(page, "textarea")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("What is typed?")
    tab_to(page, "button", "Ask")
    page.keyboard.press("Enter")
    badge(page, "… under way")
    tab_to(page, "button", "Stop")
    page.keyboard.press("Enter")
    badge(page, "■ stopped")
    expect(page.get_by_role("textbox", name="Question")).to_have_value("What is typed?")


def test_what_is_chosen_is_priced_marked_sent_and_asked_on_with(
    page: Page, stored: Store, script: Script
) -> None:
    controls = page.locator(".st-key-ask-controls")
    expect(controls).to_contain_text("free: no model is called")
    choose_model(page, "anthropic/claude-haiku-4-5")
    expect(controls).to_contain_text(re.compile(r"at most ≈\$[\d.]+, ≈[\d,]+ tokens in"))
    choose_model(page, script({"text": "It is this."}, {"text": "It is that."}))
    expect(controls).to_contain_text("free: no model is called")

    page.get_by_role("button", name="tool calls, up to 8 steps").click()
    field = page.get_by_role("spinbutton", name="Steps")
    field.fill("5")
    field.press("Enter")
    expect(page.get_by_role("button", name="tool calls, up to 5 steps")).to_be_visible()
    expect(field).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_text("Prompts", exact=True).click()
    description = page.get_by_role("textbox", name="Description of search_site")
    description.fill("Finds what the site says.")
    description.blur()
    marks = page.locator(".lab-marks")
    expect(marks).to_have_text("≠ description of search_site differs")

    page.get_by_role("link", name="Search").click()
    expect(page.get_by_role("heading", name="Search", exact=True)).to_be_visible()
    page.get_by_role("link", name="Ask", exact=True).click()
    expect(page.get_by_role("button", name="tool calls, up to 5 steps")).to_be_visible()
    expect(marks).to_have_text("≠ description of search_site differs")
    ask(page)
    badge(page, "✓ answered")
    expect(marks).to_have_count(2)
    page.get_by_test_id("stChatInputTextArea").fill("And that?")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="And that?")).to_be_visible()
    badge(page, "✓ answered")
    expect(page.locator(".lab-answer").last).to_have_text("It is that.")

    run = stored.load(run_id(page))
    assert run.settings.limits.steps == 5
    bodies = [json.loads(e.request.body) for e in run.events if isinstance(e, ModelAsked)]
    assert len(bodies) == 2
    assert all("Finds what the site says." in json.dumps(body["tools"]) for body in bodies)
    assert bodies[1]["messages"][: len(bodies[0]["messages"])] == bodies[0]["messages"]
    assert bodies[1]["messages"][-1]["content"] == "And that?"
