"""Hits, passages and questions as HTML: all of it is told, and none of it is obeyed."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

import pytest

from indexer.evaluate import Evaluation, evaluate
from indexer.index import Index
from indexer.measures import Estimate
from indexer.questions import Evidence, Question, read_questions
from lab import places
from lab.app.search.hits import article_html, hits_html
from lab.app.search.retrieval import GROUPS, MISSED, group_of, measures_html, questions_html

QUERY = "KV cache size per token"
HOSTILE = """# Tides <script>alert(1)</script>

## Moon "><img src=x onerror=alert(2)>

The moon \x1b[31mpulls\u202e the sea. ![x](https://evil.example/a.png) </pre></details><b>
"""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "tides.md").write_text(HOSTILE, encoding="utf-8")
    return Index.build(folder)[0]


def shown(index: Index, query: str = QUERY) -> str:
    return hits_html(index, query, index.search(query))


def test_each_hit_shows_its_score_in_parts_that_add_up_to_it(sample: Index) -> None:
    for hit in sample.search(QUERY):
        html = hits_html(sample, QUERY, [hit])
        told = re.search(r"score (\d+\.\d\d)", html)
        terms = re.search(r"<p class='lab-terms'>.*?</p>", html)
        assert told
        assert terms
        parts = [float(part) for part in re.findall(r" (\d+\.\d\d)</span>", terms[0])]
        assert sum(parts) == pytest.approx(hit.score, abs=0.03)
        widths = [float(width) for width in re.findall(r"width:([\d.]+)%", html)]
        assert sum(widths) == pytest.approx(100, abs=0.3)


def test_the_passage_its_place_and_its_neighbours_are_all_there(sample: Index) -> None:
    [hit] = sample.search(QUERY, 1)
    html = re.sub("</?mark[^>]*>", "", hits_html(sample, QUERY, [hit]))
    passage = hit.passage
    around = [sample.get(id) for id in sample.neighbours(passage.id) if id]
    assert around
    for each in (passage, *filter(None, around)):
        assert escape(each.text) in html
        assert f'href="{escape(each.url)}"' in html
        assert f"{each.source}, line" in html


def test_words_that_no_passage_holds_are_named(sample: Index) -> None:
    assert "in no passage: xyzzi." in shown(sample, "cache xyzzy")
    assert "Ignored" not in shown(sample, "cache")


def test_a_hostile_site_becomes_text(hostile: Index) -> None:
    for html in (shown(hostile, "moon sea"), article_html(hostile.passages)):
        assert set(re.findall(r"<(\w+)", html)) <= {
            *("p", "ol", "li", "h4", "div", "b", "span", "i", "details", "summary", "pre"),
            *("mark", "code", "a", "bdi"),
        }
        assert html.count("<details>") == html.count("</details>") > 0
        assert "<b>score" in html or "<b>" not in html
        assert not set("\x1b\u202e") & set(html)
        assert "https://evil.example/a.png" in re.sub("</?mark[^>]*>", "", html)


def test_an_article_lists_its_passages_with_words_and_lines(sample: Index) -> None:
    own = [p for p in sample.passages if p.article == "kv-cache-sizing"]
    html = article_html(own)
    assert html.count("<details>") == len(own)
    assert f"{own[1].words} words, lines {own[1].first_line} to {own[1].last_line}" in html


@pytest.mark.parametrize(
    ("rank", "group"),
    [
        (1, "✓ At rank 1"),
        (2, "✓ At rank 2 to 3"),
        (3, "✓ At rank 2 to 3"),
        (5, "✓ At rank 4 to 5"),
        (10, "✓ At rank 6 to 10"),
        (11, MISSED),
        (None, MISSED),
    ],
)
def test_a_rank_is_in_the_narrowest_group(rank: int | None, group: str) -> None:
    assert group_of(rank) == group
    assert group in GROUPS


def test_missed_questions_come_first_and_lead_to_their_search() -> None:
    each = Estimate(0.5, 0.25, 0.75)
    asked = [Question(id, f"What is <{id}>?", (Evidence("a", "<b>H"),)) for id in ("q1", "q2")]
    found = Evaluation(2, 0, dict.fromkeys((1, 3), each), each, each, (), {"q1": 1, "q2": None})
    html = questions_html(found, asked)
    assert html.index("&lt;q2&gt;") < html.index("✓ At rank 1") < html.index("&lt;q1&gt;")
    assert html.count("<details open>") == 1
    assert "href='?q=What+is+%3Cq2%3E%3F'" in html
    assert "not among 100 · needs a: &lt;b&gt;H" in html
    assert "0.500</td><td>0.250 to 0.750" in measures_html(found)


def test_the_ranks_are_those_that_recall_and_mrr_are_made_of(sample: Index) -> None:
    file: Path = places.sample_site() / "questions.jsonl"
    found = evaluate(sample, read_questions(file))
    ranks = list(found.ranks.values())
    assert len(ranks) == found.n
    for k, recall in found.recall.items():
        assert recall.value == pytest.approx(sum(r is not None and r <= k for r in ranks) / found.n)
    assert found.mrr.value == pytest.approx(sum(1 / r for r in ranks if r) / found.n)
