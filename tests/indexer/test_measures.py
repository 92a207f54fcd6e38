from math import log2

import pytest

from indexer.measures import estimate, found, ndcg, reciprocal_rank


@pytest.mark.parametrize(
    ("ranking", "found_2", "reciprocal", "gain"),
    [
        ([True, False], 1, 1, 1 / (1 + 1 / log2(3))),
        ([False, True, True], 1, 1 / 2, (1 / log2(3) + 1 / 2) / (1 + 1 / log2(3))),
        ([False, False, True], 0, 1 / 3, 0.5 / (1 + 1 / log2(3))),
        ([], 0, 0, 0),
    ],
)
def test_measures_of_a_ranking_with_two_to_find(ranking, found_2, reciprocal, gain):
    assert found(ranking, 2) == found_2
    assert reciprocal_rank(ranking) == pytest.approx(reciprocal)
    assert ndcg(ranking, 2, 10) == pytest.approx(gain)


def test_an_estimate_is_the_mean_within_an_interval_that_repeats():
    values = [0.0, 1.0] * 50
    first = estimate(values)
    assert first == estimate(values)
    assert first.value == 0.5
    assert (first.low, first.high) == pytest.approx((0.4, 0.6), abs=0.02)
