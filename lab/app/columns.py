"""A comparison as HTML: a column a run, the steps at the same height, the first difference marked.

Everything shown came from a model or a site and is escaped. On a narrow screen columns stack.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from lab import wording
from lab.compare import Row, Summary, aligned, facts
from lab.html.answer import Get, answer_html
from lab.html.outcome import ICONS
from lab.html.trace import bar_html, notices_html, what_html
from lab.known import Known
from lab.models.catalog import is_standin, standin_note
from lab.parting import Parting, parting
from lab.steps import Step, Turn

VERDICTS = {"right": ("✓ right", "good"), "wrong": ("✗ wrong", "bad")}
LEGEND = (
    '<p class="lab-legend"><i class="lab-old"></i><span>sent in the step before already</span>'
    '<i class="lab-new"></i><span>new in this step</span></p>'
)


@dataclass(frozen=True, slots=True)
class Column:
    """One run, and what is needed to draw it."""

    name: str
    """A to D."""
    summary: Summary
    turn: Turn
    working: bool
    """True while it advances."""
    streamed: str
    """What has come of the reply under way."""
    get: Get
    """Finds a passage by its id."""


def comparison_html(columns: Sequence[Column], known: Known | None) -> str:
    """The whole comparison."""
    steps = [column.turn.steps for column in columns]
    over = [not column.working for column in columns]
    parted = parting(steps, over, "".join(column.name for column in columns))
    heads = "".join(head_html(column) for column in columns)
    return (
        f"<div class='lab-columns lab-of-{len(columns)}'>{heads}</div>"
        f"{summary_html(columns, known)}{sentence_html(columns, parted)}"
        f"{steps_html(columns, aligned(steps), parted)}{multiples_html(columns)}"
    )


def head_html(column: Column) -> str:
    """Model, outcome and answer of one column."""
    of = column.summary
    badge, kind = outcome(column)
    said, tone = VERDICTS.get(of.verdict, ("", ""))
    judged = f" <span class='lab-badge lab-{tone}'>{said}</span>" if said else ""
    after = f"{of.detail} {wording.NEXT[of.end]}".strip() if of.end else ""
    cut = f"<p class='lab-bad'>Left out of verdicts: {escape(of.cut)}</p>" if of.cut else ""
    answer = answer_html(of.answer, column.get) if of.answer else ""
    note = standin_note(of.model) if is_standin(of.model) else ""
    return (
        f"<section class='lab-column'><h3><b>{column.name}</b> {escape(of.model)}</h3>"
        f"<p class='lab-outcome'><span class='lab-badge{kind}'>{escape(badge)}</span>{judged} "
        f"<span>{escape(after)}</span></p>{cut}{notices_html(column.turn.notices)}{answer}"
        f"<p class='lab-note'>{escape(note)}</p></section>"
    )


def outcome(column: Column) -> tuple[str, str]:
    """The state in words, and its class."""
    end = column.turn.end
    if end:
        kind = " lab-good" if end.reason == "answered" else " lab-bad"
        return f"{ICONS.get(end.reason, '⚠')} {end.reason}", kind
    if column.working:
        return ("■ stopping" if column.turn.stopping else "… under way"), ""
    return "⚠ not ended", " lab-bad"


def summary_html(columns: Sequence[Column], known: Known | None) -> str:
    """The measures, a row each."""
    head = "".join(f"<th scope='col'>{column.name}</th>" for column in columns)
    rows = []
    for row in zip(*(facts(column.summary) for column in columns), strict=True):
        cells = "".join(f"<td>{escape(text)}</td>" for _, text in row)
        rows.append(f"<tr><th scope='row'>{row[0][0]}</th>{cells}</tr>")
    note = f"<p class='lab-note'>Known answer: {escape(known.text)}</p>" if known else ""
    return (
        f"<table class='lab-facts'><thead><tr><td></td>{head}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>{note}"
    )


def sentence_html(columns: Sequence[Column], parted: Parting | None) -> str:
    """Where they part, in one sentence."""
    if parted:
        said = f"{wording.one_line(parted.sentence)}."
    elif len(columns) < 2 or any(column.working for column in columns):
        return ""
    else:
        said = "They took the same steps."
    return f"<p class='lab-parting'>{escape(said)}</p>"


def steps_html(columns: Sequence[Column], rows: Sequence[Row], parted: Parting | None) -> str:
    """The aligned steps; the row in which the columns part is marked across all of them."""
    drawn = []
    for number, row in enumerate(rows, 1):
        here = parted is not None and parted.step == number
        mark = "<p class='lab-here'>▼ They part here</p>" if here else ""
        cells = "".join(
            step_html(column, step) for column, step in zip(columns, row.steps, strict=True)
        )
        kind = f"lab-columns lab-of-{len(columns)}{' lab-apart' if here else ''}"
        drawn.append(f"<div class='{kind}'>{mark}{cells}</div>")
    return f"<div class='lab-trace lab-rows'>{''.join(drawn)}</div>"


def step_html(column: Column, step: Step | None) -> str:
    """One step of one column, or the gap where it has none at this height."""
    if step is None:
        return "<div class='lab-gap' aria-hidden='true'></div>"
    running = column.working and step is column.turn.steps[-1]
    return (
        f"<div class='lab-what{' lab-running' if running else ''}'>"
        f"<h4 class='lab-step'>{column.name}, step {step.number}</h4>"
        f"{what_html(step, running, column.streamed)}</div>"
    )


def multiples_html(columns: Sequence[Column]) -> str:
    """Tokens in by step, a small picture a column, all on one scale."""
    counts = [tokens_in(step) or 0 for column in columns for step in column.turn.steps]
    top = max(counts, default=0)
    if not top:
        return ""
    drawn = "".join(multiple_html(column, top) for column in columns)
    return (
        f"<h3 class='lab-heading'>Tokens in by step</h3>"
        f"<div class='lab-columns lab-multiples lab-of-{len(columns)}'>{drawn}</div>{LEGEND}"
    )


def multiple_html(column: Column, top: int) -> str:
    """The bars of one column."""
    rows, before = [], 0
    for step in column.turn.steps:
        count = tokens_in(step)
        estimated = bool(step.reply and step.reply.usage.estimated)
        rows.append(
            f"<li><span>{step.number}</span>{bar_html(count, before, top)}"
            f"<span>{wording.tokens(count, estimated)}</span></li>"
        )
        before = count or before
    return (
        f"<figure><figcaption>{column.name}, {escape(column.summary.model)}</figcaption>"
        f"<ol>{''.join(rows)}</ol></figure>"
    )


def tokens_in(step: Step) -> int | None:
    """Input tokens of a step, where they are known."""
    return step.reply.usage.tokens_in if step.reply else None
