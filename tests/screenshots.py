"""Takes the pictures of every page: `python tests/screenshots.py docs`. No key is needed."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import chain, product
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qs, urlsplit

from PIL import Image
from playwright.sync_api import Browser, FloatRect, Page
from serving import ask, choose_model, chromium, serving

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WIDTHS = {1440: 1300, 400: 1600}
"""The widths of windows, and how many pixels of height a picture has at most."""
MARGIN = 12
"""Pixels below the last thing to be seen, where a picture ends."""
COLOURS = 128
"""A picture of a page has hardly more that matter; its file is a third as large with them."""
WAIT = 60_000


@dataclass(frozen=True, slots=True)
class Scene:
    """A page in a state worth a picture."""

    name: str
    address: str
    seen: str
    """What stands there once it is drawn."""
    end: str = ""
    """The last thing to be seen; without one, as much as there is room for."""
    start: str = ""
    """The first thing to be seen; without one, the top of the page."""


def main(folder: Path) -> None:
    """Every page, light and dark, on a wide screen and a narrow one."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home, serving(Path(home)) as url, chromium() as browser:
        for scene in scenes(browser, url):
            for width, scheme in product(WIDTHS, SCHEMES):
                path = folder / f"{scene.name}-{width}-{scheme}.png"
                picture(browser, scene, width, scheme, path)
                print(path)


def scenes(browser: Browser, url: str) -> Iterator[Scene]:
    """Use every page as a newcomer would, and give where each of them stands."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.set_default_timeout(WAIT)
    page.goto(url)
    choose_model(page, "scripted:careful")
    ask(page)
    page.get_by_text("✓ answered").wait_for()
    run = page.url
    yield Scene("ask", run, ".lab-legend", ".lab-legend")
    whole = ".stHeading:has-text('The whole run')"
    yield Scene("context", f"{run}&step=2", ".lab-pieces", start=whole)

    page.get_by_role("link", name="Compare").click()
    page.get_by_role("button", name="Compare").click()
    page.get_by_text("✗ wrong").wait_for()
    yield Scene("compare", page.url, ".lab-parting", ".lab-multiples")

    page.get_by_role("link", name="Be the model").click()
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("textbox", name="query").fill("KV cache per token")
    page.get_by_role("button", name="Reply").click()
    page.get_by_role("heading", name="What you are sent, step 2").wait_for()
    yield Scene("be", page.url, ".lab-growth", ".st-key-lab-trace")

    yield Scene("search", f"{url}/search?q=KV+cache+size+per+token", ".lab-hits")
    yield Scene("runs", f"{url}/runs", ".st-key-run-list", ".st-key-run-list")
    [id] = parse_qs(urlsplit(run).query)["run"]
    yield Scene("replay", f"{url}/runs?run={id}&at=7", ".lab-moment")
    yield Scene("models", f"{url}/models", ".lab-endpoint")


def picture(
    browser: Browser, scene: Scene, width: int, scheme: Literal["light", "dark"], path: Path
) -> None:
    """Save one picture, as a small file."""
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.set_default_timeout(WAIT)
    page.goto(scene.address)
    page.locator(scene.seen).first.wait_for()
    drawn(page)
    # Streamlit scrolls inside the window, so the window is made as high as what is in it.
    height = page.evaluate("document.querySelector('.stMain').scrollHeight")
    page.set_viewport_size({"width": width, "height": height})
    drawn(page)
    top = edge(page, scene.start, "top", 0) - (MARGIN if scene.start else 0)
    end = min(edge(page, scene.end, "bottom", height) + MARGIN, height, top + WIDTHS[width])
    clip: FloatRect = {"x": 0, "y": top, "width": width, "height": end - top}
    taken = page.screenshot(clip=clip)
    page.close()
    reduced(Image.open(BytesIO(taken)).convert("RGB")).save(path, optimize=True)


def reduced(image: Image.Image) -> Image.Image:
    """The picture in COLOURS colours: its commonest as they are, beside those that cover the rest.

    Without the first, a large plain field gets a tint; without the others, a thin bar its colour.
    """
    counted = sorted(image.getcolors(image.width * image.height), reverse=True)
    commonest = [colour for _, colour in counted[: COLOURS // 4]]
    covering = image.quantize(COLOURS - len(commonest), Image.Quantize.MAXCOVERAGE).getpalette()
    palette = Image.new("P", (1, 1))
    palette.putpalette([*chain.from_iterable(commonest), *covering])
    return image.quantize(palette=palette, dither=Image.Dither.NONE)


def edge(page: Page, selector: str, side: str, usual: float) -> float:
    """Where a thing begins or ends; the usual place where none is named."""
    if not selector:
        return usual
    place: float = page.locator(selector).first.evaluate(
        f"thing => thing.getBoundingClientRect().{side}"
    )
    return place


def drawn(page: Page) -> None:
    """Wait until nothing of the page is still to come."""
    page.wait_for_function("!document.querySelector('[data-testid=stSkeleton], [data-stale=true]')")
    page.wait_for_function("!document.querySelector('[data-testid=stStatusWidget]')")
    page.evaluate("document.fonts.ready")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs"))
