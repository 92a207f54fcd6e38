"""The measures of runs side by side as HTML: of one run a column, or of its repeats together."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from lab.compare import apart
from lab.compare.known import Known
from lab.compare.repeats import repeats
from lab.compare.summary import Summary, facts
from lab.html.line import line_html


def strip_html(columns: Sequence[Sequence[Summary]], names: str, known: Known | None) -> str:
    """The table, the known answer, and what repeats allow to say of who does better."""
    repeated = any(len(runs) > 1 for runs in columns)
    together = [repeats(runs) for runs in columns] if repeated else []
    table = table_html(apart.table(together) if repeated else once(columns), names)
    note = f"<p class='lab-note'>Known answer: {escape(known.text)}</p>" if known else ""
    over = repeated and not any(one.under_way for one in together)
    told = "".join(f"<li>{escape(said)}</li>" for said in apart.told(together)) if over else ""
    return f"{table}{note}<ul class='lab-told'>{told}</ul>" if told else table + note


def once(columns: Sequence[Sequence[Summary]]) -> list[tuple[str, list[str]]]:
    """The measures of one run a column."""
    rows = zip(*(facts(runs[0]) for runs in columns), strict=True)
    return [(row[0][0], [text for _, text in row]) for row in rows]


def table_html(rows: Sequence[tuple[str, list[str]]], names: str) -> str:
    """A table that the stylesheet lays across where there is room, and down where there is not."""
    measures = [("", [f"{name}" for name in names]), *rows]
    drawn = "".join(
        f"<div role='row'><span role='rowheader'>{heading}</span>"
        f"{''.join(map(cell_html, cells))}</div>"
        for heading, cells in measures
    )
    return f"<div class='lab-facts lab-facts-{len(names)}' role='table'>{drawn}</div>"


def cell_html(text: str) -> str:
    """A value; its interval stands below it."""
    value, _, interval = text.partition(" (")
    inner = f" <small>({escape(interval)}</small>" if interval else ""
    return f"<span role='cell'>{line_html(value)}{inner}</span>"
