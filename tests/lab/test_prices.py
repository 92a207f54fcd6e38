"""What a call costs: each kind of token at its own rate, and never zero for the unknown."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from lab.messages import Usage
from lab.prices import FREE, PriceError, cost_of

MILLION = 1_000_000
HAIKU = "claude-haiku-4-5"
DAY = datetime(2026, 3, 1, tzinfo=UTC)


def usd(usage: Usage) -> float:
    cost = cost_of("anthropic", HAIKU, usage, DAY)
    assert cost.usd is not None
    return cost.usd


@pytest.mark.parametrize(
    ("usage", "dollars"),
    [
        (Usage(MILLION, 0), 1.0),
        (Usage(0, MILLION), 5.0),
        (Usage(MILLION, MILLION), 6.0),
        (Usage(MILLION, 0, cache_read=MILLION), 0.1),
        (Usage(MILLION, 0, cache_write=MILLION), 1.25),
        (Usage(MILLION, 0, cache_read=400_000, cache_write=100_000), 0.5 + 0.04 + 0.125),
        (Usage(0, 0), 0.0),
    ],
)
def test_a_known_model_is_priced_with_cache_reads_and_writes_at_their_rates(
    usage: Usage, dollars: float
) -> None:
    assert usd(usage) == pytest.approx(dollars)


def test_the_price_row_used_is_named() -> None:
    basis = cost_of("anthropic", HAIKU, Usage(1, 1), DAY).basis
    assert f"anthropic/{HAIKU}" in basis
    assert "genai-prices" in basis


@pytest.mark.parametrize(
    ("endpoint", "model"),
    [
        ("anthropic", "claude-unheard-of-9"),
        ("nowhere", HAIKU),
        ("openai", "llama3.1:8b"),
        ("ollama", "llama3.1:8b"),
        ("anthropic", ""),
    ],
)
def test_an_unknown_price_is_none_with_a_reason_and_never_zero(endpoint: str, model: str) -> None:
    cost = cost_of(endpoint, model, Usage(10, 10), DAY)
    assert cost.usd is None
    assert f"no price is known for {endpoint}/{model}" in cost.basis
    assert "\n" not in cost.basis


@pytest.mark.parametrize("usage", [Usage(), Usage(10), Usage(None, 10)])
def test_without_both_counts_there_is_no_cost(usage: Usage) -> None:
    cost = cost_of("anthropic", HAIKU, usage, DAY)
    assert cost.usd is None
    assert "did not say" in cost.basis


@pytest.mark.parametrize(
    "usage",
    [
        Usage(10, 10, cache_read=20),
        Usage(10, 10, cache_write=11),
        Usage(-5, 1),
        Usage(10**30, 1),
    ],
)
def test_counts_that_cannot_be_give_a_reason_or_a_price_but_no_crash(usage: Usage) -> None:
    cost = cost_of("anthropic", HAIKU, usage, DAY)
    assert cost.basis
    assert cost.usd is None or cost.usd >= 0


def test_a_local_endpoint_is_free_by_declaration() -> None:
    assert FREE.usd == 0.0
    assert "by declaration" in FREE.basis


def test_a_price_of_the_users_own_counts_each_kind_of_token_at_its_rate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "prices.toml"
    own.write_text('["groq/mine"]\ninput = 2\noutput = 10.0\ncache_read = 0.5\n')
    monkeypatch.setenv("LAB_PRICES", str(own))
    cost = cost_of("groq", "mine", Usage(1_000_000, 100_000, cache_read=400_000))
    assert cost.usd == pytest.approx(0.6 * 2 + 0.4 * 0.5 + 0.1 * 10)
    assert "own price" in cost.basis
    assert cost_of("groq", "other-unknown", Usage(1, 1)).usd is None


@pytest.mark.parametrize("cached", [{"cache_read": 9_000}, {"cache_write": 1_001}])
def test_more_cached_tokens_than_there_were_have_no_cost_by_a_price_of_the_users_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cached: dict[str, int]
) -> None:
    own = tmp_path / "prices.toml"
    own.write_text('["groq/mine"]\ninput = 2\noutput = 10.0\ncache_read = 0.5\n')
    monkeypatch.setenv("LAB_PRICES", str(own))
    cost = cost_of("groq", "mine", Usage(1_000, 10, **cached))
    assert cost.usd is None
    assert "in a prompt of 1,000" in cost.basis


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[", "cannot be read"),
        ('["a/b"]\ninput = 1.0', "output is missing"),
        ('["a/b"]\ninput = "x"\noutput = 1.0', "input = 'x'"),
        ('["a/b"]\ninput = 1.0\noutput = 1.0\nhuh = 2.0', "there is no field 'huh'"),
    ],
)
def test_a_broken_table_of_prices_names_the_file_the_row_and_the_field(
    text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "prices.toml"
    own.write_text(text)
    monkeypatch.setenv("LAB_PRICES", str(own))
    with pytest.raises(PriceError, match=re.escape(said)) as error:
        cost_of("a", "b", Usage(1, 1))
    assert "prices.toml" in str(error.value)
