"""A hostile site and a hostile model on every page: nothing is fetched, nothing runs, all is text.

The page is served from a copy of the checkout in which the sample site is the hostile one.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import pytest
from answers import answer
from conftest import Loopback
from playwright.sync_api import Browser, Locator, Page, TimeoutError, expect
from serving import ROOT, WAIT, ask, choose_model, serving

from lab.run import Run
from lab.store import Store

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

REMOTE = "evil.example"
SPOKEN = "![x](http://evil.example/x.png) $x^2$ :red[r] :material/home: `c`"
"""Markdown as Streamlit reads it; all of it must be seen as it is written."""
HOSTILE = (
    f"{SPOKEN} <script>window.hit = 1</script><img src=http://evil.example/1.png "
    "onerror='window.hit = 1'> [l](javascript:window.hit=1) <a href=javascript:window.hit=1>a</a> "
    "</pre></details></passage></script></style></textarea><style>@import 'http://evil.example/s'"
    "</style> \u202egnol \x1b[31mred\x07 "
)
NAME = "![m](http://evil.example/m.png)<img src=http://evil.example/m onerror=window.hit=1>:red[r]"
"""A model's name."""
MADE = (
    ".stMain :is(img, iframe, object, embed, video, audio[src], form[action], base, .katex), "
    ".stMain [style*='evil'], .stMain [onerror], [href^='javascript:' i]"
)
"""Elements that no text may become."""
TURNED = """() => {
  const walk = document.createTreeWalker(document.querySelector(".stMain"), NodeFilter.SHOW_TEXT);
  const found = [];
  while (walk.nextNode()) {
    const raw = walk.currentNode.parentElement.closest("pre, code, textarea");
    if (!raw && /[\\x00-\\x08\\x1b\\u202a-\\u202e]/.test(walk.currentNode.data))
      found.push(walk.currentNode.data);
  }
  return found;
}"""
"""Texts that turn the direction in which the page is read; only what is shown raw may hold such."""
SITE = {
    "<img src=x onerror=window.hit=1>.md": "# File\n\nA plain text in an evil file.\n",
    ":red[x] $y$ ![z](javascript:window.hit=1).md": "# Other file\n\nAnother evil text.\n",
    "titles.md": (
        f"---\ntitle: {json.dumps(HOSTILE)}\ntags: [{json.dumps(HOSTILE)}]\n"
        f"description: {json.dumps(HOSTILE)}\n---\n\n# {SPOKEN}\n\nThe evil words. {HOSTILE}\n\n"
        f"## <script>window.hit = 1</script> {SPOKEN}\n\nMore evil words.\n"
    ),
    "long.md": f"# Long\n\n{'evil <b>' * 131_072}\n",
}
"""A site of four files; the last holds a line of 1 MB."""


@dataclass(frozen=True)
class Lab:
    """The served page, and who speaks behind it."""

    url: str
    store: Store
    model: Loopback
    runs: list[str] = field(default_factory=list)
    """Ids of the runs that were asked, in their order."""

    def run(self) -> Run:
        """The first of them: it searched, failed at a tool, and answered."""
        return self.store.load(self.runs[0])


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Lab]:
    """A checkout with the hostile site and a hostile endpoint, served; three runs are asked."""
    home, model = tmp_path_factory.mktemp("hostile"), Loopback()
    checkout = copied(home / "checkout")
    table = {"wire": "openai", "base_url": f"{model.url}/v1", "free": True, "models": [NAME]}
    lines = [f"{name} = {json.dumps(value)}\n" for name, value in table.items()]
    (home / "endpoints.toml").write_text("".join(["[hostile]\n", *lines]), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LAB_ENDPOINTS", str(home / "endpoints.toml"))
        with serving(home, checkout) as url:
            made = Lab(url, Store(home / "runs.db"), model)
            yield made
            made.store.close()
    model.close()


def copied(checkout: Path) -> Path:
    """A checkout of the lab whose sample site is the hostile one."""
    for folder in ("lab", "indexer", ".streamlit"):
        leave = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, checkout / folder, ignore=leave)
    shutil.copy(ROOT / "streamlit_app.py", checkout)
    articles = checkout / "corpus" / "articles"
    articles.mkdir(parents=True)
    for name, text in SITE.items():
        (articles / name).write_text(text, encoding="utf-8")
    site = f"name = {json.dumps(HOSTILE)}\nbase = 'https://evil.example/'\n"
    (checkout / "corpus" / "site.toml").write_text(site, encoding="utf-8")
    evidence = [{"article": "long", "heading": "Long"}]
    asked = {"id": HOSTILE, "question": HOSTILE, "evidence": evidence}
    (checkout / "corpus" / "questions.jsonl").write_text(json.dumps(asked), encoding="utf-8")
    return checkout


@pytest.fixture
def page(lab: Lab, browser: Browser) -> Iterator[Page]:
    """A page that keeps watch over every request, dialog and error."""
    with browser.new_context(viewport={"width": 1440, "height": 900}) as context:
        context.set_default_timeout(WAIT)
        page, faults = context.new_page(), list[str]()
        context.on("request", lambda request: leaving(request.url, lab.url, faults))
        page.on("websocket", lambda socket: leaving(socket.url, lab.url, faults))
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (faults.append("a dialog"), dialog.dismiss()))
        yield page
        harmless(page)
        assert faults == []


def leaving(address: str, url: str, faults: list[str]) -> None:
    """Keep a request that is not for the page's own server."""
    parts = urlsplit(address)
    if parts.scheme not in ("data", "blob") and parts.netloc != urlsplit(url).netloc:
        faults.append(f"request to {address}")


def harmless(page: Page) -> None:
    """No script ran, no text became an element, no link leads to a script."""
    page.locator(".stHtml details").evaluate_all("all => all.forEach(one => one.open = true)")
    assert page.evaluate("window.hit") is None
    found = page.locator(MADE).evaluate_all("all => all.map(one => one.outerHTML.slice(0, 200))")
    assert found == []
    assert page.evaluate(TURNED) == []


def shows(place: Locator, text: str = SPOKEN) -> None:
    """Wait until a text stands there as it is written, open or closed."""
    expect(place.filter(has_text=text).first).to_be_attached()


def main(page: Page) -> Locator:
    return page.locator(".stMain")


def badge(page: Page, text: str) -> None:
    expect(page.locator(".lab-badge").first).to_have_text(text)


def hostile_run(lab: Lab) -> None:
    """Queue three runs: one that answers, one that ends nobody knows how, one that is refused."""
    calls = [
        (HOSTILE, {HOSTILE: HOSTILE}),
        ("search_site", {"query": "evil words"}),
        ("read_passage", {"id": HOSTILE}),
    ]
    lab.model.reply(said(HOSTILE, calls))
    lab.model.reply(said(f"{HOSTILE} [titles] [{HOSTILE}]"))
    lab.model.reply(said(HOSTILE, stop=HOSTILE))
    lab.model.json({"error": {"message": HOSTILE, "type": HOSTILE, "code": HOSTILE}}, status=400)


def said(text: str, calls: Any = (), stop: str = "stop") -> Any:
    """A reply in which everything is hostile that a model can choose."""
    body = answer("openai", text, calls)
    choice = body["choices"][0]
    choice["finish_reason"] = stop
    choice["message"]["reasoning_content"] = HOSTILE
    for place, call in enumerate(choice["message"].get("tool_calls", ())):
        call["id"] = f"{HOSTILE}{place}"
    del body["usage"]["prompt_tokens"]
    return {**body, "id": HOSTILE, "model": HOSTILE}


def asked(page: Page, lab: Lab) -> Lab:
    """Ask a hostile question three times, once in the life of the served page."""
    if lab.runs:
        return lab
    hostile_run(lab)
    for end in ("✓ answered", "⚠ format", "⚠ failed"):
        page.goto(lab.url)
        page.get_by_role("textbox", name="Question").fill(HOSTILE)
        choose_model(page, f"hostile/{NAME}")
        ask(page)
        page.wait_for_url("**run=*")
        badge(page, end)
        harmless(page)
    lab.runs.extend(row.id for row in reversed(lab.store.rows()))
    return lab


ADDRESSES = [
    ("", {"run": HOSTILE}),
    ("", {"run": HOSTILE, "turn": HOSTILE, "step": HOSTILE}),
    ("compare", {"runs": f"{HOSTILE},{HOSTILE};{HOSTILE}"}),
    ("be", {"run": HOSTILE}),
    ("runs", {"run": HOSTILE, "at": HOSTILE}),
    ("search", {"q": f"evil {HOSTILE}"}),
]


def test_what_stands_in_the_address_is_text(lab: Lab, page: Page) -> None:
    for path, query in ADDRESSES:
        page.goto(f"{lab.url}/{path}?{urlencode(query, quote_via=quote)}")
        said = ".stAlert, .lab-nothing, .lab-hits"
        expect(page.locator(said).first).to_be_visible()
        harmless(page)


def test_on_ask_the_trace_and_what_was_sent_are_text(lab: Lab, page: Page) -> None:
    run = asked(page, lab).run()
    page.goto(f"{lab.url}/?run={run.id}")
    badge(page, "✓ answered")
    for place in (".lab-head", ".lab-question", ".lab-what"):
        shows(page.locator(place))
    shows(page.locator(".lab-answer"), "[image: x http://evil.example/x.png]")
    for step in ("1", "2"):
        page.get_by_role("radio", name=step, exact=True).click()
        for tab, place in (("Messages", ".lab-pieces"), ("Tools", ".lab-tools")):
            page.get_by_role("tab", name=tab).click()
            expect(page.locator(place).first).to_be_visible()
            harmless(page)
        for tab in ("Raw", "Response"):
            page.get_by_role("tab", name=tab).click()
            shows(page.locator("[data-testid=stCode]:visible"))
    page.get_by_role("textbox", name="Search inside").fill("evil <img")
    page.keyboard.press("Enter")
    harmless(page)
    page.goto(f"{lab.url}/?run={lab.runs[1]}")
    page.get_by_test_id("stChatInputTextArea").fill(HOSTILE)
    page.keyboard.press("Enter")
    badge(page, "⚠ failed")
    shows(page.locator(".lab-before .lab-question"))


def test_on_compare_columns_and_saved_runs_to_choose_are_text(lab: Lab, page: Page) -> None:
    asked(page, lab)
    page.goto(f"{lab.url}/compare?runs={','.join(lab.runs)}")
    shows(page.locator(".lab-column h3"), NAME)
    shows(page.locator(".lab-parting"), "A called")
    harmless(page)
    page.get_by_role("combobox", name="A: model").click()
    shows(page.get_by_role("option", name=NAME), NAME)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Native tool calls").first.click()
    saved = page.get_by_role("combobox", name="Or a saved run")
    saved.click()
    shows(page.get_by_role("option").nth(1), NAME)
    harmless(page)
    saved.fill(HOSTILE)
    saved.press("Enter")
    shows(page.get_by_role("button", name="Saved run"), f"Saved run {HOSTILE[:8]}")


def test_a_person_in_the_models_place_writes_and_reads_text(lab: Lab, page: Page) -> None:
    page.goto(f"{lab.url}/be")
    page.get_by_role("textbox", name="Question").fill(HOSTILE)
    page.get_by_role("button", name="Begin").click()
    shows(page.locator(".lab-pieces"))
    tool = page.get_by_role("combobox", name="Tool")
    tool.fill(HOSTILE)
    tool.press("Enter")
    page.get_by_role("textbox", name="Arguments").fill(HOSTILE)
    page.get_by_role("button", name="Reply").click()
    expect(page.get_by_role("heading", name="What you are sent, step 2")).to_be_visible()
    harmless(page)
    page.get_by_text("Answer", exact=True).click()
    page.get_by_role("textbox", name="The answer").fill(HOSTILE)
    page.get_by_role("button", name="Reply").click()
    badge(page, "✓ answered")
    shows(page.locator(".lab-what"))


def test_on_runs_the_list_the_replay_and_the_fork_are_text(lab: Lab, page: Page) -> None:
    run = asked(page, lab).run()
    page.goto(f"{lab.url}/runs")
    row = page.locator(f".st-key-run-row-{run.id}")
    shows(row)
    row.get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Delete …").click()
    shows(page.get_by_role("dialog"))
    page.get_by_role("button", name="Keep", exact=True).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    option = page.get_by_role("option", name=NAME)
    for _ in range(5):  # the page still runs for what was pressed before, and may close the list
        page.get_by_role("combobox", name="Model").click()
        with suppress(TimeoutError):
            option.first.wait_for(timeout=3_000)
            break
        page.keyboard.press("Escape")
    shows(option, NAME)
    page.keyboard.press("Escape")
    page.goto(f"{lab.url}/runs?run={run.id}&at=0")
    for seq in range(len(run)):
        shows(page.locator(".lab-moment dt"), f"event {seq}")
        shows(page.locator("[data-testid=stCode]"), f'"seq": {seq},')
        harmless(page)
        if seq + 1 < len(run):
            page.get_by_role("button", name="Next").click()
    page.goto(f"{lab.url}/runs?run={run.id}&at=1")
    page.get_by_role("textbox", name="Another question").fill(f"And {HOSTILE}")
    page.get_by_role("button", name="Run on from here").click()
    page.wait_for_url("**/compare?runs=*")
    expect(page.locator(".lab-badge").nth(1)).to_have_text("⚠ failed")
    fork = next(row for row in lab.store.rows() if row.parent == run.id)
    page.goto(f"{lab.url}/runs?run={fork.id}")
    shows(page.locator(".lab-diff"), "And ![x]")


def test_on_search_hits_articles_and_questions_are_text(lab: Lab, page: Page) -> None:
    page.goto(f"{lab.url}/search?q=evil+words")
    shows(page.locator(".lab-hits"), "<script>window.hit")
    shows(page.locator(".lab-returned pre"))
    shows(page.locator(".stHtml details li"))
    box = page.get_by_role("combobox", name="Article")
    for title in ("Long (", "Other file (", "$x^2$"):
        box.fill(title)
        box.press("Enter")
        expect(box).to_have_value(re.compile(re.escape(title)))
        harmless(page)


def test_on_models_names_and_errors_of_an_endpoint_are_text(lab: Lab, page: Page) -> None:
    page.goto(f"{lab.url}/models")
    card = page.locator(".st-key-endpoint-hostile")
    shows(card, NAME)
    card.get_by_text("Try it").click()
    lab.model.json({"object": "list", "data": [{"id": HOSTILE, "object": "model"}]})
    card.get_by_role("button", name="List its models").click()
    shows(card.locator(".lab-names"))
    harmless(page)
    card.get_by_role("combobox", name="Model to probe").click()
    shows(page.get_by_role("option").nth(1))
    harmless(page)
    page.keyboard.press("Escape")
    lab.model.json({"error": {"message": HOSTILE}}, status=400)
    card.get_by_role("button", name="List its models").click()
    shows(card.get_by_role("alert"), "evil.example")
