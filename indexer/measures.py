"""Measures of a ranking, and how far chance could move their mean. Knows no questions.

A ranking is a list of truths: whether the passage at each rank, best first, is relevant.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2

import numpy as np


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its interval."""

    value: float
    """The mean over all questions."""
    low: float
    """Lower end of the 95 % interval."""
    high: float
    """Upper end of the 95 % interval."""


def found(ranking: Sequence[bool], k: int) -> float:
    """Return 1 where one of the first `k` is relevant, else 0."""
    return float(any(ranking[:k]))


def reciprocal_rank(ranking: Sequence[bool]) -> float:
    """Return 1 / rank of the first relevant one, 0 where there is none."""
    return next((1 / rank for rank, relevant in enumerate(ranking, 1) if relevant), 0.0)


def ndcg(ranking: Sequence[bool], relevant: int, k: int) -> float:
    """Return the normalised discounted cumulative gain of the first `k`, with gains of 0 and 1.

    `relevant` is how many there are to find. Discount 1 / log2(rank + 1): Järvelin and Kekäläinen,
    "Cumulated gain-based evaluation of IR techniques", 2002.
    """
    gain = sum(1 / log2(rank + 1) for rank, hit in enumerate(ranking[:k], 1) if hit)
    ideal = sum(1 / log2(rank + 1) for rank in range(1, min(relevant, k) + 1))
    return gain / ideal if ideal else 0.0


def estimate(values: Sequence[float], draws: int = 2000, seed: int = 0) -> Estimate:
    """Return the mean of `values` with the percentile interval of a bootstrap.

    Source: Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13.
    """
    data = np.asarray(values, dtype=np.float64)
    picks = np.random.default_rng(seed).integers(0, len(data), (draws, len(data)))
    low, high = np.percentile(data[picks].mean(axis=1), [2.5, 97.5])
    return Estimate(float(data.mean()), float(low), float(high))
