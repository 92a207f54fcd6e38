"""A tool's parameters as fields to fill in, read off its JSON Schema. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from lab.messages import Json, ToolSchema

Kind: TypeAlias = Literal["string", "integer", "number", "boolean"]
Value: TypeAlias = str | int | float | bool | None
"""What a field holds; None where nothing is given."""


@dataclass(frozen=True, slots=True)
class Field:
    """One parameter."""

    name: str
    kind: Kind
    description: str
    required: bool
    default: Value = None
    """What the tool takes where nothing is given."""


def fields_of(tool: ToolSchema) -> tuple[Field, ...] | None:
    """The tool's parameters; None where one of them is of a kind that has no field."""
    required = tool.parameters.get("required", ())
    found = []
    for name, described in tool.parameters.get("properties", {}).items():
        kind = kind_of(described)
        if kind is None:
            return None
        about, default = described.get("description", ""), described.get("default")
        found.append(Field(name, kind, about, name in required, default))
    return tuple(found)


def kind_of(described: Json) -> Kind | None:
    """The kind of a parameter, whether or not it may be null as well."""
    options = described.get("anyOf") or [described]
    kinds = [option.get("type") for option in options if option.get("type") != "null"]
    return next((kind for kind in get_args(Kind) if kinds == [kind]), None)


def arguments_of(fields: Iterable[Field], values: Mapping[str, Value]) -> Json:
    """What was filled in, as arguments. A required text may be empty; what is optional is left out.

    Nothing is put right: what a tool makes of it comes back as its result.
    """
    given = {field.name: values.get(field.name) for field in fields}
    optional = {field.name for field in fields if not field.required}
    return {
        name: value
        for name, value in given.items()
        if value is not None and not (value == "" and name in optional)
    }


def skeleton(fields: Iterable[Field] | None) -> str:
    """Arguments with nothing in them yet, as JSON text to begin with."""
    names = [field.name for field in fields or () if field.required]
    return "{" + ", ".join(f'"{name}": ""' for name in names) + "}"
