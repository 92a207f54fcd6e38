"""Engines agree: the first ten of each are, but for a few, those of rank-bm25."""

import random
from dataclasses import replace

import pytest
from engines import ROOT, installed, with_engine

from indexer.content import Content, Origin
from indexer.index import Index
from indexer.questions import read_questions
from indexer.term_lines import TermLines

LEAST = 0.9
"""Mean share of the first ten that two engines have in common."""


def first_ten(index: Index, query: str) -> list[str]:
    return [hit.passage.id for hit in index.search(query, 10)]


def overlap(one: Index, other: Index, queries: list[str]) -> float:
    shares = []
    for query in queries:
        wanted = first_ten(one, query)
        shares.append(len(set(wanted) & set(first_ten(other, query))) / max(1, len(wanted)))
    return sum(shares) / len(shares)


def test_on_the_sample_site(site, opened, engine):
    queries = [each.question for each in read_questions(ROOT / "corpus" / "questions.jsonl")]
    assert overlap(with_engine(site, "rank-bm25"), opened(site, engine), queries) >= LEAST


def test_on_scifact(scifact, opened, engine):
    content, judged = scifact
    queries = [each.query for each in judged[::6]]
    assert overlap(with_engine(content, "rank-bm25"), opened(content, engine), queries) >= LEAST


def test_on_26_000_passages_where_tantivy_is_chosen_by_itself(site, opened):
    installed("tantivy")
    content = shuffled(site, 26_000)
    queries = [each.question for each in read_questions(ROOT / "corpus" / "questions.jsonl")]
    grown = opened(content, "")
    assert grown.engine == "tantivy"
    assert overlap(with_engine(content, "rank-bm25"), grown, queries[::5]) >= LEAST


def test_milvus_has_the_very_order_of_rank_bm25(site, opened):
    installed("milvus")
    one, other = with_engine(site, "rank-bm25"), opened(site, "milvus")
    for question in read_questions(ROOT / "corpus" / "questions.jsonl"):
        hits, same = one.search(question.question, 10), other.search(question.question, 10)
        assert [hit.passage.id for hit in hits] == [hit.passage.id for hit in same]
        assert [hit.score for hit in hits] == pytest.approx([hit.score for hit in same])


def shuffled(content: Content, size: int) -> Content:
    """A content of so many passages, each of terms drawn from two of the given ones."""
    draw = random.Random(size)
    passages, terms = [], []
    for at in range(size):
        one, two = draw.sample(range(len(content.passages)), 2)
        mixed = [*content.terms[one], *content.terms[two]]
        passages.append(replace(content.passages[one], id=f"page-{at}#intro"))
        terms.append(draw.sample(mixed, len(mixed) // 2))
    return replace(content, passages=passages, terms=TermLines.of(terms), origin=Origin(f"{size}"))
