"""What the model was sent, as HTML: the body of a call, piece by piece."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from html import escape
from typing import Any

from lab.messages import Json
from lab.steps import Step


@dataclass(frozen=True, slots=True)
class Piece:
    """One part of a request body."""

    origin: str
    """`system`, `tools`, or the role of a message."""
    text: str
    """The part's own JSON, or its text where it is nothing but text."""


def described(step: Step) -> str:
    """Where the request went, and how large it was."""
    request = step.request
    size = f"{len(request.body.encode()):,} bytes"
    if not request.sent:
        return (
            f"{size}. Nothing was sent: a stand-in played the model. This is what a model "
            "would have been sent, in the Chat Completions format."
        )
    return f"{request.method} {request.url}, {size}, exactly as it left."


def without_response(step: Step) -> str:
    """Why there is no response to read."""
    if not step.request.sent:
        return "No response body: the stand-in's reply is in the trace above."
    return "No response was received."


def pieces_html(step: Step, before: Step | None) -> str:
    """The pieces in the order sent; what is new since the step before is marked and open."""
    old = Counter(pieces(json.loads(before.request.body)) if before else ())
    rows = []
    for piece in pieces(json.loads(step.request.body)):
        new = before is not None and not old[piece]
        old[piece] -= 1
        mark = "<b class='lab-mark'>new</b>" if new else ""
        rows.append(
            f"<details class='lab-piece{' lab-fresh' if new else ''}'"
            f"{' open' if new else ''}><summary>{escape(piece.origin)} {mark}"
            f"<span>{len(piece.text):,} characters</span></summary>"
            f"<pre>{escape(piece.text)}</pre></details>"
        )
    return f"<div class='lab-pieces'>{''.join(rows)}</div>"


def pieces(body: Json) -> list[Piece]:
    """The parts of a request body of either wire."""
    found = []
    for key, value in body.items():
        if key == "messages":
            found += [Piece(message["role"], inner(message)) for message in value]
        elif key in ("system", "tools"):
            found.append(Piece(key, text_of(value)))
    return found


def inner(message: Json) -> str:
    """What a message holds beside its role: its text as text, the rest as JSON before it."""
    rest = {key: value for key, value in message.items() if key not in ("role", "content")}
    content = message.get("content")
    parts = [text_of(rest)] if rest else []
    parts += [] if content is None else [text_of(content)]
    return "\n\n".join(parts)


def text_of(value: Any) -> str:
    """Text as it is, anything else as indented JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)
