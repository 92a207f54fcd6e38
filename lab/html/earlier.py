"""The questions before the newest one as HTML: in short, each with its trace to be opened."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from lab import wording
from lab.html.answer import Get
from lab.html.figures import so_far
from lab.html.outcome import ICONS
from lab.html.said import said_html
from lab.html.trace import trace_html
from lab.steps import Turn


def earlier_html(turns: Sequence[Turn], get: Get) -> str:
    """Question, answer and trace of each; `get` finds a passage by its id."""
    drawn = "".join(turn_html(number, turn, get) for number, turn in enumerate(turns, 1))
    return f"<div class='lab-before'>{drawn}</div>"


def turn_html(number: int, turn: Turn, get: Get) -> str:
    """One of them."""
    end = turn.end
    said = f"{ICONS.get(end.reason, '⚠')} {end.reason}" if end else "⚠ not ended"
    kind = "lab-good" if end and end.reason == "answered" else "lab-bad"
    steps = "1 step" if len(turn.steps) == 1 else f"{len(turn.steps)} steps"
    *_, used = [None, *so_far(turn.steps)]
    tokens = f", {wording.amount(used.tokens_in)} tokens in" if used else ""
    cost = f", {wording.amount(used.usd, dollars=True)}" if used else ""
    return (
        f"<section><h3 class='lab-question'>{number}. "
        f"{escape(wording.printable(turn.question))}</h3>"
        f"{said_html(turn, get)}"
        f"<details><summary><b class='{kind}'>{said}</b>: {steps}{tokens}{cost}</summary>"
        f"{trace_html(turn, running=False)}</details></section>"
    )
