"""A run as one HTML file that needs no server, runs no script and loads nothing.

Everything in it came from a person, a model or a site, and is escaped.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import pairwise
from pathlib import Path

from indexer.errors import IndexerError
from indexer.passages import Passage
from lab import wording
from lab.errors import LabError
from lab.events import Asked
from lab.html.answer import Get, answer_html
from lab.html.context import described, pieces_html, without_response
from lab.html.outcome import outcome_html
from lab.html.trace import trace_html
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
    title = wording.one_line(first_question(run)) or "A run without a question"
    started = run.recorded[0].at[:16].replace("T", " ") if len(run) else wording.UNKNOWN
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{styles}</style></head>"
        f"<body><h1>Site agent lab, run {escape(run.id)}</h1>{questions}"
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


def question_html(run: Run, get: Get) -> str:
    """The newest question: outcome, answer, sources, trace, and every request."""
    turn = turns(run.events)[-1]
    answer = answer_html(turn.end.answer, get) if turn.end and turn.end.answer else ""
    return (
        f"<section><h2 class='lab-question'>{escape(wording.printable(turn.question))}</h2>"
        f"{outcome_html(run, turn, running=False)}{answer}"
        f"{trace_html(turn, running=False)}{sent_html(turn)}</section>"
    )


def sent_html(turn: Turn) -> str:
    """What the model was sent at every step, and what came back."""
    steps = [step for step in turn.steps if step.request.body]
    if not steps:
        return ""
    befores = [None, *steps]
    parts = "".join(map(step_html, steps, befores))
    return f"<h3>What the model was sent</h3>{parts}"


def step_html(step: Step, before: Step | None) -> str:
    """One request in pieces and raw, and the response as received."""
    size = f"{len(step.request.body.encode(errors='replace')):,} bytes"
    response = step.exchange.response if step.exchange else ""
    came = opening("response", response)
    if not response:
        came = f"<p class='lab-note'>{without_response(step)}</p>"
    return (
        f"<details class='lab-sent'><summary>Step {step.number}<span>{size}</span></summary>"
        f"<p class='lab-note'>{escape(described(step))}</p>{pieces_html(step, before)}"
        f"<div class='lab-pieces'>{opening('raw', step.request.body)}{came}</div></details>"
    )


def opening(title: str, text: str) -> str:
    """A text that opens in place, with its length."""
    return (
        f"<details><summary>{title}<span>{len(text):,} characters</span></summary>"
        f"<pre>{escape(text)}</pre></details>"
    )
