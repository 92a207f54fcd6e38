"""`lab search` and `lab search-eval`: keys that scripts depend on, and what wrong input is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

QUESTIONS = Path(__file__).parents[3] / "corpus" / "questions.jsonl"
KEYS = ["id", "score", "title", "headings", "url", "snippet"]


def test_hits_have_the_keys_of_the_contract_best_first(lab: Callable[..., Any]) -> None:
    said = lab("search", "KV cache size per token", "--json")
    assert (said.code, said.err) == (0, "")
    hits = json.loads(said.out)
    assert [list(hit) for hit in hits] == [KEYS] * 5
    scores = [hit["score"] for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert scores[-1] > 0
    assert all(len(hit["snippet"]) <= 280 for hit in hits)
    assert all(hit["url"].startswith("https://contour-notes.example/") for hit in hits)


def test_explain_adds_shares_of_the_terms_that_make_up_the_score(lab: Callable[..., Any]) -> None:
    hits = json.loads(lab("search", "narrow valley", "--explain", "--json").out)
    assert [list(hit) for hit in hits] == [[*KEYS, "terms"]] * 5
    for hit in hits:
        assert sum(hit["terms"].values()) == pytest.approx(hit["score"], abs=0.001)


@pytest.mark.parametrize("limit", [1, 7])
def test_the_limit_is_kept(lab: Callable[..., Any], limit: int) -> None:
    assert len(json.loads(lab("search", "cache", "--limit", str(limit), "--json").out)) == limit


def test_people_read_score_id_place_and_snippet(lab: Callable[..., Any]) -> None:
    (hit,) = json.loads(lab("search", "narrow valley", "--limit", "1", "--json").out)
    first, place, snippet, terms = lab("search", "narrow valley", "--limit", "1", "--explain").lines
    assert first.split() == [f"{hit['score']:.2f}", hit["id"]]
    assert place.strip() == " / ".join([hit["title"], *hit["headings"]])
    assert snippet.split() == hit["snippet"].split()
    assert "valley" in terms


@pytest.mark.parametrize("query", ["zzyzx", "???", "\u202e"])
def test_nothing_found_is_said_and_no_error(lab: Callable[..., Any], query: str) -> None:
    said = lab("search", query)
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith("Nothing found")
    assert json.loads(lab("search", query, "--json").out) == []


@pytest.mark.parametrize("query", ["", " \n"])
def test_an_empty_query_is_wrong_use(lab: Callable[..., Any], query: str) -> None:
    said = lab("search", query, "--json")
    assert (said.code, said.out) == (2, "")
    assert "query is empty" in said.err


def test_the_measures_have_the_keys_of_the_contract(lab: Callable[..., Any]) -> None:
    said = lab("search-eval", str(QUESTIONS), "--json")
    assert (said.code, said.err) == (0, "")
    found = json.loads(said.out)
    measures = ["recall@1", "recall@3", "recall@5", "recall@10", "mrr", "ndcg@10"]
    assert sorted(found) == sorted(["n", *measures, "misses"])
    for name in measures:
        assert list(found[name]) == ["value", "low", "high"]
        assert 0 <= found[name]["low"] <= found[name]["value"] <= found[name]["high"] <= 1
    assert found["recall@5"]["value"] >= 0.95
    assert found["mrr"]["value"] >= 0.80
    for miss in found["misses"]:
        assert list(miss) == ["id", "question", "wanted", "found"]


def test_people_read_each_measure_with_its_interval_and_the_misses(
    lab: Callable[..., Any],
) -> None:
    out = lab("search-eval", str(QUESTIONS)).out
    assert "questions with evidence" in out
    assert "recall@5" in out
    assert "Not among the first 5: " in out


@pytest.mark.parametrize(
    ("line", "mentions"),
    [
        ("{", ["bad.jsonl:2", "not JSON"]),
        ("[]", ["bad.jsonl:2", "not an object"]),
        ('{"id": "a", "question": "b"}', ["bad.jsonl:2", "`evidence`"]),
        ('{"id": "a", "question": 5, "evidence": []}', ["bad.jsonl:2", "`question`"]),
        (
            '{"id": "a", "question": "b", "evidence": [{"article": "x", "heading": "y"}]}',
            ["Question a", "no section `y`", "`x`"],
        ),
    ],
)
def test_a_bad_line_is_named_with_file_line_and_field(
    lab: Callable[..., Any], line: str, mentions: list[str]
) -> None:
    good = QUESTIONS.read_text("utf-8").splitlines()[0]
    Path("bad.jsonl").write_text(f"{good}\n{line}\n", encoding="utf-8")
    said = lab("search-eval", "bad.jsonl")
    assert (said.code, said.out) == (2, "")
    assert [part for part in mentions if part not in said.err] == []
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_a_file_without_questions_is_an_error(lab: Callable[..., Any], text: str) -> None:
    Path("none.jsonl").write_text(text, encoding="utf-8")
    said = lab("search-eval", "none.jsonl")
    assert said.code == 2
    assert "none.jsonl holds no question" in said.err


def test_what_a_page_says_cannot_steer_the_terminal(lab: Callable[..., Any]) -> None:
    Path("pages").mkdir()
    evil = "\x1b]0;owned\x07 \x1b[2J \x9b31m"
    page = f"# Tides {evil}\n\n## Moon {evil}\n\nThe moon {evil} pulls the sea.\n"
    Path("pages/a.md").write_text(page, encoding="utf-8")
    assert lab("index", "pages", "--out", "out").code == 0
    (hit,) = json.loads(lab("search", "moon", "--index", "out", "--json").out)
    for words in (
        ("search", "moon", "--explain"),
        ("tool", "search_site", '{"query": "moon"}'),
        ("tool", "read_passage", json.dumps({"id": hit["id"]})),
        ("ask", "What does the moon pull?"),
    ):
        said = lab(*words, "--index", "out")
        assert "moon" in said.out
        assert not set(said.out + said.err) & {"\x1b", "\x07", "\x9b"}
