"""What a step's input cost: told only where the prices of now give the cost that was recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.messages import Cost, Exchange, Reply, Request, Usage
from lab.paid import input_usd
from lab.steps import Step

USAGE = Usage(1000, 100, cache_read=400)
OWN = '["some/model"]\ninput = 2.0\noutput = 10.0\ncache_read = 0.5\n'


@pytest.fixture(autouse=True)
def prices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "prices.toml"
    path.write_text(OWN, encoding="utf-8")
    monkeypatch.setenv("LAB_PRICES", str(path))
    return path


def step(usd: float | None, model: str = "model", usage: Usage = USAGE) -> Step:
    exchange = Exchange(model=model, cost=Cost(usd, "a price"))
    return Step(1, Request("POST", "/", "{}", {}), Reply("", usage=usage), exchange)


WHOLE = (600 * 2.0 + 400 * 0.5 + 100 * 10.0) / 1e6
INPUT = (600 * 2.0 + 400 * 0.5) / 1e6


@pytest.mark.parametrize("answered_as", ["model", "model-2026-01", ""])
def test_the_input_is_the_cost_without_the_output(answered_as: str) -> None:
    assert input_usd(step(WHOLE, answered_as), "some/model") == pytest.approx(INPUT)


def test_what_was_free_was_free() -> None:
    assert input_usd(step(0.0), "scripted:careful") == 0


@pytest.mark.parametrize(
    "made",
    [
        step(None),
        step(WHOLE * 2),
        step(WHOLE, usage=Usage(1000, None)),
        Step(1, Request("POST", "/", "{}", {})),
        Step(1, Request("POST", "/", "{}", {}), None, Exchange(cost=Cost(WHOLE, "a price"))),
    ],
)
def test_what_nobody_knows_is_unknown(made: Step) -> None:
    assert input_usd(made, "some/model") is None


def test_a_table_of_prices_that_cannot_be_read_leaves_it_unknown(prices: Path) -> None:
    prices.write_text("[broken", encoding="utf-8")
    assert input_usd(step(WHOLE), "some/model") is None
