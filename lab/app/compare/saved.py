"""Saved runs to choose from, those of the same question first. For the person at this machine."""

from __future__ import annotations

from datetime import datetime

from lab import wording
from lab.app import resources
from lab.rows import RunRow

LISTED = 100
"""So many of the newest can be chosen; the id of any other may be typed."""


def saved_runs(question: str) -> dict[str, str]:
    """Runs by their ids, each as one line; none where others can reach the page."""
    if not resources.local():
        return {}
    rows = [row for row in resources.store().rows(LISTED) if row.question]
    rows.sort(key=lambda row: row.question != question)
    return {row.id: line(row, question) for row in rows}


def line(row: RunRow, question: str) -> str:
    """When it was begun and how it ended, or what it was asked, if that is another question."""
    about = wording.one_line(row.question)[:80]
    if row.question == question:
        about = datetime.fromisoformat(row.started).strftime("%d %b %H:%M UTC")
        about += "" if row.reason == "answered" else f", {row.reason or 'not ended'}"
    return f"{row.id[:8]} {row.model}: {about}"
