"""`lab tool`: exactly what a model would get, and an exit code that says whether it is an error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from indexer.index import Index
from lab.models.turns import read_call
from lab.tools.site import site_tools


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("calculate", '{"expression": "2*32*8*128*2"}'),
        ("calculate", '{"expression": "1/0"}'),
        ("calculate", '{"expression": 5}'),
        ("search_site", '{"query": "narrow valley", "limit": "2"}'),
        ("search_site", '{"query": "zzyzx"}'),
        ("search_site", '{"query": ""}'),
        ("read_passage", '{"id": "[kv-cache-sizing#bytes-per-token-for-known-models]"}'),
        ("read_passage", '{"id": "nothing"}'),
        ("browse", "{}"),
        ("calculate", ""),
        ("calculate", "{}"),
        ("calculate", "[1]"),
        ("calculate", "{"),
        ("calculate", "2 + 2"),
        ("calculate", '{"expression": "1", "digits": 2}'),
    ],
)
def test_the_text_is_exactly_the_models_and_the_code_tells_errors(
    lab: Callable[..., Any], sample: Index, name: str, arguments: str
) -> None:
    result = site_tools(sample).run(read_call("c1", name, arguments))
    said = lab("tool", name, arguments)
    assert said.out == result.content + "\n"
    assert (said.code, said.err) == (int(result.failed), "")


@pytest.mark.parametrize(
    ("arguments", "out", "code"),
    [
        ('{"expression": "2*32*8*128*2"}', "131072\n", 0),
        ('{"expression": "4,096 × 2"}', "8192\n", 0),
    ],
)
def test_a_calculation_prints_its_value(
    lab: Callable[..., Any], arguments: str, out: str, code: int
) -> None:
    said = lab("tool", "calculate", arguments)
    assert (said.out, said.code) == (out, code)


def test_arguments_may_be_left_out(lab: Callable[..., Any]) -> None:
    said = lab("tool", "calculate")
    assert said.code == 1
    assert "expression is missing" in said.out
