"""What several runs of the same model say together: medians with intervals, and who did better.

The interval of a median is between two of the values in order, and needs no assumption on how
they are spread (Conover, "Practical Nonparametric Statistics", 1999, section 3.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from statistics import median

from lab.compare import NAMES, Summary

LEVEL = 0.95
FEWEST = 6
"""With fewer values no interval between two of them holds the median 95 times in 100."""

MEASURES = ("steps", "seconds", "tokens_in", "tokens_out", "cost")
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


@dataclass(frozen=True, slots=True)
class Repeats:
    """The runs of one column together. Runs whose prompt was cut are left out."""

    model: str
    runs: int
    left_out: int
    """Runs in which part of the prompt was cut."""
    right: int
    judged: int
    """Runs of which is known whether they are right."""
    spreads: dict[str, Spread]
    """By measure."""


def repeats(of: Sequence[Summary]) -> Repeats:
    """Take the summaries of one model's runs together."""
    counted = [one for one in of if one.verdict != "left out"]
    return Repeats(
        model=of[0].model,
        runs=len(of),
        left_out=len(of) - len(counted),
        right=sum(one.verdict == "right" for one in counted),
        judged=sum(one.verdict != "unknown" for one in counted),
        spreads={
            measure: spread([v for one in counted if (v := value(one, measure)) is not None])
            for measure in MEASURES
        },
    )


def value(of: Summary, measure: str) -> float | None:
    """A measure of one run; None where it is not known in full."""
    match measure:
        case "steps":
            return of.steps
        case "seconds":
            return of.seconds
    amount = {"tokens_in": of.tokens_in, "tokens_out": of.tokens_out, "cost": of.cost}[measure]
    return None if amount.unknown else amount.known


def spread(values: Sequence[float]) -> Spread:
    """The median, and the narrowest interval between two values that is wide enough."""
    n, ordered = len(values), sorted(values)
    if n < FEWEST:
        return Spread(n, median(ordered) if n else None, None, None)
    below = next(k for k in range(n // 2, 0, -1) if coverage(n, k) >= LEVEL)
    return Spread(n, median(ordered), ordered[below - 1], ordered[n - below])


def coverage(n: int, k: int) -> float:
    """How likely the median lies between the k-th smallest and the k-th largest of n values."""
    outside: float = sum(comb(n, i) for i in range(k)) / 2**n
    return 1 - 2 * outside


def best(columns: Sequence[Repeats], measure: str) -> int | None:
    """The column whose interval lies below all others; None where any overlap or is missing."""
    spreads = [column.spreads[measure] for column in columns]
    if len(spreads) < 2 or any(one.low is None or one.high is None for one in spreads):
        return None
    first = min(range(len(spreads)), key=lambda place: spreads[place].high or 0.0)
    others = [one.low or 0.0 for place, one in enumerate(spreads) if place != first]
    return first if (spreads[first].high or 0.0) < min(others) else None


def winners(columns: Sequence[Repeats]) -> list[str]:
    """A sentence a measure that one column does better in; empty where chance may explain all."""
    words = {"tokens_in": "tokens in", "tokens_out": "tokens out", "steps": "steps"}
    comparing = {"seconds": "is the fastest", "cost": "costs least"}
    return [
        f"{NAMES[place]} {comparing.get(measure) or f'uses the fewest {words[measure]}'}."
        for measure in MEASURES
        if (place := best(columns, measure)) is not None
    ]
