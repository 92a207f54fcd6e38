"""The real page on a free port, and a real browser: for browser tests and for screenshots."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

from playwright.sync_api import Browser, Page, TimeoutError, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ARGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
START_SECONDS = 60
WAIT = 60_000
"""Milliseconds that a page on a busy machine may take over anything."""


@contextmanager
def serving(home: Path, checkout: Path = ROOT) -> Iterator[str]:
    """Serve the page, with its data in `home` and without any key. Gives its address."""
    port = free_port()
    env = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    call = [sys.executable, "-m", "streamlit", "run", "streamlit_app.py"]
    with (home / "server.log").open("w", encoding="utf-8") as log:
        process = subprocess.Popen(
            [*call, "--server.port", str(port)],
            cwd=checkout,
            env={**env, "LAB_HOME": str(home)},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            wait_until_healthy(process, port, home / "server.log")
            yield f"http://127.0.0.1:{port}"
        finally:
            end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """Have a server end, also one that waits for a page that is open."""
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def wait_until_healthy(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    """Return once the server answers; RuntimeError with its log where it does not."""
    ask = build_opener(ProxyHandler({}))
    until = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < until:
        try:
            with ask.open(f"http://127.0.0.1:{port}/_stcore/health", timeout=5):
                return
        except (URLError, OSError):
            time.sleep(0.1)  # a server that does not listen yet has no event to wait for
    raise RuntimeError(f"The page did not start:\n{log.read_text(encoding='utf-8')}")


def free_port() -> int:
    """A port of loopback that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def chromium() -> Iterator[Browser]:
    """LAB_CHROMIUM, the system's Chromium, or else Playwright's own."""
    found = os.environ.get("LAB_CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM)), None)
    expect.set_options(timeout=WAIT)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(ARGS))
        yield browser
        browser.close()


def choose_model(page: Page, name: str) -> None:
    """Type a model's name into the box that lists them."""
    box = page.get_by_role("combobox", name="Model")
    box.click()
    box.fill(name)
    box.press("Enter")


def ask(page: Page) -> None:
    """Press Ask."""
    page.get_by_role("button", name="Ask", exact=True).click()


def sideways(page: Page) -> bool:
    """True where the page can be scrolled to the side, and not only while it is laid out anew."""
    fits = (
        "[document.documentElement, document.querySelector('.stMain')]"
        ".every(box => box.scrollWidth <= box.clientWidth)"
    )
    try:
        page.wait_for_function(fits, timeout=5_000)
    except TimeoutError:
        return True
    return False


def settled(page: Page) -> None:
    """Wait until the page is drawn to its end."""
    page.locator("[data-test-script-state=notRunning]").wait_for()


FOCUSED = """() => {
  const element = document.activeElement, style = getComputedStyle(element);
  const box = element.closest(`[data-baseweb=textarea], [data-testid=stTextAreaRootElement],
    [data-baseweb=input], [data-testid=stTextInputRootElement]`);
  const plain = getComputedStyle(document.body).color;
  const visible = style.outlineStyle !== "none" || style.boxShadow !== "none"
    || !!box && getComputedStyle(box).borderColor !== plain;
  return [element.localName, `${element.ariaLabel ?? ""} ${element.innerText}`, visible];
}"""
"""Where the focus is, by tag and name, and whether it can be seen: a ring, or a field's border."""


PRESSES = 180
"""So often Tab is pressed: what is drawn anew meanwhile loses the focus, and it begins again."""


def tab_to(page: Page, tag: str, text: str = "") -> None:
    """Press Tab until the focus is there, and visibly so."""
    settled(page)
    for _ in range(PRESSES):
        page.keyboard.press("Tab")
        there, name, visible = page.evaluate(FOCUSED)
        if there == tag and text in name:
            assert visible
            return
    raise AssertionError(f"Tab never reached {tag} {text}")
