"""A tool's schema: all of it is read off the function's signature and docstring."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Literal

import pytest

from indexer.index import Index
from lab.tools.site import site_tools
from lab.tools.tool import tool


def no_parameters() -> str:
    """Returns a word."""
    return "word"


def one_required(query: Annotated[str, "What to look for."]) -> str:
    """Returns hits.

    Use it first.
    """
    return query


def with_defaults(n: int, ratio: float = 0.5, exact: bool = False) -> str:
    """Returns n."""
    return str(n)


def with_choices(unit: Annotated[Literal["m", "km"], "The unit."]) -> str:
    """Returns a length."""
    return unit


def without_docstring(id: str) -> str:
    return id


@pytest.mark.parametrize(
    ("function", "properties", "required"),
    [
        (no_parameters, {}, []),
        (
            one_required,
            {"query": {"description": "What to look for.", "type": "string"}},
            ["query"],
        ),
        (
            with_defaults,
            {
                "n": {"type": "integer"},
                "ratio": {"default": 0.5, "type": "number"},
                "exact": {"default": False, "type": "boolean"},
            },
            ["n"],
        ),
        (
            with_choices,
            {"unit": {"description": "The unit.", "enum": ["m", "km"], "type": "string"}},
            ["unit"],
        ),
        (without_docstring, {"id": {"type": "string"}}, ["id"]),
    ],
)
def test_the_schema_is_that_of_the_signature(
    function: Callable[..., str], properties: dict[str, object], required: list[str]
) -> None:
    assert tool(function).schema.parameters == {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def test_name_and_description_are_the_functions_own() -> None:
    schema = tool(one_required).schema
    assert schema.name == "one_required"
    assert schema.description == "Returns hits.\n\nUse it first."
    assert tool(without_docstring).schema.description == ""


def test_a_tool_has_effects_only_where_that_is_said() -> None:
    assert not tool(no_parameters).has_effects
    assert tool(no_parameters, has_effects=True).has_effects


def test_the_three_tools_say_what_they_return_and_when_to_use_them(sample: Index) -> None:
    schemas = site_tools(sample).schemas()
    assert [schema.name for schema in schemas] == ["search_site", "read_passage", "calculate"]
    for schema in schemas:
        assert schema.description.startswith("Returns ")
        assert "\n\nUse it " in schema.description
        for parameter in schema.parameters["properties"].values():
            assert parameter["description"]


def test_the_same_tools_are_described_in_the_same_bytes(sample: Index) -> None:
    first, second = (
        json.dumps([(s.name, s.description, s.parameters) for s in site_tools(sample).schemas()])
        for _ in range(2)
    )
    assert first == second
