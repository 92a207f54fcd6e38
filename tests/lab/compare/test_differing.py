"""What runs side by side were set otherwise, in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from lab.compare.differing import differences
from lab.messages import ToolSchema
from lab.settings import Limits, Settings

USUAL = Settings("anthropic/claude-haiku-4-5", "Search first.", (), base_url="https://a.example")
Changes = list[dict[str, Any]]


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ([{}, {}], []),
        ([{}, {"model": "ollama/qwen3:8b", "base_url": "http://127.0.0.1:11434/v1"}], []),
        ([{}, {"protocol": "react"}], ["A native tool calls, B text protocol"]),
        ([{}, {"cache": True}], ["A prompt caching off, B prompt caching on"]),
        ([{}, {"semantic": True}], ["A found by terms, B found by terms and meaning"]),
        ([{}, {"system": "Guess."}], ["B has another system prompt"]),
        ([{}, {"system": "Guess."}, {"system": "No."}], ["B and C have other system prompts"]),
        ([{}, {"tools": (ToolSchema("x", "", {}),)}], ["B has another list of tools"]),
        (
            [{"tools": (ToolSchema("x", "One.", {}),)}, {"tools": (ToolSchema("x", "Two.", {}),)}],
            ["B has another description of x"],
        ),
        ([{}, {"limits": Limits(steps=3)}], ["A at most 8 steps, B at most 3 steps"]),
        (
            [{"limits": Limits(cost=0.05)}, {}],
            ["A at most 0.05 US dollars, B any number of US dollars"],
        ),
        (
            [{}, {"base_url": "http://b.example"}],
            ["A at https://a.example, B at http://b.example"],
        ),
        ([{}, {"fingerprint": "1"}, {}], ["B has another index of the site"]),
        (
            [{}, {"protocol": "react", "cache": True}, {}, {"protocol": "react"}],
            [
                "A and C native tool calls, B and D text protocol",
                "A, C and D prompt caching off, B prompt caching on",
            ],
        ),
    ],
)
def test_what_is_not_the_same_in_all_columns_is_named(changes: Changes, found: list[str]) -> None:
    assert differences([replace(USUAL, **change) for change in changes], "ABCD") == found
