"""Wording: measured plain, estimated with ≈, unknown as –, never as 0."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.index import Index
from lab import wording
from lab.events import End, ToolFinished
from lab.messages import NOT_SENT, Cost, ToolCall
from lab.tools.site import site_tools
from lab.totals import Amount


@pytest.mark.parametrize(
    ("count", "estimated", "shown"),
    [
        (0, False, "0"),
        (1234, False, "1,234"),
        (1234, True, "≈1,234"),
        (None, False, "–"),
        (None, True, "–"),
    ],
)
def test_tokens(count: int | None, estimated: bool, shown: str) -> None:
    assert wording.tokens(count, estimated) == shown


@pytest.mark.parametrize(
    ("usd", "shown"),
    [
        (None, "–"),
        (0.0, "$0"),
        (1234.5, "$1,234.5000"),
        (0.0001, "$0.0001"),
        (0.00002, "$2.0e-05"),
    ],
)
def test_money(usd: float | None, shown: str) -> None:
    assert wording.money(usd) == shown


@given(st.floats(min_value=1e-12, max_value=1e6))
def test_money_that_was_spent_never_reads_as_none(usd: float) -> None:
    assert float(wording.money(usd).replace(",", "").removeprefix("$")) > 0


@pytest.mark.parametrize(
    ("cost", "shown"), [(0.0, "free"), (None, "–"), (0.25, "$0.2500")], ids=str
)
def test_only_a_declared_zero_is_free(cost: float | None, shown: str) -> None:
    assert wording.cost(Cost(cost, "")) == shown


def test_a_call_that_never_left_does_not_make_its_endpoint_free() -> None:
    assert wording.cost(NOT_SENT) == "$0"


@pytest.mark.parametrize(
    ("amount", "dollars", "shown"),
    [
        (Amount(), False, "0"),
        (Amount(), True, "$0"),
        (Amount(10, 2), False, "10"),
        (Amount(10, 2, estimated=True), False, "≈10"),
        (Amount(10, 2, unknown=1), False, "at least 10"),
        (Amount(0, 2, unknown=2), False, "–"),
        (Amount(0, 2, unknown=2), True, "–"),
        (Amount(0.25, 2, unknown=1), True, "at least $0.2500"),
        (Amount(0.0, 2), True, "free"),
    ],
    ids=str,
)
def test_a_sum_with_unknown_parts_is_a_lower_bound(
    amount: Amount, dollars: bool, shown: str
) -> None:
    assert wording.amount(amount, dollars) == shown


@pytest.mark.parametrize(
    ("call", "shown"),
    [
        (ToolCall("", "search_site", {"query": "two words"}), 'search_site "two words"'),
        (ToolCall("", "search_site", {"query": "one"}), "search_site one"),
        (ToolCall("", "calculate", {"expression": "1 + 1"}), "calculate 1 + 1"),
        (ToolCall("", "send", {}), "send {}"),
        (ToolCall("", "send", {"to": "Zoë", "n": 1}), 'send {"to": "Zoë", "n": 1}'),
        (ToolCall("", "send", {"n": 1}), 'send {"n": 1}'),
        (ToolCall("", "send", None, '{"to": ', "No JSON."), 'send {"to": '),
    ],
)
def test_a_call_in_short(call: ToolCall, shown: str) -> None:
    assert wording.asked(call) == shown


@pytest.mark.parametrize(
    ("name", "arguments", "shown"),
    [
        ("search_site", {"query": "moon"}, "1 passage, best: Tides"),
        ("read_passage", {"id": "tides#tides"}, "passage of 7 words"),
        ("calculate", {"expression": "2 * 3"}, "6"),
        ("nobody", {}, "error: There is no tool named 'nobody'."),
    ],
)
def test_a_result_of_the_real_tools_in_short(
    name: str, arguments: dict[str, object], shown: str, small_index: Index
) -> None:
    result = site_tools(small_index).run(ToolCall("a", name, arguments))
    assert wording.came_back(result).startswith(shown)


def test_any_other_result_is_shown_as_it_is() -> None:
    assert wording.came_back(ToolFinished("a", "sent to me")) == "sent to me"


@pytest.mark.parametrize("end", get_args(End))
def test_every_end_without_an_answer_says_what_to_do(end: End) -> None:
    assert bool(wording.NEXT[end]) == (end != "answered")


@given(st.text())
def test_one_line_is_one_line(text: str) -> None:
    line = wording.one_line(text)
    assert len(line.splitlines()) <= 1
    assert line == line.strip()
    assert "\x1b" not in line


def test_a_line_keeps_its_words() -> None:
    assert wording.one_line(" a\n\tb  c ") == "a b c"
