"""Dialects of JSON Schema: the same parameters as different endpoints accept them. Pure."""

from __future__ import annotations

from typing import Any

from lab.messages import Json

GEMINI_REFUSES = ("additionalProperties", "$schema", "default", "title", "exclusiveMinimum")
"""Keywords that Gemini's compatibility endpoint answers with a 400."""


LITERAL = ("enum", "const", "default", "examples")
"""Keywords whose value is data, not a schema."""


def strict(schema: Json) -> Json:
    """As strict modes want it: every property required, nothing extra, an optional one nullable.

    What an optional property defaults to is said in its description instead; null for it is
    read as "not given".
    """
    made = {key: _inside(key, value) for key, value in schema.items() if key != "properties"}
    if "properties" not in schema:
        return made
    required = set(schema.get("required", ()))
    properties = {
        name: strict(inner) if name in required else nullable(strict(inner))
        for name, inner in schema["properties"].items()
    }
    closed = {"required": list(properties), "additionalProperties": False}
    return {**made, "properties": properties, **closed}


def _inside(key: str, value: Any) -> Any:
    """What a keyword holds, made strict where that is a schema or a list of schemas."""
    if key in LITERAL:
        return value
    if isinstance(value, list):
        return [strict(item) if isinstance(item, dict) else item for item in value]
    return strict(value) if isinstance(value, dict) else value


def nullable(schema: Json) -> Json:
    """A schema that also takes null, for "not given"."""
    null: Json = {"type": "null"}
    made = {key: value for key, value in schema.items() if key != "default"}
    if "anyOf" in made:
        made["anyOf"] = [*made["anyOf"], *([] if null in made["anyOf"] else [null])]
    elif "$ref" in made:
        made = {"anyOf": [made, null]}
    elif "type" in made:
        kinds = made["type"] if isinstance(made["type"], list) else [made["type"]]
        made["type"] = [*kinds, *([] if "null" in kinds else ["null"])]
    if "enum" in made and None not in made["enum"]:
        made["enum"] = [*made["enum"], None]
    if schema.get("default") is not None:
        said = f"null means {schema['default']!r}."
        made["description"] = f"{made.get('description', '')} {said}".strip()
    return made


def without(schema: Any, keywords: tuple[str, ...]) -> Any:
    """A schema without some keywords, at any depth."""
    if isinstance(schema, list):
        return [without(item, keywords) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        # A property may be named like a keyword: names of properties are no keywords.
        key: {name: without(inner, keywords) for name, inner in value.items()}
        if key == "properties"
        else without(value, keywords)
        for key, value in schema.items()
        if key not in keywords
    }
