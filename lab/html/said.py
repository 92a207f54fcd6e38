"""What a question came to, as HTML: its answer, or what there is of one, marked as no more."""

from __future__ import annotations

from lab.html.answer import Get, answer_html
from lab.steps import Turn


def said_html(turn: Turn, get: Get) -> str:
    """The answer with its sources; empty where there is none. `get` finds a passage by its id."""
    if not turn.end or not turn.end.answer:
        return ""
    whole = turn.end.reason == "answered"
    mark = "" if whole else "<p class='lab-bad'>⚠ Not an answer, only what came of one:</p>"
    return mark + answer_html(turn.end.answer, get)
