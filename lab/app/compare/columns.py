"""A comparison as HTML: a column a run, the steps at the same height, the first difference marked.

Everything shown came from a model or a site and is escaped. A narrow screen shows one column at a
time, and where they part all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from lab import wording
from lab.compare.parting import Parting, parting
from lab.compare.summary import Row, Summary, aligned
from lab.html.answer import Get
from lab.html.bars import bar_html, counted, legend_html, tokens_in
from lab.html.line import line_html
from lab.html.trace import what_html
from lab.settings import Settings
from lab.steps import Step, Turn


@dataclass(frozen=True, slots=True)
class Drawn:
    """One step as HTML."""

    what: str
    """What it asked for and what came back."""
    bar: str
    """Its tokens in by origin, as wide as there is room."""
    running: bool


@dataclass(frozen=True, slots=True)
class Column:
    """One run, its repeats, and what is needed to draw it."""

    name: str
    """A to D."""
    runs: tuple[Summary, ...]
    """All runs of the column."""
    place: int
    """Which of them is shown step by step; 0 for the first."""
    settings: Settings
    turn: Turn
    steps: tuple[Drawn, ...]
    """The steps of the turn as they are drawn."""
    working: bool
    """True while it advances."""
    waiting: bool
    """True while it waits for its turn to begin."""
    get: Get
    """Finds a passage by its id."""
    hidden: bool
    """True where a narrow screen shows another column."""

    @property
    def summary(self) -> Summary:
        return self.runs[self.place]


def columns_html(columns: Sequence[Column], drawn: Sequence[str], kind: str = "") -> str:
    """A part of each column beside the others'; a narrow screen leaves out the hidden ones."""
    cells = "".join(
        f"<div class='lab-cell{' lab-other' if column.hidden else ''}'>{part}</div>"
        for column, part in zip(columns, drawn, strict=True)
    )
    return f"<div class='lab-columns lab-of-{len(columns)} {kind}'>{cells}</div>"


def parted(columns: Sequence[Column]) -> Parting | None:
    """Where the runs shown part."""
    steps = [column.turn.steps for column in columns]
    over = [not column.working for column in columns]
    return parting(steps, over, "".join(column.name for column in columns))


def sentence_html(columns: Sequence[Column], parted: Parting | None) -> str:
    """Where they part, in one sentence."""
    several = any(len(column.runs) > 1 for column in columns)
    if parted:
        told = f"{wording.one_line(parted.sentence)}."
        said = f"Runs shown: {told[0].lower()}{told[1:]}" if several else told
    elif len(columns) < 2 or any(column.working for column in columns):
        return ""
    else:
        said = f"{'The runs shown' if several else 'They'} took the same steps."
    return f"<p class='lab-parting'>{escape(said)}</p>"


def rows_html(columns: Sequence[Column], parted: Parting | None) -> list[str]:
    """The aligned steps, a row each; where the columns part is marked across all of them."""
    rows = aligned([column.turn.steps for column in columns])
    return [
        row_html(columns, row, here=parted is not None and parted.step == number)
        for number, row in enumerate(rows, 1)
    ]


def row_html(columns: Sequence[Column], row: Row, here: bool) -> str:
    """Steps at the same height; `here` is where the columns part."""
    cells = [step_html(column, step) for column, step in zip(columns, row.steps, strict=True)]
    mark = "<p class='lab-here'>▼ They part here</p>" if here else ""
    kind = " lab-apart" if here else ""
    return f"<div class='lab-trace lab-steps{kind}'>{mark}{columns_html(columns, cells)}</div>"


def step_html(column: Column, step: Step | None) -> str:
    """One step of one column; nothing where it has none at this height."""
    if step is None:
        return ""
    of = next(of for of, own in zip(column.steps, column.turn.steps, strict=True) if own is step)
    return (
        f"<div class='lab-what{' lab-running' if of.running else ''}'>"
        f"<h4 class='lab-step'>{column.name}, step {step.number}</h4>{of.what}</div>"
    )


def drawn(step: Step, before: Step | None, running: bool, streamed: str) -> Drawn:
    """Draw one step; `streamed` is what has come of its reply."""
    what = what_html(step, running, streamed, before)
    return Drawn(what, bar_html(step, before, tokens_in(step) or 0), running)


def multiples_html(columns: Sequence[Column]) -> str:
    """Tokens in by step, a small picture a column, all on one scale."""
    counts = [tokens_in(step) or 0 for column in columns for step in column.turn.steps]
    top = max(counts, default=0)
    if not top:
        return ""
    pictures = columns_html(columns, [multiple_html(one, top) for one in columns], "lab-multiples")
    return f"<h3 class='lab-heading'>Tokens in by step</h3>{pictures}{legend_html()}"


def multiple_html(column: Column, top: int) -> str:
    """The bars of one column."""
    rows = "".join(
        f"<li><span>{step.number}</span>"
        f"<div><div style='width:{(tokens_in(step) or 0) / top:.2%}'>{of.bar}</div></div>"
        f"<span>{counted(step)}</span></li>"
        for of, step in zip(column.steps, column.turn.steps, strict=True)
    )
    caption = f"{column.name}, {line_html(column.summary.model)}"
    return f"<figure><figcaption>{caption}</figcaption><ol>{rows}</ol></figure>"
