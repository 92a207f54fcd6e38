"""Saved runs in a list, as HTML: question, model, end and sums of each."""

from __future__ import annotations

from html import escape

from lab import wording
from lab.html.outcome import ICONS
from lab.rows import RunRow

HEAD = ("question", "end", "model", "steps", "tokens in", "out", "cost", "started, UTC")
NO_QUESTION = "No question was asked"


def head_html() -> str:
    """The headings of the list."""
    return f"<div class='lab-run lab-run-head'>{cells(HEAD)}</div>"


def row_html(row: RunRow, working: bool) -> str:
    """One run; what its question holds is shown in full, and is text."""
    tokens_in, tokens_out, cost = row.amounts()
    values = (
        wording.one_line(row.question) or NO_QUESTION,
        end_of(row, working),
        wording.one_line(row.model),
        str(row.steps),
        wording.amount(tokens_in),
        wording.amount(tokens_out),
        wording.amount(cost, dollars=True),
        row.started[:16].replace("T", " "),
    )
    kind = "good" if row.reason == "answered" else "" if working else "bad"
    return f"<div class='lab-run lab-run-{kind}'>{cells(values)}{fork_html(row)}</div>"


def fork_html(row: RunRow) -> str:
    """Where a fork comes from; nothing for any other run."""
    if not row.parent:
        return ""
    at = "" if row.parent_seq is None else f" at event {row.parent_seq}"
    return f"<small class='lab-run-fork'>↳ forked from {escape(row.parent)}{at}</small>"


def end_of(row: RunRow, working: bool) -> str:
    """How it ended, with a sign."""
    if working:
        return "… under way"
    reason = next((end for end in ICONS if end == row.reason), None)
    return f"{ICONS[reason] if reason else '⚠'} {row.reason or 'not ended'}"


def cells(values: tuple[str, ...]) -> str:
    """Values in the order of HEAD; the class of each says which it is."""
    names = ("question", "end", "model", "steps", "in", "out", "cost", "started")
    return "".join(
        f"<span class='lab-run-{name}'>{escape(value)}</span>"
        for name, value in zip(names, values, strict=True)
    )
