"""A tool's parameters as fields: which kind each has, and what is given as arguments."""

from __future__ import annotations

import json
from typing import Annotated, Any

import pytest

from indexer.index import Index
from lab.app.be.fields import Field, Value, arguments_of, fields_of, skeleton
from lab.messages import Json, ToolSchema
from lab.tools.site import site_tools
from lab.tools.tool import tool


def measured(
    name: str, share: float, exact: bool = False, most: Annotated[int | None, "So many."] = None
) -> str:
    """Measure."""
    return f"{name} {share} {exact} {most}"


def listed(names: list[str]) -> str:
    """List."""
    return ", ".join(names)


def test_every_tool_of_the_site_has_a_field_for_each_parameter(small_index: Index) -> None:
    for schema in site_tools(small_index).schemas():
        fields = fields_of(schema)
        assert fields
        assert [field.name for field in fields] == list(schema.parameters["properties"])
        assert all(field.description for field in fields)


def test_a_field_has_kind_description_default_and_whether_it_is_required() -> None:
    assert fields_of(tool(measured).schema) == (
        Field("name", "string", "", True),
        Field("share", "number", "", True),
        Field("exact", "boolean", "", False, False),
        Field("most", "integer", "So many.", False),
    )


@pytest.mark.parametrize("described", [{"type": "array"}, {"type": ["string", "integer"]}, {}])
def test_a_parameter_of_another_kind_leaves_its_tool_without_fields(described: Json) -> None:
    assert fields_of(ToolSchema("x", "", {"properties": {"y": described}})) is None
    assert fields_of(tool(listed).schema) is None


@pytest.mark.parametrize(
    ("values", "given"),
    [
        ({"name": "x", "share": 0.5, "exact": True, "most": 3}, None),
        ({"name": "", "share": 0.0, "exact": False}, None),
        ({"name": "x", "share": None, "exact": False, "most": None}, {"name": "x", "exact": False}),
        ({}, {}),
        ({"nobody": 1}, {}),
    ],
)
def test_what_is_filled_in_is_given_and_nothing_else(
    values: dict[str, Value], given: dict[str, Any] | None
) -> None:
    fields = fields_of(tool(measured).schema) or ()
    assert arguments_of(fields, values) == (values if given is None else given)


def test_an_optional_text_that_is_left_empty_is_not_given() -> None:
    field = Field("note", "string", "", False)
    assert arguments_of([field], {"note": ""}) == {}
    assert arguments_of([field], {"note": "x"}) == {"note": "x"}


def test_a_skeleton_is_json_with_what_is_required() -> None:
    assert json.loads(skeleton(fields_of(tool(measured).schema))) == {"name": "", "share": ""}
    assert skeleton(None) == "{}"
