"""What several runs of the same settings say together: shares and medians, with 95 % intervals.

The interval of a median is between two of the values in order, and needs no assumption on how
they are spread (Conover, "Practical Nonparametric Statistics", 1999, section 3.2). That of a share
is Wilson's (Journal of the American Statistical Association 22, 1927).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb, sqrt
from statistics import NormalDist, median

from lab import wording
from lab.compare.summary import UNJUDGED, Summary
from lab.totals import Amount

LEVEL = 0.95
FEWEST = 6
"""With fewer values no interval between two of them holds the median 95 times in 100."""

MEASURES = ("steps", "seconds", "tokens_in", "tokens_out", "characters", "cost")
"""What is compared; less is better in all of them."""


@dataclass(frozen=True, slots=True)
class Spread:
    """A median with its interval."""

    n: int
    """How many values were known."""
    median: float | None
    """None where none was."""
    low: float | None
    """Lower end of the 95 % interval; None where there are too few values for one."""
    high: float | None
    estimated: bool = False
    """True where any of the values was."""

    def above(self, other: Spread) -> bool:
        """True where the whole interval lies above the other one; False where either is missing."""
        return self.low is not None and other.high is not None and self.low > other.high


@dataclass(frozen=True, slots=True)
class Share:
    """How many of so many, where that is known."""

    hits: int
    n: int

    def interval(self) -> tuple[float, float]:
        """The share's 95 % interval; all from 0 to 1 where nothing is known."""
        if not self.n:
            return 0.0, 1.0
        z, n, p = NormalDist().inv_cdf((1 + LEVEL) / 2), self.n, self.hits / self.n
        middle, half = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + (z / (2 * n)) ** 2)
        scale = 1 + z * z / n
        return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)

    def above(self, other: Share) -> bool:
        """True where the whole interval lies above the other one."""
        return self.interval()[0] > other.interval()[1]

    def __str__(self) -> str:
        return f"{self.hits} of {self.n}" if self.n else wording.UNKNOWN


@dataclass(frozen=True, slots=True)
class Repeats:
    """The runs of one column together. Those that say nothing of the model are not counted."""

    model: str
    runs: int
    under_way: int
    """Runs that have not ended."""
    left_out: int
    """Runs in which part of the prompt was cut."""
    broken: int
    """Runs that were stopped or failed."""
    answered: Share
    right: Share
    """Among those of which is known whether they are right."""
    searched_first: Share
    read_first: Share
    spreads: dict[str, Spread]
    """By measure."""


def repeats(of: Sequence[Summary]) -> Repeats:
    """Take the summaries of one column's runs together."""
    whole = [one for one in of if one.verdict != "left out"]
    counted = [one for one in whole if one.end and one.end not in UNJUDGED]
    return Repeats(
        model=of[0].model,
        runs=len(of),
        under_way=sum(one.end is None for one in of),
        left_out=len(of) - len(whole),
        broken=sum(one.end in UNJUDGED for one in whole),
        answered=share(one.end == "answered" for one in counted),
        right=share(one.verdict == "right" for one in counted if one.verdict != "unknown"),
        searched_first=share(one.searched_first for one in counted),
        read_first=share(one.read_first for one in counted),
        spreads={measure: spread_of(counted, measure) for measure in MEASURES},
    )


def share(facts: Iterable[bool | None]) -> Share:
    """How many are true among those that are known."""
    known = [fact for fact in facts if fact is not None]
    return Share(sum(known), len(known))


def spread_of(runs: Iterable[Summary], measure: str) -> Spread:
    """The spread of a measure; an amount that is not known in full has no part in it."""
    values, estimated = [], False
    for run in runs:
        value = getattr(run, measure)
        if isinstance(value, Amount):
            if value.unknown:
                continue
            estimated, value = estimated or value.estimated, value.value
        values.append(value)
    return spread(values, estimated)


def spread(values: Sequence[float], estimated: bool = False) -> Spread:
    """The median, and the narrowest interval between two values that is wide enough."""
    n, ordered = len(values), sorted(values)
    if n < FEWEST:
        return Spread(n, median(ordered) if n else None, None, None, estimated)
    below = next(k for k in range(n // 2, 0, -1) if coverage(n, k) >= LEVEL)
    return Spread(n, median(ordered), ordered[below - 1], ordered[n - below], estimated)


def coverage(n: int, k: int) -> float:
    """How likely the median lies between the k-th smallest and the k-th largest of n values."""
    outside: float = sum(comb(n, i) for i in range(k)) / 2**n
    return 1 - 2 * outside
