"""Keys as persons use them: each in its own session, and in nothing that is kept or shown."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from answers import answer, as_stream
from playwright.sync_api import Browser, Locator, Page, expect
from serving import WAIT, ask, choose_model, serving, sideways

from lab.html.page import exported
from lab.store import Store

if TYPE_CHECKING:
    from tests.conftest import Loopback, Received

pytestmark = pytest.mark.browser

NAME = "e => e.ariaLabel || e.innerText.split('\\n').pop()"
ENTRY = '[canary]\nwire = "openai"\nbase_url = "{}/v1"\nkey = "CANARY_KEY"\nmodels = ["m"]\n'
FIRST, SECOND = "sk-first-canary-5b2e91", "sk-second-canary-c07d44"
OF_ENVIRONMENT = "sk-environment-canary-77c0"

Served = Callable[..., str]


@pytest.fixture
def served(loopback: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """Serves the page with an endpoint at the loopback server, and these in its environment."""
    table = tmp_path / "endpoints.toml"
    table.write_text(ENTRY.format(loopback.url))
    monkeypatch.setenv("LAB_ENDPOINTS", str(table))
    running = []

    def serve(**environment: str) -> str:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        running.append(serving(tmp_path))
        return running[-1].__enter__()

    yield serve
    for server in running:
        server.__exit__(None, None, None)


def opened(browser: Browser, url: str) -> Page:
    """The Models page in a session of its own."""
    page = browser.new_context().new_page()
    page.set_default_timeout(WAIT)
    page.goto(url)
    go_to(page, "Models")
    return page


def go_to(page: Page, name: str) -> None:
    """Follow a link of the navigation, which keeps the session."""
    page.get_by_role("link", name=name, exact=True).click()
    heading = {"Models": "Models and keys"}.get(name, "Site agent lab")
    expect(page.get_by_role("heading", name=heading)).to_be_visible()


def card(page: Page, name: str = "canary") -> Locator:
    return page.locator(f".st-key-endpoint-{name}")


def type_key(page: Page, key: str, name: str = "canary") -> None:
    """Type a key by hand, and save it with Enter."""
    box = card(page, name).get_by_label(f"Key for {name}")
    box.click()
    page.keyboard.type(key)
    page.keyboard.press("Enter")
    expect(card(page, name)).to_contain_text("key typed in this session")
    expect(box).to_have_value("")


def ask_canary(page: Page, question: str) -> None:
    go_to(page, "Ask")
    page.get_by_role("textbox", name="Question").fill(question)
    choose_model(page, "canary/m")
    ask(page)


def said(page: Page) -> str:
    """All that the page holds, also what its fields hold, and its address."""
    fields = page.locator("input, textarea").evaluate_all("all => all.map(e => e.value)")
    return f"{page.content()}{fields}{page.url}{page.context.storage_state()}"


def meeting(of: int) -> Callable[[Received], Any]:
    """An answer that is given once so many requests wait for it."""
    met = threading.Barrier(of)

    def made(request: Received) -> Any:
        met.wait(30)
        body = answer("openai", "Yes, this one.")
        body["usage"]["prompt_tokens"] = len(request.body) // 4
        return 200, {"content-type": "text/event-stream"}, as_stream(body)

    return made


@pytest.mark.timeout(240)  # two runs load the SDK at once, beside two pages that are drawn
def test_two_sessions_with_two_keys_at_once_each_send_their_own_alone(
    browser: Browser, served: Served, loopback: Loopback, tmp_path: Path
) -> None:
    url = served()
    pages = {FIRST: opened(browser, url), SECOND: opened(browser, url)}
    for key, page in pages.items():
        type_key(page, key)
        assert not any(each in said(page) for each in pages)
    together = meeting(2)
    loopback.given(together).given(together)
    for key, page in pages.items():
        ask_canary(page, f"Which key is {key[3:8]}?")
    for page in pages.values():
        expect(page.locator(".lab-answer")).to_have_text("Yes, this one.")
        assert not any(each in said(page) for each in pages)
    sent = {
        r.json["messages"][-1]["content"]: r.headers["authorization"] for r in loopback.received
    }
    assert sent == {f"Which key is {key[3:8]}?": f"Bearer {key}" for key in pages}

    forgetful = pages[FIRST]
    go_to(forgetful, "Models")
    card(forgetful).get_by_role("button", name="Forget key").click()
    expect(card(forgetful).get_by_text("no key", exact=True)).to_be_visible()
    ask_canary(forgetful, "And now?")
    lost = forgetful.get_by_text(
        "canary needs a key: set CANARY_KEY in the environment, or type it"
    )
    expect(lost).to_be_visible()
    assert len(loopback.received) == 2
    assert_in_no_file(tmp_path, FIRST, SECOND)


def assert_in_no_file(home: Path, *secrets: str) -> None:
    """Neither store nor log nor export holds a key, while the server still runs."""
    files = {file.name: file.read_bytes() for file in home.rglob("*") if file.is_file()}
    assert b"Which key is" in b"".join(files[name] for name in files if name.startswith("runs.db"))
    store = Store(home / "runs.db")
    for row in store.rows():
        page, _ = exported(store.load(row.id))
        files[row.id] = page
    store.close()
    assert "server.log" in files
    held = [name for name, held in files.items() for key in secrets if key.encode() in held]
    assert held == []


def test_the_keyboard_reaches_what_belongs_to_a_key_in_order(browser: Browser, url: str) -> None:
    page = opened(browser, url)
    type_key(page, FIRST, "groq")
    card(page, "groq").get_by_label("Key for groq").focus()
    reached = []
    while "Try it" not in reached:
        page.keyboard.press("Tab")
        reached.append(page.locator(":focus").evaluate(NAME))
        assert len(reached) < 10, reached
    assert reached == ["Show password", "Save key", "Forget key", "Try it"]
    page.set_viewport_size({"width": 400, "height": 900})
    assert not sideways(page)


def test_a_page_open_to_others_spends_no_key_of_the_environment(
    browser: Browser, served: Served, loopback: Loopback
) -> None:
    page = opened(browser, served(CANARY_KEY=OF_ENVIRONMENT, STREAMLIT_SERVER_ADDRESS="0.0.0.0"))
    expect(card(page)).to_contain_text("CANARY_KEY is in the environment, but not used")
    expect(card(page).get_by_label("Base address of canary")).to_have_count(0)
    ask_canary(page, "Whose money is it?")
    expect(page.get_by_text("since others can reach this page")).to_be_visible()
    assert not loopback.received
    assert OF_ENVIRONMENT not in said(page)
