"""The Search page: as its script runs, and once in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path

import pytest
from as_read import unescaped
from playwright.sync_api import Browser, Page, expect
from streamlit.testing.v1 import AppTest

from indexer.errors import EngineError
from indexer.index import Index
from lab.app import resources, state
from lab.app.search import articles
from lab.app.suggestions import QUERIES
from lab.tools.search_site import search_site

QUERY = "KV cache size per token"


def script() -> None:
    from lab.app.search import page as search

    search.view()


@pytest.fixture(autouse=True)
def own_data(sample: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sample site's index, kept nowhere on disk."""
    monkeypatch.setattr(resources, "index", lambda semantic=None: sample)


def opened(query: str = "") -> AppTest:
    """The page, at the address of a query."""
    page = AppTest.from_function(script, default_timeout=60)
    if query:
        page.query_params[state.QUERY] = query
    page.run()
    assert not page.exception
    return page


def words(page: AppTest) -> str:
    """Everything the page says in its own HTML."""
    bodies = [str(element.proto.body) for element in page.get("html")]
    return "\n".join(body for body in bodies if not body.startswith("<style"))


def test_of_many_articles_those_are_listed_that_hold_some_words(
    sample: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(articles, "MOST", 3)
    page = opened()
    assert len(page.selectbox[0].options) == 3
    last = sample.articles()[-1]

    def find(words: str) -> None:
        page.text_input(key="articles-holding").set_value(words).run()

    find(f" {last.title.upper()} {last.slug} ")
    assert page.selectbox[0].options == [articles.named(last)]
    assert words(page).count("<div class='lab-passages'>") == 1
    find("the")
    second = page.selectbox[0].options[1]
    page.selectbox[0].select(second).run()
    find("no such words")
    assert page.selectbox[0].options == [second], "what was chosen stays"
    assert not page.exception


def typed(page: AppTest, query: str) -> AppTest:
    page.text_input(key=state.widget(state.QUERY)).set_value(query)
    next(button for button in page.button if button.label == "Search").click()
    return page.run()


def address(page: AppTest) -> str:
    values = page.query_params.get(state.QUERY, "")
    return values if isinstance(values, str) else values[0]


def test_an_empty_page_offers_queries_that_find_something(sample: Index) -> None:
    page = opened()
    assert "lab-hits" not in words(page)
    for example in QUERIES:
        page = opened()
        next(button for button in page.button if unescaped(button.label) == example).click()
        page.run()
        assert "lab-hits" in words(page)
        assert address(page) == example
        assert page.text_input[0].value == example


def test_an_address_with_a_query_shows_exactly_what_the_tool_returns(sample: Index) -> None:
    html = words(opened(QUERY))
    assert f"<pre tabindex='0' dir='auto'>{escape(search_site(sample)(QUERY))}</pre>" in html
    returned = re.findall(r"^\[(\S+)\]", search_site(sample)(QUERY), re.MULTILINE)
    assert html.count("<h4 dir='auto'>") == len(returned) == 5
    assert [html.index(f"<code>{id}</code>") for id in returned]


def test_an_engine_that_went_away_is_told_and_the_passages_can_be_read_all_the_same(
    sample: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: object) -> None:
        raise EngineError("Milvus at http://127.0.0.1:9 cannot be used: it is *gone*.")

    monkeypatch.setattr(sample._engine, "best", gone)
    shown = words(opened(QUERY))
    assert "cannot be used: it is *gone*." in shown
    assert "<div class='lab-passages'>" in shown


def test_what_is_typed_stands_in_the_address_until_it_is_cleared() -> None:
    page = typed(opened(), QUERY)
    assert address(page) == QUERY
    page = typed(page, "")
    assert address(page) == ""
    assert "lab-hits" not in words(page)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("xyzzy", "Nothing found for"),
        ("the of", "Nothing found for"),
        ("![zqzq](//zqzq)<zqzq onerror=zqzq>", "Try fewer or other words"),
        ("word " * 500, "at most 2,000 are searched"),
    ],
)
def test_what_cannot_be_found_says_so_with_the_tool_s_advice(query: str, said: str) -> None:
    html = words(opened(query))
    assert said in html
    assert "lab-hits" not in html
    assert "<zqzq" not in html


def test_an_article_is_chosen_and_its_passages_listed(sample: Index) -> None:
    page = opened()
    page.selectbox[0].set_value("kv-cache-sizing").run()
    [listed] = [e.proto.body for e in page.get("html") if "lab-passages'" in e.proto.body]
    own = [p for p in sample.passages if p.article == "kv-cache-sizing"]
    assert [f"<code>{p.id}</code>" in listed for p in own] == [True] * len(own)
    assert listed.count("<details>") == len(own)


def test_the_retrieval_of_the_questions_is_shown_with_its_intervals() -> None:
    html = words(opened())
    assert "recall@5" in html
    assert "MRR" in html
    assert "✓ At rank 1" in html


def test_a_site_without_questions_has_no_retrieval(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lab.places.sample_site", lambda: tmp_path)
    assert "recall@5" not in words(opened())


def test_broken_questions_are_named_and_the_rest_of_the_page_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "questions.jsonl").write_text("<b>", encoding="utf-8")
    monkeypatch.setattr("lab.places.sample_site", lambda: tmp_path)
    html = words(opened(QUERY))
    assert "questions.jsonl:1: not JSON" in html
    assert "lab-hits" in html


@pytest.fixture
def page(browser: Browser, url: str) -> Iterator[Page]:
    page = browser.new_page()
    page.set_default_timeout(30_000)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{url}/search")
    yield page
    page.close()
    elsewhere = [each for each in asked if not each.startswith((url, "data:", "blob:"))]
    assert elsewhere == []


@pytest.mark.browser
def test_a_person_searches_opens_a_passage_and_its_neighbour_and_reloads(page: Page) -> None:
    box = page.get_by_role("textbox", name="Query")
    box.fill(QUERY)
    box.press("Enter")
    hits = page.locator(".lab-hits > li")
    expect(hits).to_have_count(5, timeout=30_000)
    expect(page).to_have_url(re.compile(r"/search\?q=KV"))
    page.reload()
    expect(hits).to_have_count(5, timeout=30_000)
    expect(box).to_have_value(QUERY)

    first = hits.first
    opener = first.get_by_text("The passage in full")
    opener.focus()
    page.keyboard.press("Enter")
    expect(first.locator("pre").first).to_be_visible()
    expect(first.locator("pre mark").first).to_be_visible()
    first.get_by_text(re.compile("^(Before|After): ")).first.click()
    expect(first.locator("pre").nth(1)).to_be_visible()
    page.get_by_text("What search_site returns to a model").click()
    expect(page.locator(".lab-returned pre")).to_contain_text("5 passages, best first:")

    page.get_by_role("link", name="Ask", exact=True).click()
    expect(page.get_by_role("textbox", name="Question")).to_be_visible()
    page.get_by_role("link", name="Search", exact=True).click()
    expect(hits).to_have_count(5, timeout=30_000)
    expect(page).to_have_url(re.compile(r"/search\?q=KV"))
