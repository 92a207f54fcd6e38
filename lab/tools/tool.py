"""A tool: a typed function whose signature and docstring say all that a model is told of it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, create_model

from lab.messages import Json, ToolSchema


@dataclass(frozen=True, slots=True)
class Tool:
    """A function with the schema that was read off it."""

    function: Callable[..., str]
    """Takes the arguments by name, returns text for the model; raises ToolError."""
    schema: ToolSchema
    arguments: type[BaseModel]
    """Validates arguments."""
    has_effects: bool = False
    """True where a person must agree before it runs."""


def tool(function: Callable[..., str], *, has_effects: bool = False) -> Tool:
    """Describe a function. `Annotated[T, "text"]` gives a parameter its description."""
    hints = get_type_hints(function, include_extras=True)
    fields: dict[str, Any] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        kind, description = _described(hints[name])
        fields[name] = (kind, Field(default, description=description))
    name = function.__name__
    arguments = create_model(name, __config__=ConfigDict(extra="forbid"), **fields)
    text = inspect.cleandoc(function.__doc__ or "")
    return Tool(function, ToolSchema(name, text, _parameters(arguments)), arguments, has_effects)


def _described(hint: Any) -> tuple[Any, str | None]:
    if get_origin(hint) is not Annotated:
        return hint, None
    kind, *notes = get_args(hint)
    return kind, next((note for note in notes if isinstance(note, str)), None)


def _parameters(arguments: type[BaseModel]) -> Json:
    """JSON Schema as every endpoint takes it: no titles, no docstring, nothing extra allowed."""
    schema = arguments.model_json_schema()
    for described in schema["properties"].values():
        described.pop("title", None)
    return {
        "type": "object",
        "properties": schema["properties"],
        "required": schema.get("required", []),
        "additionalProperties": False,
    }
