"""Dialects of JSON Schema: what each endpoint accepts, for any tool made from a signature."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.messages import ToolCall
from lab.models.schemas import GEMINI_REFUSES, nullable, strict, without
from lab.tools.tool import tool
from lab.tools.toolbox import Toolbox
from lab.waiting import Endless

KINDS: list[tuple[Any, Any]] = [
    (str, "a"),
    (int, 5),
    (float, 0.5),
    (bool, True),
    (list[str], ["a"]),
    (list[list[int]], [[1]]),
    (Literal["a", "b"], "a"),
    (int | str, 3),
    (str | None, "a"),
    (dict[str, int], {"a": 1}),
]
"""Types of parameters, each with a value."""

parameters = st.lists(
    st.tuples(
        st.sampled_from(["a", "default", "title", "properties", "type_"]),
        st.sampled_from(KINDS),
        st.booleans(),
    ),
    unique_by=lambda parameter: str(parameter[0]),
    max_size=5,
)


def made(given_parameters: list[Any]) -> Callable[..., str]:
    """A function with these parameters; it returns what it was given as JSON."""

    def function(**arguments: Any) -> str:
        """Return all. Use it."""
        return json.dumps(arguments)

    function.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=value if optional else inspect.Parameter.empty,
                annotation=kind,
            )
            for name, (kind, value), optional in given_parameters
        ]
    )
    function.__annotations__ = {name: kind for name, (kind, _), _ in given_parameters}
    return function


def objects(schema: Any) -> Iterator[Any]:
    """Every schema of an object with named properties, at any depth."""
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict) and "required" in schema:
            yield schema
        for value in schema.values():
            yield from objects(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from objects(item)


@given(parameters)
def test_strict_requires_every_property_and_allows_no_other(given_parameters: list[Any]) -> None:
    plain = tool(made(given_parameters)).schema.parameters
    before = json.dumps(plain)
    made_strict = strict(plain)
    assert json.dumps(plain) == before, "it changed what it was given"
    for found in objects(made_strict):
        assert found["required"] == list(found["properties"])
        assert found["additionalProperties"] is False
    assert list(made_strict["properties"]) == list(plain["properties"])
    for name, inner in plain["properties"].items():
        if name in plain["required"]:
            assert made_strict["properties"][name] == inner
        else:
            assert takes_null(made_strict["properties"][name])
            assert "default" not in made_strict["properties"][name]


def takes_null(schema: Any) -> bool:
    if None not in schema.get("enum", [None]):
        return False
    return "null" in (schema.get("type") or ()) or {"type": "null"} in schema.get("anyOf", ())


@given(parameters)
def test_null_for_every_optional_parameter_of_a_strict_tool_means_its_default(
    given_parameters: list[Any],
) -> None:
    box = Toolbox([tool(made(given_parameters))])
    arguments = {n: None if optional else v for n, (_, v), optional in given_parameters}
    finished = box.run(ToolCall("c", "function", arguments), Endless())
    assert not finished.failed, finished.content
    assert json.loads(finished.content) == {n: v for n, (_, v), _ in given_parameters}


@given(parameters)
def test_the_gemini_dialect_has_no_refused_keyword_and_keeps_every_parameter(
    given_parameters: list[Any],
) -> None:
    plain = tool(made(given_parameters)).schema.parameters
    kept = without(plain, GEMINI_REFUSES)
    assert list(kept["properties"]) == list(plain["properties"])
    assert kept["required"] == plain["required"]
    for inner in kept["properties"].values():
        assert not keywords(inner) & set(GEMINI_REFUSES)


def keywords(schema: Any) -> set[str]:
    if isinstance(schema, list):
        return set().union(*map(keywords, schema))
    if not isinstance(schema, dict):
        return set()
    return set(schema).union(*map(keywords, schema.values()))


@pytest.mark.parametrize(
    ("schema", "also_null"),
    [
        ({"type": "integer"}, {"type": ["integer", "null"]}),
        ({"type": ["integer", "null"]}, {"type": ["integer", "null"]}),
        (
            {"type": "integer", "default": 5, "description": "How many."},
            {"type": ["integer", "null"], "description": "How many. null means 5."},
        ),
        (
            {"type": "string", "enum": ["a"], "default": "a"},
            {"type": ["string", "null"], "enum": ["a", None], "description": "null means 'a'."},
        ),
        (
            {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
            {"anyOf": [{"type": "string"}, {"type": "null"}]},
        ),
        (
            {"anyOf": [{"type": "string"}, {"type": "integer"}]},
            {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]},
        ),
        ({"$ref": "#/$defs/A"}, {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "null"}]}),
    ],
)
def test_an_optional_property_also_takes_null_and_says_what_that_means(
    schema: Any, also_null: Any
) -> None:
    assert nullable(schema) == also_null


def test_objects_inside_are_strict_too_but_not_what_is_data() -> None:
    inner = {"type": "object", "properties": {"x": {"type": "integer"}}}
    outer = {
        "type": "object",
        "properties": {"list": {"type": "array", "items": inner}, "data": {"enum": [inner]}},
        "required": ["list", "data"],
    }
    found = strict(outer)
    closed = found["properties"]["list"]["items"]
    assert (closed["required"], closed["additionalProperties"]) == (["x"], False)
    assert found["properties"]["data"] == {"enum": [inner]}


def test_refused_keywords_go_at_any_depth_but_properties_may_bear_their_names() -> None:
    schema = {
        "type": "object",
        "title": "T",
        "properties": {"title": {"type": "string", "title": "T", "default": "x"}},
        "additionalProperties": False,
        "anyOf": [{"title": "T", "type": "null"}],
    }
    assert without(schema, GEMINI_REFUSES) == {
        "type": "object",
        "properties": {"title": {"type": "string"}},
        "anyOf": [{"type": "null"}],
    }
