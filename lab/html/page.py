"""A run as one HTML file that needs no server, runs no script and loads nothing.

Everything in it came from a person, a model or a site, and is escaped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from itertools import pairwise
from pathlib import Path

from indexer.errors import IndexerError
from indexer.passages import Passage
from lab import wording
from lab.errors import LabError
from lab.events import Asked
from lab.html.answer import Get
from lab.html.bars import split_html
from lab.html.context import SO_FAR, described, pieces_html, without_response
from lab.html.outcome import outcome_html
from lab.html.picture import picture_html
from lab.html.said import said_html
from lab.html.tools import tools_html
from lab.html.trace import trace_html
from lab.origins import Spent, spent, with_before
from lab.paid import input_usd
from lab.parts import Part
from lab.prepare import open_index
from lab.run import Run
from lab.steps import Step, Turn, turns

RUN_CSS = Path(__file__).parent / "run.css"
EXPORT_CSS = Path(__file__).parent / "export.css"

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""A browser that reads the file loads nothing and runs nothing, whatever stands in it."""


def exported(run: Run) -> tuple[bytes, str]:
    """The run's page as a file, and why its sources are not in it; empty where they are."""
    known: dict[str, Passage] = {}
    try:
        html, fault = page_html(run, open_index(run.settings.index).get), ""
    except (LabError, IndexerError) as error:
        html, fault = page_html(run, known.get), str(error)
    return html.encode(errors="replace"), fault


def page_html(run: Run, get: Get) -> str:
    """All questions of the run, each as the page shows it, with what was sent and what came.

    `get` finds a passage by its id.
    """
    styles = "".join(css.read_text(encoding="utf-8") for css in (RUN_CSS, EXPORT_CSS))
    questions = "".join(question_html(part, get) for part in by_question(run))
    picture = picture_html(turns(run.events))
    whole = f"<section><h3>The whole run</h3>{picture}</section>" if picture else ""
    title = wording.one_line(first_question(run)) or "A run without a question"
    started = run.recorded[0].at[:16].replace("T", " ") if len(run) else wording.UNKNOWN
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{styles}</style></head>"
        f"<body><h1>Site agent lab, run {escape(run.id)}</h1>{questions}{whole}"
        f"<footer>Started {escape(started)} UTC. This file is a copy of a saved run; it loads "
        "nothing from anywhere.</footer></body></html>\n"
    )


def first_question(run: Run) -> str:
    """What was asked first; empty where nothing was."""
    return next((event.question for event in run.events if isinstance(event, Asked)), "")


def by_question(run: Run) -> Iterator[Run]:
    """The run as it stood at the end of each of its questions."""
    starts = [entry.seq for entry in run.recorded if isinstance(entry.event, Asked)]
    for _, end in pairwise([*starts, len(run)]):
        yield Run(run.id, run.recorded[:end])


def spent_by_step(run: Run) -> list[tuple[Step, Step | None, Mapping[Part, Spent]]]:
    """Every step whose request can be read, the one before it, and what each part took so far."""
    steps = [step for turn in turns(run.events) for step in turn.steps if step.request.body]
    sums = spent(steps, lambda step: input_usd(step, run.settings.model))
    return [(*pair, so_far) for pair, so_far in zip(with_before(steps), sums, strict=True)]


def question_html(run: Run, get: Get) -> str:
    """The newest question: outcome, answer, sources, trace, and every request."""
    turn = turns(run.events)[-1]
    asked = escape(wording.printable(turn.question))
    return (
        f"<section><h2 class='lab-question' dir='auto'>{asked}</h2>"
        f"{outcome_html(run, turn, running=False)}{said_html(turn, get)}"
        f"{trace_html(turn, running=False)}{sent_html(run, turn)}</section>"
    )


def sent_html(run: Run, turn: Turn) -> str:
    """What the model was sent at every step of the newest question, and what came back."""
    count = sum(bool(step.request.body) for step in turn.steps)
    if not count:
        return ""
    parts = "".join(step_html(*each) for each in spent_by_step(run)[-count:])
    return f"<h3>What the model was sent</h3><p class='lab-note'>{SO_FAR}</p>{parts}"


def step_html(step: Step, before: Step | None, so_far: Mapping[Part, Spent]) -> str:
    """One request in pieces, its tools, raw, and the response as received."""
    size = f"{len(step.request.body.encode(errors='replace')):,} bytes"
    response = step.exchange.response if step.exchange else ""
    came = opening("response", response)
    if not response:
        came = f"<p class='lab-note'>{without_response(step)}</p>"
    return (
        f"<details class='lab-sent'><summary>Step {step.number}<span>{size}</span></summary>"
        f"<p class='lab-note'>{escape(described(step))}</p>{split_html(step, before)}"
        f"{pieces_html(step, before, so_far)}"
        f"<div class='lab-pieces'><details><summary>tools</summary>{tools_html(step, so_far)}"
        f"</details>{opening('raw', step.request.body)}{came}</div></details>"
    )


def opening(title: str, text: str) -> str:
    """A text that opens in place, with its length."""
    return (
        f"<details><summary>{title}<span>{len(text):,} characters</span></summary>"
        f"<pre dir='auto'>{escape(text)}</pre></details>"
    )
