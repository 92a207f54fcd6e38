"""What a probe found out, as lines for a person; and all cards that are kept."""

from __future__ import annotations

import json

from lab import places, wording
from lab.checking import MisfitError, checked
from lab.messages import Cost
from lab.models.card import Card

YES_NO = {True: "yes", False: "no", None: wording.UNKNOWN}


def findings(card: Card) -> list[tuple[str, str]]:
    """What was looked for, and what was found."""
    json_by = {None: wording.UNKNOWN, "": "no"}.get(card.json, f"by {card.json}")
    recalled = f"from {card.recall:,} tokens back" if card.recall else "no"
    return [
        ("reachable", YES_NO[card.reachable] + (f": {card.said}" if card.said else "")),
        ("calls tools", YES_NO[card.native_calls]),
        ("several at once", YES_NO[card.parallel_calls]),
        ("ids of calls", f"like {card.ids}" if card.ids else wording.UNKNOWN),
        ("counts tokens", YES_NO[card.token_counts]),
        ("keeps to JSON", json_by),
        ("context declared", tokens(card.declared)),
        ("context", context(card)),
        ("recalls a word", recalled if card.context else wording.UNKNOWN),
        ("refused", ", ".join(card.refused) or "nothing"),
        ("protocol advised", card.protocol or wording.UNKNOWN),
        ("calls made", f"{card.calls}, cost {wording.cost(Cost(card.usd, ''))}"),
        *(("note", note) for note in card.notes),
    ]


def tokens(count: int | None) -> str:
    """What a server says of itself."""
    return f"{count:,} tokens" if count else wording.UNKNOWN


def context(card: Card) -> str:
    """How large a prompt was taken uncut."""
    if not card.context:
        return wording.UNKNOWN
    beyond = card.context_refused
    more = f"about {beyond:,} not" if beyond else "the largest tried"
    return f"{card.context:,} tokens taken uncut, {more}"


def kept_cards() -> list[Card]:
    """All cards that can be read, newest first."""
    cards = []
    for path in (places.home() / "cards").glob("*.json"):
        try:
            cards.append(checked(Card, json.loads(path.read_text(encoding="utf-8"))))
        except (OSError, ValueError, MisfitError):
            continue  # as good as none: a probe writes it anew
    return sorted(cards, key=lambda card: card.at, reverse=True)
