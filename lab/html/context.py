"""What the model was sent, as HTML: the body of a call, piece by piece.

Everything in it came from a person, a model or a site, and is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape

from lab import wording
from lab.origins import Piece, Spent, pieces
from lab.parts import Part
from lab.steps import Step

SO_FAR = (
    "“So far” is what a piece has taken up to this step: a model remembers nothing, so it is sent "
    "again at every step and counts as tokens in each time, over all questions of the run. Money "
    "is its share of what the input of those steps cost. Both are estimated."
)
"""What the figures of a piece mean, in plain words."""

LEAST = 0.0001
"""US dollars; less than that is not told apart."""

NOTHING: Mapping[Part, Spent] = {}


def described(step: Step) -> str:
    """Where the request went, and how large it was."""
    request = step.request
    size = f"{len(request.body.encode(errors='replace')):,} bytes"
    if not request.sent:
        return (
            f"{size}. Nothing was sent: no model was called. This is what one "
            "would have been sent, in the Chat Completions format."
        )
    return f"{request.method} {request.url}, {size}, exactly as it left."


def without_response(step: Step) -> str:
    """Why there is no response to read."""
    if not step.request.sent:
        return "No response body: the reply is in the trace above."
    return "No response was received."


def pieces_html(
    step: Step,
    before: Step | None,
    so_far: Mapping[Part, Spent] = NOTHING,
    words: Sequence[str] = (),
) -> str:
    """The pieces in the order sent, those that are new open; or all that hold the words."""
    sent = pieces(step, before)
    whole = sum(piece.tokens for piece in sent)
    found = [piece for piece in sent if holds(piece.part, words)]
    if not found:
        return f"<p class='lab-note'>No piece holds {escape(' and '.join(words))}.</p>"
    rows = "".join(piece_html(piece, so_far.get(piece.part), whole, words) for piece in found)
    return f"<div class='lab-pieces'>{rows}</div>"


def piece_html(piece: Piece, so_far: Spent | None, whole: int, words: Sequence[str]) -> str:
    """One piece: what it is and what it has taken, and its text."""
    name = f" {marked(wording.one_line(piece.part.name), words)}" if piece.part.name else ""
    new = "<b class='lab-mark'>new</b>" if piece.fresh else ""
    opened = " open" if piece.fresh or words else ""
    return (
        f"<details class='lab-piece{' lab-fresh' if piece.fresh else ''}'{opened}>"
        f"<summary><i class='lab-origin-{piece.origin}'></i>"
        f"<b>{escape(piece.part.role)}</b>{name} {new}"
        f"{figures_html(piece, so_far, whole)}</summary>"
        f"<pre dir='auto'>{marked(piece.part.text, words)}</pre></details>"
    )


def figures_html(piece: Piece, so_far: Spent | None, whole: int) -> str:
    """Characters, tokens, share of the request, and what it has taken so far."""
    parts = [f"{piece.part.characters:,} characters", f"≈{piece.tokens:,} tokens"]
    parts += [f"{piece.tokens / whole:.0%}"] if whole else []
    if so_far:
        times = "once" if so_far.times == 1 else f"{so_far.times} times"
        tokens = wording.amount(so_far.tokens)
        parts.append(f"so far sent {times}: {tokens} tokens, {money(so_far)}")
    return f"<span>{' · '.join(parts)}</span>"


def money(so_far: Spent) -> str:
    """What a piece has cost so far; a share of a cost is an estimate."""
    if 0 < so_far.usd.value < LEAST and not so_far.usd.unknown:
        return f"under ${LEAST}"
    shown = wording.amount(so_far.usd, dollars=True)
    return shown.replace("$", f"{wording.ESTIMATED}$")


def holds(part: Part, words: Sequence[str]) -> bool:
    """True where every word is in the part's text or name."""
    text = f"{part.name} {part.text}".casefold()
    return all(word.casefold() in text for word in words)


def marked(text: str, words: Sequence[str]) -> str:
    """The text, escaped, with the words marked."""
    if not words:
        return escape(text)
    longest_first = sorted(words, key=len, reverse=True)
    either = "|".join(map(re.escape, longest_first))
    return "".join(
        f"<mark>{escape(found)}</mark>" if place % 2 else escape(found)
        for place, found in enumerate(re.split(f"({either})", text, flags=re.IGNORECASE))
    )
