"""The limits a person may set: each a number above 0, or none at all."""

from __future__ import annotations

import math
from dataclasses import fields

from lab.errors import LabError
from lab.settings import Limits

NAMES = {
    "steps": "steps",
    "tool_calls": "tool calls",
    "tokens_in": "tokens in",
    "cost": "money",
    "seconds": "seconds",
}
"""What a person calls the limits."""
WHOLE = ("steps", "tool_calls", "tokens_in")
"""Those that count things."""


class LimitError(LabError):
    """A limit is none. One line: which, what was given, and what is accepted."""


def checked_limits(limits: Limits) -> Limits:
    """The limits as given. LimitError where one is not a number above 0, or steps have none."""
    for field in fields(limits):
        value, whole = getattr(limits, field.name), field.name in WHOLE
        if value is None and field.name != "steps":
            continue
        if not is_limit(value, whole):
            kind = "a whole number" if whole else "a number"
            name = NAMES[field.name]
            raise LimitError(f"The limit on {name} must be {kind} above 0, not {value}.")
    return limits


def is_limit(value: float | None, whole: bool) -> bool:
    """True for a number that something can be held to."""
    if value is None or not math.isfinite(value) or value <= 0:
        return False
    return not whole or value == int(value)
