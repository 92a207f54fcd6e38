"""The tools that a request told the model of, as HTML: name, description, parameters, schema."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from lab.html.context import NOTHING, figures_html, holds, marked
from lab.messages import Json
from lab.origins import Spent, pieces
from lab.parts import Part
from lab.steps import Step

IN_THE_TEXT = (
    "This request lists no tools. Under the text protocol they are described in the system "
    "message; a model that plays without any is told of none."
)


def tools_html(
    step: Step, so_far: Mapping[Part, Spent] = NOTHING, words: Sequence[str] = ()
) -> str:
    """Each tool of a request; or those that hold the words."""
    sent = pieces(step)
    whole = sum(piece.tokens for piece in sent)
    tools = [piece for piece in sent if piece.part.role == "tools"]
    if not tools:
        return f"<p class='lab-note'>{IN_THE_TEXT}</p>"
    found = [piece for piece in tools if holds(piece.part, words)]
    if not found:
        return f"<p class='lab-note'>No tool's description holds {escape(' and '.join(words))}.</p>"
    drawn = "".join(
        tool_html(
            json.loads(piece.part.text),
            figures_html(piece, so_far.get(piece.part), whole),
            words,
        )
        for piece in found
    )
    return f"<div class='lab-pieces lab-tools'>{drawn}</div>"


def tool_html(tool: Json, figures: str, words: Sequence[str]) -> str:
    """One tool as any wire describes it."""
    described = tool.get("function", tool)
    schema = described.get("parameters", described.get("input_schema", {}))
    return (
        f"<section><h4>{marked(str(described.get('name', '')), words)}</h4>"
        f"<p class='lab-note'>{figures}</p>"
        f"<p>{marked(str(described.get('description', '')), words)}</p>"
        f"{parameters_html(schema, words)}"
        f"<details><summary>as sent, as JSON</summary>"
        f"<pre>{marked(json.dumps(tool, ensure_ascii=False, indent=2), words)}</pre>"
        "</details></section>"
    )


def parameters_html(schema: Json, words: Sequence[str]) -> str:
    """The parameters of a JSON Schema as a table."""
    rows = "".join(
        f"<tr><th scope='row'>{marked(name, words)}</th>"
        + "".join(f"<td>{marked(cell, words)}</td>" for cell in cells)
        + "</tr>"
        for name, *cells in parameters(schema)
    )
    if not rows:
        return "<p class='lab-note'>No parameters.</p>"
    heads = ("parameter", "type", "needed", "described as", "more")
    head = "".join(f"<th scope='col'>{name}</th>" for name in heads)
    return f"<table class='lab-split'><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def parameters(schema: Json) -> Iterator[tuple[str, str, str, str, str]]:
    """Name, type, whether it is needed, its description, and all else that is said of it."""
    required = schema.get("required", ())
    for name, of in schema.get("properties", {}).items():
        rest = {k: v for k, v in of.items() if k not in ("type", "description", "title", "anyOf")}
        more = ", ".join(f"{k} {json.dumps(v, ensure_ascii=False)}" for k, v in rest.items())
        needed = "yes" if name in required else "no"
        yield name, type_of(of), needed, str(of.get("description", "")), more


def type_of(of: Json) -> str:
    """The type of a parameter in words."""
    if "anyOf" in of:
        return " or ".join(map(type_of, of["anyOf"]))
    kind: Any = of.get("type", "anything")
    return " or ".join(map(str, kind)) if isinstance(kind, list) else str(kind)
