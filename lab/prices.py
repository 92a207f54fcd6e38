"""What a model call costs, per request. An unknown price is unknown, never zero.

Prices are those of genai-prices, by date and by the length of the prompt, or the user's own:
LAB_PRICES names a file, or `prices.toml` in the user configuration folder.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from lab import places
from lab.checking import CLOSED, MisfitError, checked
from lab.errors import LabError
from lab.messages import Cost, Usage

FREE = Cost(0.0, "free: it runs on the user's own machine, by declaration of its endpoint")


class PriceError(LabError):
    """The user's table of prices cannot be used. Names the file, the row and the field."""


@dataclass(frozen=True, slots=True)
class Row:
    """The user's own price of a model, in US dollars a million tokens."""

    __pydantic_config__ = CLOSED

    input: float
    output: float
    cache_read: float | None = None
    """None: as `input`."""
    cache_write: float | None = None
    """None: as `input`."""


def cost_of(endpoint: str, model: str, usage: Usage, at: datetime | None = None) -> Cost:
    """US dollars for one call at the rates of its day, each kind of token at its own rate."""
    if usage.tokens_in is None or usage.tokens_out is None:
        return Cost(None, "the endpoint did not say how many tokens were used")
    own = own_rows().get(f"{endpoint}/{model}")
    if own:
        return own_cost(own, f"{endpoint}/{model}", usage)
    return published_cost(endpoint, model, usage, at or datetime.now(UTC))


def own_cost(row: Row, name: str, usage: Usage) -> Cost:
    """The cost by a row of the user's own."""
    read, write = usage.cache_read or 0, usage.cache_write or 0
    plain = (usage.tokens_in or 0) - read - write
    if plain < 0:
        return Cost(
            None,
            f"the endpoint counts {read + write:,} tokens of the prompt cache "
            f"in a prompt of {usage.tokens_in or 0:,}",
        )
    rates = (row.input, row.cache_read, row.cache_write, row.output)
    counts = (plain, read, write, usage.tokens_out or 0)
    total = sum(
        count * (row.input if rate is None else rate)
        for count, rate in zip(counts, rates, strict=True)
    )
    return Cost(
        total / 1e6, f"{name}: ${row.input:g} in, ${row.output:g} out a million (own price)"
    )


def published_cost(endpoint: str, model: str, usage: Usage, at: datetime) -> Cost:
    """The cost by the published tables."""
    import genai_prices  # noqa: PLC0415  its tables are read only where a hosted model ran

    try:
        counts = genai_prices.Usage(
            input_tokens=usage.tokens_in,
            output_tokens=usage.tokens_out,
            cache_read_tokens=usage.cache_read or 0,
            cache_write_tokens=usage.cache_write or 0,
        )
        price = genai_prices.calc_price(
            counts, model, provider_id=endpoint, genai_request_timestamp=at
        )
    except (LookupError, ValueError) as error:
        return Cost(None, f"no price is known for {endpoint}/{model}: {error}"[:300])
    row = f"{price.provider.id}/{price.model.id}: {price.model_price}"
    return Cost(float(price.total_price), f"{row} (genai-prices {genai_prices.__version__})")


def own_rows() -> dict[str, Row]:
    """The user's own prices by ENDPOINT/MODEL. Raises PriceError."""
    path = places.config_file("prices.toml", "LAB_PRICES")
    return {} if path is None else read_rows(path)


def read_rows(path: Path) -> dict[str, Row]:
    """The rows of a file: one table a model, `["groq/some-model"]` with input and output."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise PriceError(f"{path} cannot be read: {error}.") from error
    rows = {}
    for name, row in table.items():
        try:
            rows[name] = checked(Row, row)
        except MisfitError as error:
            raise PriceError(f"{path}: [{name}] {error}.") from None
    return rows
