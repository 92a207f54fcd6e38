"""Repeats beside each other, in words: who does better, and where nobody can tell.

No winner is declared where intervals overlap, and none in tokens between two models, since each
cuts a text into tokens in its own way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lab import wording
from lab.compare.parting import listed
from lab.compare.repeats import FEWEST, MEASURES, Repeats, Share, Spread
from lab.compare.summary import NAMES

HEADINGS = {
    "right": "right answers",
    "tokens_in": "tokens in",
    "tokens_out": "tokens out",
    "characters": "characters sent",
}
CLAIMS = {
    "right": ("is right more often", "are right more often"),
    "steps": ("takes fewer steps", "take fewer steps"),
    "seconds": ("is faster", "are faster"),
    "tokens_in": ("uses fewer tokens in", "use fewer tokens in"),
    "tokens_out": ("uses fewer tokens out", "use fewer tokens out"),
    "characters": ("sends fewer characters", "send fewer characters"),
    "cost": ("costs less", "cost less"),
}
"""What is said of one column that does better, and of several."""

OF_A_MODEL = ("tokens_in", "tokens_out")
"""Measures that do not compare between models."""


def told(columns: Sequence[Repeats]) -> list[str]:
    """All that can be said of who does better, and in what nothing can."""
    models = {one.model for one in columns}
    note = ["Tokens of different models do not compare: each cuts a text in its own way."]
    return better(columns) + undecided(columns) + (note if len(models) > 1 else [])


def better(columns: Sequence[Repeats]) -> list[str]:
    """A sentence for each set of columns that does better than others in a measure."""
    found = []
    for measure in compared(columns):
        groups: dict[tuple[str, ...], list[str]] = {}
        for name, one in zip(NAMES, columns, strict=False):
            if beaten := worse(one, columns, measure):
                groups.setdefault(beaten, []).append(name)
        found += [
            f"{listed(names)} {CLAIMS[measure][len(names) > 1]} than {listed(beaten)}."
            for beaten, names in groups.items()
        ]
    return found


def undecided(columns: Sequence[Repeats]) -> list[str]:
    """A sentence on the measures in which no difference can be told, and why not."""
    overlap: list[str] = []
    few: list[str] = []
    for measure in compared(columns):
        if any(worse(one, columns, measure) for one in columns):
            continue
        enough = measure == "right" or min(one.spreads[measure].n for one in columns) >= FEWEST
        (overlap if enough else few).append(heading(measure))
    said = "No difference can be told in"
    found = [f"{said} {listed(overlap)}: the intervals overlap."] if overlap else []
    if few:
        found.append(f"{said} {listed(few)}: that takes {FEWEST} counted runs of each.")
    return found


def compared(columns: Sequence[Repeats]) -> list[str]:
    """The measures that compare between these columns: known in all, and not one thing to each."""
    found = ["right"] if all(one.right.n for one in columns) else []
    several = len({one.model for one in columns}) > 1
    for measure in MEASURES:
        medians = [one.spreads[measure].median for one in columns]
        all_free = measure == "cost" and not any(medians)
        if None not in medians and not all_free and not (several and measure in OF_A_MODEL):
            found.append(measure)
    return found


def worse(one: Repeats, columns: Sequence[Repeats], measure: str) -> tuple[str, ...]:
    """The columns whose whole interval lies on the worse side of this one's."""
    return tuple(
        name
        for name, other in zip(NAMES, columns, strict=False)
        if (
            one.right.above(other.right)
            if measure == "right"
            else other.spreads[measure].above(one.spreads[measure])
        )
    )


def table(columns: Sequence[Repeats]) -> list[tuple[str, list[str]]]:
    """The measures, a row each: its heading, and a cell a column. Rows of nothing are left out."""
    counts: list[tuple[str, Callable[[Repeats], int]]] = [
        ("under way", lambda one: one.under_way),
        ("prompt cut, left out", lambda one: one.left_out),
        ("stopped or failed", lambda one: one.broken),
    ]
    shares: list[tuple[str, Callable[[Repeats], Share]]] = [
        ("searched before calculating", lambda one: one.searched_first),
        ("read before answering", lambda one: one.read_first),
    ]
    return [
        ("runs", [f"{one.runs}" for one in columns]),
        *(
            (name, [f"{of(one)}" for one in columns])
            for name, of in counts
            if any(map(of, columns))
        ),
        ("answered", [f"{one.answered}" for one in columns]),
        ("right", [share_text(one.right) for one in columns]),
        *(
            (f"{heading(name)}, median", [spread_text(one.spreads[name], name) for one in columns])
            for name in MEASURES
        ),
        *((name, [f"{of(one)}" for one in columns]) for name, of in shares),
    ]


def heading(measure: str) -> str:
    """A measure in words."""
    return HEADINGS.get(measure, measure)


def share_text(of: Share) -> str:
    """A share and its 95 % interval."""
    if not of.n:
        return wording.UNKNOWN
    low, high = of.interval()
    return f"{of} ({low * 100:.0f} to {high * 100:.0f} %)"


def spread_text(of: Spread, measure: str) -> str:
    """A median and its 95 % interval."""
    if of.median is None:
        return wording.UNKNOWN
    said = value_text(of.median, measure, of.estimated)
    if of.low is None or of.high is None:
        return said
    if measure == "cost" and of.high == 0:
        return said
    ends = (value_text(end, measure, of.estimated) for end in (of.low, of.high))
    return f"{said} ({' to '.join(ends)})"


def value_text(value: float, measure: str, estimated: bool) -> str:
    """One value of a measure."""
    match measure:
        case "seconds":
            return f"{value:,.2f}"
        case "cost":
            return "free" if value == 0 else wording.money(value)
        case "tokens_in" | "tokens_out":
            return wording.tokens(value, estimated)
    return f"{value:,g}" if value < 1000 else f"{value:,.0f}"
