"""A limit is a number above 0, or none: whatever else is given is refused in one line."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from typing import Any

import pytest

from indexer.index import Index
from lab.bounds import NAMES, LimitError, checked_limits
from lab.prepare import Choice, settings_for
from lab.settings import Limits

NONE = Limits(tool_calls=None, seconds=None)
NEVER = [math.nan, math.inf, -math.inf, 0, -1, -0.5]
CASES = [(field.name, value) for field in fields(Limits) for value in NEVER]
CASES += [(name, 1.5) for name in ("steps", "tool_calls", "tokens_in")]


@pytest.mark.parametrize(("name", "value"), CASES)
def test_what_is_no_limit_is_refused_where_settings_are_made(
    name: str, value: float, small_index: Index
) -> None:
    given: dict[str, Any] = {name: value}
    with pytest.raises(LimitError) as raised:
        settings_for(Choice(limits=replace(Limits(), **given)), small_index, ())
    said = str(raised.value)
    assert said.startswith(f"The limit on {NAMES[name]} must be ")
    assert said.endswith(f"above 0, not {value}.")
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize(
    "limits",
    [
        Limits(),
        NONE,
        Limits(steps=1, tool_calls=1, tokens_in=1, cost=1e-9, seconds=1e-9),
        Limits(steps=10**6, tool_calls=10**6, tokens_in=10**9, cost=10**6, seconds=10**9),
    ],
)
def test_numbers_above_0_and_none_are_kept_as_they_are(limits: Limits) -> None:
    assert checked_limits(limits) == limits


def test_steps_are_always_limited() -> None:
    never: Any = None
    with pytest.raises(LimitError, match="The limit on steps must be a whole number above 0"):
        checked_limits(replace(Limits(), steps=never))


def test_every_limit_has_a_name() -> None:
    assert set(NAMES) == {field.name for field in fields(Limits)}
