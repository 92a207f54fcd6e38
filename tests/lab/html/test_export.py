"""The exported page: whole, safe whatever a model or a site wrote, and without a key."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser

import pytest

from indexer.passages import Passage
from lab.events import (
    Asked,
    ModelAsked,
    ModelFailed,
    ModelReplied,
    Noticed,
    RunStarted,
    ToolFinished,
    TurnEnded,
)
from lab.html.page import POLICY, page_html
from lab.messages import Attempt, Exchange, Reply, Request, ToolCall
from lab.models.scripted import Scripted
from lab.run import Run
from lab.settings import Settings
from lab.tools.toolbox import Toolbox

Begun = Callable[..., Run]
Drive = Callable[..., Run]
Tools = Callable[..., Toolbox]

TAGS = {
    *("html", "head", "meta", "title", "style", "body", "section", "footer"),
    *("h1", "h2", "h3", "h5", "p", "pre", "span", "i", "b", "details", "summary", "div", "br"),
    *("table", "thead", "tbody", "tr", "th", "td", "a", "sup", "ol", "li"),
    *("em", "strong", "code", "blockquote", "hr", "ul", "h4", "h6"),
    *("small", "figure", "figcaption"),
}
ATTRIBUTES = {
    *("lang", "charset", "http-equiv", "content", "name", "class", "style", "open"),
    *("dir", "href", "title", "target", "rel", "role", "scope", "aria-label", "aria-hidden"),
}
WIDTH = re.compile(r"(width|height):[\d.]+%")
HOSTILE = (
    "</pre></style></title><script>alert(1)</script><img src=https://evil.example/a.png "
    "onerror=alert(2)>![x](https://evil.example/b.png) [x](javascript:alert(3)) "
    "[y](https://evil.example/c \"' onclick='x\") [z](data:text/html,x) \N{RIGHT-TO-LEFT OVERRIDE}"
    "<style>@import 'https://evil.example/d.css'</style>\x00\x1b[31m\ud800\n\n- <b>x</b>"
)


class Checked(HTMLParser):
    """Fails at the first tag or attribute that has no business in the file."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.policies: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS
        given = {name: value or "" for name, value in attrs}
        assert given.keys() <= ATTRIBUTES
        if "style" in given:
            assert WIDTH.fullmatch(given["style"])
        if "href" in given:
            assert given["href"].startswith(("http://", "https://"))
            assert given["rel"] == "noopener noreferrer nofollow"
            self.links.append(given["href"])
        if "http-equiv" in given:
            assert given["http-equiv"] == "Content-Security-Policy"
            self.policies.append(given["content"])


def nowhere(id: str) -> None:
    """No passage is known."""


def hostile_run() -> Run:
    """A run in which every text that comes from elsewhere is hostile."""
    run = Run(HOSTILE)
    body = '{"messages": [{"role": "<script>", "content": "</pre><script>x</script>"}]}'
    request = Request(HOSTILE, HOSTILE, body, {HOSTILE: HOSTILE})
    calls = (ToolCall("a", HOSTILE, {HOSTILE: HOSTILE}), ToolCall("b", HOSTILE, None, HOSTILE))
    exchange = Exchange(HOSTILE, (Attempt(None, 1.0, error=HOSTILE),))
    reply = Reply(HOSTILE, calls, "tools", thinking=HOSTILE, fault=HOSTILE)
    for event in (
        *(RunStarted(Settings(HOSTILE, HOSTILE, ())), Asked(HOSTILE), Noticed(HOSTILE, HOSTILE)),
        *(ModelAsked(1, request), ModelReplied(1, reply, exchange), Noticed(HOSTILE, HOSTILE)),
        *(ToolFinished("a", HOSTILE), ToolFinished("b", HOSTILE, failed=True)),
        *(ModelAsked(2, request), ModelFailed(2, HOSTILE, exchange)),
        TurnEnded("failed", HOSTILE, HOSTILE),
    ):
        run.record(event)
    return run


def test_hostile_content_is_text_and_links_lead_to_web_pages_only() -> None:
    checked = Checked(page_html(hostile_run(), nowhere))
    assert checked.links == ["https://evil.example/c"]
    assert checked.policies == [POLICY]


def test_the_policy_comes_first_and_allows_styles_alone() -> None:
    html = page_html(hostile_run(), nowhere)
    assert html.index("Content-Security-Policy") < html.index("<title>") < html.index("<style>")
    assert POLICY == "default-src 'none'; style-src 'unsafe-inline'"
    [style] = re.findall("<style>(.*?)</style>", html, re.DOTALL)
    assert "url(" not in style
    assert "@import" not in style


def test_it_shows_every_question_with_answer_trace_and_all_that_was_sent(
    begun: Begun, drive: Drive, small_tools: Tools
) -> None:
    call = ToolCall("a", "echo", {"text": "said back"})
    model = Scripted([Reply("", (call,)), Reply("It is [tides#moon]."), Reply("Again.")])
    run = drive(begun(), model, small_tools())
    run.record(Asked("And now?"))
    drive(run, model, small_tools())
    moon = Passage(
        "tides#moon", "tides", "Tides", "https://s.example/#moon", ("Moon",), "", "t.md", 1, 2, 3
    )
    html = page_html(run, {moon.id: moon}.get)
    assert Checked(html).links == [moon.url] * 2
    questions = re.findall("<h2 class='lab-question' dir='auto'>(.*?)</h2>", html)
    assert questions == ["What is it?", "And now?"]
    assert html.count("✓ answered") == 2
    assert html.count("<details class='lab-sent'>") == len(
        [event for event in run.events if isinstance(event, ModelAsked)]
    )
    assert "said back" in html
    assert "Again." in html
    assert html.count("<h3>The whole run</h3>") == 1
    assert html.count("lab-stack'") == len(re.findall("<div class='lab-cells", html))
    assert html.count("<summary>tools<") == html.count("<details class='lab-sent'>")
    assert "so far sent 3 times" in html


def test_what_came_back_is_there_as_received() -> None:
    html = page_html(hostile_run(), nowhere)
    assert html.count("<summary>response<span>") == 2
    assert html.count("<summary>raw<span>") == 2


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_a_run_that_has_not_come_far_has_a_page_too(length: int) -> None:
    run = hostile_run()
    Checked(page_html(Run("run", run.recorded[:length]), nowhere))
