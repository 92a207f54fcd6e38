"""Takes the pictures of the page: `python tests/screenshots.py docs`."""

from __future__ import annotations

import sys
import tempfile
from itertools import product
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser
from serving import ask, choose_model, chromium, serving

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WIDTHS = (1440, 400)
MARGIN = 24
"""Pixels below the trace, where a picture ends."""


def main(folder: Path) -> None:
    """The default question's run in light and dark, on a wide screen and a narrow one."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home, serving(Path(home)) as url, chromium() as browser:
        address = answered(browser, url)
        for scheme, width in product(SCHEMES, WIDTHS):
            path = folder / f"ask-{scheme}-{width}.png"
            picture(browser, address, scheme, width, path)
            print(path)


def answered(browser: Browser, url: str) -> str:
    """The address of a run of the default question."""
    page = browser.new_page()
    page.goto(url)
    choose_model(page, "scripted:careful")
    ask(page)
    page.get_by_text("✓ answered").wait_for(timeout=60_000)
    address = page.url
    page.close()
    return address


def picture(
    browser: Browser, address: str, scheme: Literal["light", "dark"], width: int, path: Path
) -> None:
    """Save question, answer and trace as one picture."""
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.goto(address)
    page.get_by_text("What the model was sent").wait_for(timeout=60_000)
    page.get_by_role("combobox", name="Model").wait_for()
    page.wait_for_function("!document.querySelector('[data-testid=stSkeleton]')")
    # Streamlit scrolls inside the window, so the window is made as high as what is in it.
    height = page.evaluate("document.querySelector('.stMain').scrollHeight")
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("document.fonts.ready")
    trace = page.locator(".lab-legend").bounding_box()
    end = trace["y"] + trace["height"] + MARGIN if trace else height
    page.screenshot(path=path, clip={"x": 0, "y": 0, "width": width, "height": end})
    page.close()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs"))
