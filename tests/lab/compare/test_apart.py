"""What repeats allow to say: who does better, in what nobody can tell, and no more than that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.compare.apart import better, told, undecided
from lab.compare.apart import table as table_of
from lab.compare.repeats import Repeats, repeats
from lab.compare.summary import Summary
from lab.totals import Amount

ONE = Summary(
    *("r1", "m/x", "native", "answered", "", "4", "unknown", "", 3, 1.0),
    *(Amount(100, 3), Amount(10, 3), 400, Amount(0, 3), True, True),
)


def column(seconds: Sequence[float], model: str = "m/x") -> Repeats:
    """Runs that differ in their seconds alone."""
    return repeats([replace(ONE, seconds=each, model=model) for each in seconds])


FAST, SLOW, MIDDLING = range(1, 7), range(11, 17), range(5, 13)


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ([FAST, SLOW], ["A is faster than B."]),
        ([SLOW, FAST], ["B is faster than A."]),
        ([FAST, MIDDLING], []),
        ([FAST[:5], SLOW[:5]], []),
        ([[1], [9]], []),
        ([[3] * 6, [3] * 6], []),
        ([FAST, FAST, SLOW], ["A and B are faster than C."]),
        ([FAST, SLOW, SLOW], ["A is faster than B and C."]),
        ([FAST, MIDDLING, SLOW], ["A is faster than C."]),
        ([FAST, range(21, 27), SLOW], ["A is faster than B and C.", "C is faster than B."]),
    ],
)
def test_who_does_better_is_said_only_where_intervals_lie_apart(
    columns: list[Sequence[float]], said: list[str]
) -> None:
    assert better([column(seconds) for seconds in columns]) == said


def test_where_nothing_can_be_told_that_is_said_with_the_reason() -> None:
    assert undecided([column(FAST), column(SLOW)]) == [
        "No difference can be told in steps, tokens in, tokens out and characters sent: "
        "the intervals overlap."
    ]
    assert undecided([column(FAST), column([1])]) == [
        "No difference can be told in steps, seconds, tokens in, tokens out and characters sent: "
        "that takes 6 counted runs of each."
    ]


def test_tokens_of_two_models_are_not_compared() -> None:
    few = repeats([replace(ONE, tokens_in=Amount(1, 3))] * 6)
    assert "A uses fewer tokens in than B." in told([few, column(FAST)])
    other = told([few, column(FAST, "m/y")])
    assert not any("tokens in than" in said for said in other)
    assert other[-1].startswith("Tokens of different models do not compare")


def test_right_answers_are_compared_by_the_intervals_of_their_shares() -> None:
    right, wrong = (repeats([replace(ONE, verdict=v)] * 6) for v in ("right", "wrong"))
    assert "A is right more often than B." in better([right, wrong])
    once = repeats([replace(ONE, verdict="wrong")])
    assert "right answers" in undecided([right, once])[0]
    assert not any("right" in said for said in told([right, column(FAST)]))


def test_runs_that_were_stopped_failed_or_cut_do_not_count() -> None:
    ends = [
        replace(ONE, end="stopped", seconds=900),
        replace(ONE, end="failed", seconds=0),
        replace(ONE, end=None),
        replace(ONE, verdict="left out", seconds=900),
    ]
    found = repeats([ONE, *ends])
    assert (found.runs, found.broken, found.under_way, found.left_out) == (5, 2, 1, 1)
    assert (found.spreads["seconds"].n, found.spreads["seconds"].median) == (1, 1.0)
    assert str(found.answered) == "1 of 1"


def test_estimated_and_unknown_values_are_marked_in_the_table() -> None:
    guessed = replace(ONE, tokens_in=Amount(100, 3, 0, True), cost=Amount(0, 3, 3))
    cells = dict(table_of([repeats([ONE]), repeats([guessed] * 6)]))
    assert cells["tokens in, median"] == ["100", "≈100 (≈100 to ≈100)"]
    assert cells["cost, median"] == ["free", "–"]
    assert cells["right"] == ["–", "–"]
    assert cells["read before answering"] == ["1 of 1", "6 of 6"]
    assert "under way" not in cells


@given(st.lists(st.lists(st.integers(0, 30), min_size=1, max_size=12), min_size=2, max_size=4))
def test_nobody_is_said_to_be_faster_than_one_that_is_faster(seconds: list[list[int]]) -> None:
    pairs = [
        (name, beaten)
        for said in better([column(each) for each in seconds])
        for name in said.partition(" faster than ")[0]
        for beaten in said.partition(" faster than ")[2]
        if name in "ABCD" and beaten in "ABCD"
    ]
    assert not set(pairs) & {(b, a) for a, b in pairs}
