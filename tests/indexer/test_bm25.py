from math import log

import pytest

from indexer.bm25 import Bm25

DOCUMENTS = [text.split() for text in ("cache keys cache", "cache", "cache doors open", "cache x")]


def test_scores_are_those_of_the_formula():
    bm25 = Bm25(DOCUMENTS, k1=1.5, b=0.75)
    mean = sum(map(len, DOCUMENTS)) / 4
    idf = log(1 + (4 - 4 + 0.5) / (4 + 0.5))
    expected = idf * 2 * 2.5 / (2 + 1.5 * (0.25 + 0.75 * 3 / mean))
    assert bm25.scores(["cache"])[0] == pytest.approx(expected)


def test_a_term_that_every_document_holds_still_scores_above_zero():
    assert (Bm25(DOCUMENTS).scores(["cache"]) > 0).all()


def test_a_repeated_query_term_counts_once():
    bm25 = Bm25(DOCUMENTS)
    assert list(bm25.scores(["keys", "keys"])) == list(bm25.scores(["keys"]))


def test_shares_add_up_to_the_score():
    bm25 = Bm25(DOCUMENTS)
    shares = bm25.shares(["cache", "keys", "doors"], 0)
    assert [term for term, _ in shares] == ["keys", "cache"]
    assert sum(share for _, share in shares) == pytest.approx(bm25.scores(["cache", "keys"])[0])


def test_documents_without_any_term_can_be_indexed():
    assert Bm25([[], []]).scores(["x"]).tolist() == [0, 0]
