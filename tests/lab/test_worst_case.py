"""The worst case: no question that keeps to its limits costs more, and unknown is never 0."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.index import Index
from lab.messages import Conversation, Cost, Question, ToolCall, Usage
from lab.settings import Limits
from lab.tools.site import site_tools
from lab.worst_case import (
    WorstCase,
    first_request,
    largest_result,
    rounded,
    together,
    words,
    worst_case,
)

UNKNOWN = Cost(None, "no price is known")
FREE = Cost(0.0, "free")


def banded(usage: Usage) -> Cost:
    """A price that rises for a prompt of more than 1,000 tokens."""
    rate = 1e-6 if (usage.tokens_in or 0) <= 1000 else 3e-6
    return Cost((usage.tokens_in or 0) * rate + (usage.tokens_out or 0) * 5e-6, "banded")


def nobody_knows(_: Usage) -> Cost:
    return UNKNOWN


def nothing(_: Usage) -> Cost:
    return FREE


def test_two_steps_by_hand() -> None:
    case = worst_case(100, 10, 7, Limits(steps=2, tool_calls=3), banded)
    assert case.tokens_in == 100 + (100 + 10 + 3 * 7)
    assert case.usd == pytest.approx((100 + 131) * 1e-6 + 2 * 10 * 5e-6)


def test_the_price_of_each_request_goes_by_its_own_length() -> None:
    case = worst_case(900, 200, 0, Limits(steps=2), banded)
    assert case.usd == pytest.approx(900 * 1e-6 + 1100 * 3e-6 + 2 * 200 * 5e-6)


def test_two_requests_of_which_one_is_long_may_cost_more_than_the_three_that_fit() -> None:
    case = worst_case(333, 1, 442, Limits(steps=3, tool_calls=2, tokens_in=1334), banded)
    assert case.tokens_in == 1334
    assert (case.usd or 0) >= 333 * 1e-6 + 1001 * 3e-6


@given(data=st.data())
def test_no_question_that_keeps_to_its_limits_costs_more(data: st.DataObject) -> None:
    first, cap, result = (data.draw(st.integers(1, 500)) for _ in range(3))
    limits = Limits(
        steps=data.draw(st.integers(1, 6)),
        tool_calls=data.draw(st.integers(1, 5)),
        tokens_in=data.draw(st.none() | st.integers(1, 5_000)),
        cost=data.draw(st.none() | st.floats(1e-5, 0.05)),
    )
    case = worst_case(first, cap, result, limits, banded)
    assert case.tokens_in is not None
    assert case.usd is not None
    size, tokens, usd, calls_left = first, 0, 0.0, limits.tool_calls or 0
    for _ in range(limits.steps):
        likely = banded(Usage(size, cap)).usd or 0.0
        if limits.tokens_in is not None and tokens + size > limits.tokens_in:
            break
        if limits.cost is not None and usd + likely > limits.cost:
            break
        said = data.draw(st.integers(0, cap))
        tokens, usd = tokens + size, usd + (banded(Usage(size, said)).usd or 0.0)
        calls = data.draw(st.integers(0, calls_left))
        calls_left -= calls
        size += said + sum(data.draw(st.integers(0, result)) for _ in range(calls))
    assert tokens <= case.tokens_in
    assert usd <= case.usd + 1e-12


@pytest.mark.parametrize(
    ("limits", "price", "said"),
    [
        (Limits(steps=2, tool_calls=3), banded, "at most ≈$0.00034, ≈240 tokens in"),
        (Limits(steps=2, tool_calls=3), nothing, "free, ≈240 tokens in"),
        (Limits(steps=2, tool_calls=3), nobody_knows, "cost –, no price is known, ≈240 tokens in"),
        (
            Limits(tool_calls=None),
            banded,
            "cost without a bound: limit tool calls, tokens or money",
        ),
        (Limits(tool_calls=None), nothing, "free"),
        (Limits(tool_calls=None), nobody_knows, "cost –, no price is known"),
        (Limits(tool_calls=None, cost=0.05), banded, "at most $0.05, the limit"),
        (Limits(steps=1, tool_calls=None), banded, "at most ≈$0.00015, ≈100 tokens in"),
        (Limits(cost=0.0002), banded, "at most $0.0002, the limit, ≈2,300 tokens in"),
        (Limits(cost=9), banded, "at most ≈$0.0027, ≈2,300 tokens in"),
        (Limits(tokens_in=300), banded, "at most ≈$0.00045, ≈300 tokens in"),
        (Limits(tool_calls=None, tokens_in=300), banded, "at most ≈$0.00045, ≈300 tokens in"),
        (
            Limits(tokens_in=99),
            banded,
            "nothing can be sent: the limit on tokens is below the first request",
        ),
        (
            Limits(cost=0.0001),
            banded,
            "nothing can be sent: the limit on money is below the first request",
        ),
    ],
)
def test_the_worst_case_in_words(limits: Limits, price: Callable[[Usage], Cost], said: str) -> None:
    assert words(worst_case(100, 10, 7, limits, price)) == said


def test_what_nobody_knows_is_never_0() -> None:
    case = worst_case(100, 10, 7, Limits(), nobody_knows)
    assert (case.usd, case.priced) == (None, False)
    assert worst_case(100, 10, 7, Limits(tool_calls=None), banded) == WorstCase(None, None, True)


def test_of_several_questions_all_is_added_and_what_one_does_not_bound_has_no_bound() -> None:
    two, dear = (worst_case(100, 10, 7, Limits(steps=n, tool_calls=3), banded) for n in (2, 8))
    both = together([two, dear, dear])
    assert both.tokens_in == (two.tokens_in or 0) + 2 * (dear.tokens_in or 0)
    assert both.usd == pytest.approx((two.usd or 0) + 2 * (dear.usd or 0))
    unknown = together([two, worst_case(100, 10, 7, Limits(), nobody_knows)])
    assert (unknown.usd, unknown.priced) == (None, False)
    endless = together([two, worst_case(100, 10, 7, Limits(tool_calls=None), banded)])
    assert (endless.tokens_in, endless.usd) == (None, None)


@given(st.floats(1e-6, 1e9))
def test_rounding_goes_up_and_by_less_than_a_tenth(value: float) -> None:
    shown = float(rounded(value).replace(",", ""))
    assert value * (1 - 1e-6) <= shown <= value * 1.1 + 1e-12


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0"),
        (1.0, "1.0"),
        (0.1, "0.10"),
        (0.9601, "0.97"),
        (99, "99"),
        (100, "100"),
        (317_201, "320,000"),
    ],
)
def test_two_digits_are_shown(value: float, shown: str) -> None:
    assert rounded(value) == shown


def test_the_first_request_grows_with_the_prompt_and_the_text_protocol(small_index: Index) -> None:
    tools = site_tools(small_index).schemas()
    short, long = (
        Conversation(system, tools, (Question("What?"),)) for system in ("x" * 400, "x" * 4_400)
    )
    assert first_request(long, "native") - first_request(short, "native") == 1_000
    assert first_request(short, "react") > first_request(short, "native")


def test_no_result_of_a_tool_is_larger(small_index: Index) -> None:
    most = 4 * largest_result(small_index)
    tools = site_tools(small_index)
    calls = [ToolCall("", "read_passage", {"id": passage.id}) for passage in small_index.passages]
    calls += [ToolCall("", "search_site", {"query": "moon sea sun air", "limit": 10})]
    assert max(len(tools.run(call).content) for call in calls) <= most
