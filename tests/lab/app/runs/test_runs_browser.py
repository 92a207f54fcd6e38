"""Saved runs as a person uses them: found, opened, kept as a file that loads nothing, deleted."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from serving import WAIT, sideways

from lab.events import Asked, ModelAsked, ModelReplied, RunStarted, TurnEnded
from lab.html.page import exported
from lab.messages import Exchange, Reply, Request
from lab.run import Run
from lab.settings import Settings
from lab.store import Store

pytestmark = pytest.mark.browser

HOSTILE = (
    "<script>alert(1)</script><img src=https://evil.example/a.png onerror=alert(2)> "
    "![x](https://evil.example/b.png) [y](https://evil.example/c)</style>"
    "<style>body{background:url(https://evil.example/d.png)}</style>"
    "<link rel=stylesheet href=https://evil.example/e.css><meta http-equiv=refresh content=0>"
)


def stored_run(store: Store, question: str) -> Run:
    """A finished run in which everything is hostile."""
    run = store.start(RunStarted(Settings("demo", HOSTILE, ())))
    request = Request("POST", HOSTILE, '{"messages": [{"role": "user", "content": "x"}]}', {})
    for event in (
        *(Asked(question), ModelAsked(1, request)),
        *(ModelReplied(1, Reply(HOSTILE), Exchange(HOSTILE)), TurnEnded("answered", HOSTILE)),
    ):
        run.record(event)
    return run


def row(page: Page, run: Run) -> Locator:
    return page.locator(f".st-key-run-row-{run.id}")


def more(page: Page, run: Run, choice: str) -> None:
    row(page, run).get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name=choice).click()


def test_saved_runs_are_found_exported_deleted_and_opened(
    browser: Browser, url: str, stored: Store, tmp_path: Path
) -> None:
    gone = stored_run(stored, "Is it to be deleted?")
    kept = stored_run(stored, f"Is it to be kept? {HOSTILE}")
    with browser.new_context() as context:
        page, requests = context.new_page(), []
        page.set_default_timeout(WAIT)
        context.on("request", lambda request: requests.append(request.url))
        page.on("dialog", lambda dialog: (requests.append("a dialog"), dialog.dismiss()))
        page.goto(f"{url}/runs")
        box = page.get_by_role("textbox", name="Question contains")
        box.fill("deleted")
        box.press("Enter")
        expect(row(page, kept)).to_have_count(0)
        expect(row(page, gone)).to_contain_text("✓ answered")
        more(page, gone, "Delete …")
        page.get_by_role("button", name="Delete", exact=True).click()
        expect(page.get_by_text("No run passes these filters.")).to_be_visible()
        assert gone.id not in {saved.id for saved in stored.rows()}

        box.fill("kept")
        box.press("Enter")
        expect(row(page, kept)).to_contain_text("<script>alert(1)</script>")
        more(page, kept, "Export …")
        file = tmp_path / "run.html"
        with page.expect_download() as download:
            page.get_by_role("button", name="Download as HTML page").click()
        download.value.save_as(file)
        page.get_by_role("dialog").get_by_role("button", name="Close").click()
        row(page, kept).get_by_role("button", name="Open").click()
        page.wait_for_url(re.compile(rf"/\?run={kept.id}$"))
        expect(page.locator(".lab-badge")).to_have_text("✓ answered")
        expect(page.locator(".lab-question")).to_contain_text("Is it to be kept?")
        assert not [address for address in requests if "evil" in address or address == "a dialog"]


def shows(place: Locator, text: str) -> None:
    """Wait until a text stands there."""
    expect(place).to_contain_text(text)


def test_runs_are_selected_and_compared_replayed_and_forked(
    browser: Browser, url: str, stored: Store
) -> None:
    other = stored_run(stored, "Which one is the other?")
    with browser.new_context(viewport={"width": 1440, "height": 1000}) as context:
        context.set_default_timeout(WAIT)
        page, faults = context.new_page(), list[str]()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(url)
        page.get_by_role("textbox", name="Question").fill(
            "How large a sample does an A/B test need?"
        )
        page.get_by_role("button", name="Ask", exact=True).click()
        expect(page.locator(".lab-badge")).to_have_text("✓ answered")
        run = stored.load(parse_qs(urlsplit(page.url).query)["run"][0])

        page.get_by_role("link", name="Runs").click()
        for one in (run, other):
            row(page, one).locator(".stCheckbox label").click()
        page.get_by_role("button", name="Compare the 2 selected").click()
        page.wait_for_url(f"**/compare?runs={run.id}*{other.id}")
        shows(page.locator(".stMain"), "asked different questions")

        page.get_by_role("link", name="Runs").click()
        more(page, run, "Replay or fork")
        moment = page.locator(".lab-moment")
        shows(moment, "the start with demo")
        for seq in range(1, 6):
            page.get_by_role("button", name="Next").click()
            page.wait_for_url(f"**at={seq}")
            shows(moment.locator("dt").first, f"event {seq}")
        shows(moment, "result of search_site")
        shows(page.locator(".st-key-replay-stood"), "5 passages")
        page.reload()
        shows(moment, "✓ event 6: request 2, as needed")

        page.set_viewport_size({"width": 400, "height": 900})
        assert not sideways(page)
        box = page.get_by_role("textbox", name="Another result of search_site")
        box.fill("1 passage, best first:\n\n[winds#gone] Winds\nThe wind.")
        page.get_by_role("button", name="Run on from here").dblclick()
        page.wait_for_url(f"**/compare?runs={run.id}*")
        shows(page.locator(".lab-parting"), "winds#gone")
        [fork] = [saved for saved in stored.rows() if saved.parent == run.id]

        page.goto(f"{url}/runs")
        shows(row(page, stored.load(fork.id)), f"↳ forked from {run.id}")
        assert not sideways(page)
        page.goto(f"{url}/runs?run={fork.id}")
        shows(page.locator(".lab-diff"), "winds#gone")
        page.get_by_role("button", name="Compare with its original").click()
        page.wait_for_url(f"**/compare?runs={run.id}*{fork.id}")
        assert faults == []


@pytest.mark.parametrize(("width", "scheme"), [(400, "dark"), (1440, "light")])
def test_an_exported_page_of_a_hostile_run_loads_and_runs_nothing(
    browser: Browser, stored: Store, tmp_path: Path, width: int, scheme: str
) -> None:
    file = tmp_path / "run.html"
    file.write_bytes(exported(stored_run(stored, HOSTILE))[0])
    with browser.new_context(
        viewport={"width": width, "height": 800},
        color_scheme=scheme,  # type: ignore[arg-type]
    ) as context:
        page, seen = context.new_page(), list[str]()
        page.on("request", lambda request: seen.append(request.url))
        page.on("dialog", lambda dialog: (seen.append("a dialog"), dialog.dismiss()))
        page.on("console", lambda said: seen.append(said.text))
        page.goto(file.as_uri(), wait_until="networkidle")
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        assert seen == [file.as_uri()]
        expect(page.locator(".lab-sent pre").last).to_contain_text("<script>alert(1)</script>")
        assert page.evaluate("document.documentElement.scrollWidth") == width
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert ground == {"dark": "rgb(18, 22, 28)", "light": "rgb(255, 255, 255)"}[scheme]
