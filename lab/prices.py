"""What a model call costs, per request, by the genai-prices tables. An unknown price is no zero."""

from __future__ import annotations

from datetime import UTC, datetime

from lab.messages import Cost, Usage

FREE = Cost(0.0, "free: it runs on the user's own machine, by declaration of its endpoint")


def cost_of(endpoint: str, model: str, usage: Usage, at: datetime | None = None) -> Cost:
    """US dollars for one call at the rates of its day, each kind of token at its own rate."""
    if usage.tokens_in is None or usage.tokens_out is None:
        return Cost(None, "the endpoint did not say how many tokens were used")
    import genai_prices  # noqa: PLC0415  its tables are read only where a hosted model ran

    moment = at or datetime.now(UTC)
    try:
        counts = genai_prices.Usage(
            input_tokens=usage.tokens_in,
            output_tokens=usage.tokens_out,
            cache_read_tokens=usage.cache_read or 0,
            cache_write_tokens=usage.cache_write or 0,
        )
        price = genai_prices.calc_price(
            counts, model, provider_id=endpoint, genai_request_timestamp=moment
        )
    except (LookupError, ValueError) as error:
        return Cost(None, f"no price is known for {endpoint}/{model}: {error}"[:300])
    row = f"{price.provider.id}/{price.model.id}: {price.model_price}"
    return Cost(float(price.total_price), f"{row} (genai-prices {genai_prices.__version__})")
