"""What a probe found out about a model at an endpoint, kept for later runs."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, field
from pathlib import Path

from lab import places
from lab.checking import CLOSED, MisfitError, checked


@dataclass(frozen=True, slots=True)
class Card:
    """One model at one address. None means that it could not be found out."""

    __pydantic_config__ = CLOSED

    model: str
    """ENDPOINT/MODEL."""
    base_url: str
    at: str
    """When it was probed: ISO 8601, UTC."""
    reachable: bool
    said: str = ""
    """What went wrong where it was not reached; else what it answered."""
    native_calls: bool | None = None
    """Whether it called a tool through its wire."""
    parallel_calls: bool | None = None
    """Whether it made two calls in one turn."""
    ids: str = ""
    """The form of its calls' ids: an example."""
    token_counts: bool | None = None
    """Whether the endpoint says how many tokens were used."""
    json: str | None = None
    """How its output was kept to JSON: `schema`, `object`, or empty for not at all."""
    declared: int | None = None
    """Input tokens that a local server says it takes; None where it does not say."""
    context: int | None = None
    """Input tokens that were taken uncut: the largest prompt tried that was."""
    context_refused: int | None = None
    """The smallest prompt tried that was cut or refused; None where none was."""
    recall: int | None = None
    """The largest prompt, in tokens, from whose beginning it could repeat a planted word."""
    refused: tuple[str, ...] = ()
    """What of a request it refused."""
    calls: int = 0
    """Model calls the probe made."""
    usd: float | None = None
    """What they cost; None where that is unknown."""
    protocol: str = ""
    """The protocol to use with it: `native` or `react`; empty where that is unknown."""
    notes: tuple[str, ...] = field(default=())
    """What else was seen."""

    def line(self) -> str:
        """The card in one line, to stand beside a run."""
        context = f"context {self.context:,} tokens or more" if self.context else "context unknown"
        calls = {True: "calls tools", False: "calls no tools", None: "calls unknown"}
        advised = f", {self.protocol} advised" if self.protocol else ""
        return f"probed {self.at[:10]}: {calls[self.native_calls]}, {context}{advised}"


def card_path(model: str, base_url: str) -> Path:
    """Where a card is kept."""
    name = re.sub(r"[^A-Za-z0-9.-]+", "_", f"{model} {base_url}").strip("_")
    return places.home() / "cards" / f"{name[:150]}.json"


def keep(card: Card) -> Path | None:
    """Write a card in place of an earlier one; one that found out nothing is not kept."""
    if not card.reachable:
        return None
    path = card_path(card.model, card.base_url)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(asdict(card), indent=1), encoding="utf-8")
    return path


def kept(model: str, base_url: str) -> Card | None:
    """The card of a model, where it was probed and the card can still be read."""
    try:
        return checked(Card, json.loads(card_path(model, base_url).read_text(encoding="utf-8")))
    except (OSError, ValueError, MisfitError):
        return None
