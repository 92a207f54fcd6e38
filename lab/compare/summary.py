"""Runs on one question side by side: a summary of each, and their steps at the same height.

Reads runs; knows neither terminal nor page. Where the runs part is in lab/parting.py, what
repeats say in lab/repeats.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal, TypeAlias

from lab import wording
from lab.compare.known import Known
from lab.compare.parting import Key, step_key, together
from lab.events import End
from lab.run import Run
from lab.steps import CallView, Step, Turn, turns
from lab.totals import Amount, total

NAMES = "ABCD"
"""Columns by name; so many runs stand side by side."""

Verdict: TypeAlias = Literal["right", "wrong", "no answer", "unknown", "left out"]
"""`unknown` where no answer is known or the run was stopped or failed; `left out` where part of
the prompt was cut, so that the model cannot be blamed."""

UNJUDGED: tuple[End, ...] = ("stopped", "failed")
"""Ends that say nothing about the model."""


@dataclass(frozen=True, slots=True)
class Summary:
    """One run in short."""

    run: str
    """Its id."""
    model: str
    protocol: str
    end: End | None
    """How it ended; None while it goes on."""
    detail: str
    """For an end without an answer: one sentence on what happened."""
    answer: str
    verdict: Verdict
    cut: str
    """The notice that part of the prompt was cut; empty where none was."""
    steps: int
    seconds: float
    """Model, waiting and tools together."""
    tokens_in: Amount
    tokens_out: Amount
    characters: int
    """Sent in all steps together. Tokens of two models do not compare, characters do."""
    cost: Amount
    """US dollars."""
    searched_first: bool | None
    """Whether it searched before it calculated; None where it did not calculate."""
    read_first: bool | None
    """Whether it read a passage before it answered; None where it did not answer."""


def summary(run: Run, known: Known | None = None) -> Summary:
    """The newest question of a run in short; `known` is the known answer to it."""
    turn, used, settings = turns(run.events)[-1], total(run.turn()), run.settings
    end = turn.end.reason if turn.end else None
    answer = turn.end.answer if turn.end else ""
    cut = cut_notice(turn)
    return Summary(
        run=run.id,
        model=settings.model,
        protocol=settings.protocol,
        end=end,
        detail=turn.end.detail if turn.end else "",
        answer=answer,
        verdict="left out" if cut else verdict(end, answer, known),
        cut=cut,
        steps=used.steps,
        seconds=used.seconds,
        tokens_in=used.tokens_in,
        tokens_out=used.tokens_out,
        characters=sum(len(step.request.body) for step in turn.steps),
        cost=used.cost,
        searched_first=searched_first(turn),
        read_first=bool(good_calls(turn, "read_passage")) if end == "answered" else None,
    )


def verdict(end: End | None, answer: str, known: Known | None) -> Verdict:
    """Whether the run answered right, as far as that is known."""
    if known is None or end is None or end in UNJUDGED:
        return "unknown"
    if end != "answered":
        return "no answer"
    return "right" if known.agrees(answer) else "wrong"


def cut_notice(turn: Turn) -> str:
    """What was said of a prompt that was cut; empty where none was."""
    notices = [*turn.notices, *(notice for step in turn.steps for notice in step.notices)]
    return next((notice.text for notice in notices if wording.alarming(notice)), "")


def good_calls(turn: Turn, name: str) -> list[CallView]:
    """Calls of a tool that brought a result."""
    views = [view for step in turn.steps for view in step.calls if view.call.name == name]
    return [view for view in views if view.result and not view.result.failed]


def searched_first(turn: Turn) -> bool | None:
    """Whether a search stands before the first calculation; None where there is none."""
    names = [view.call.name for step in turn.steps for view in step.calls]
    if "calculate" not in names:
        return None
    return "search_site" in names[: names.index("calculate")]


def facts(of: Summary) -> list[tuple[str, str]]:
    """A run's measures in words, each with its heading."""
    return [
        ("right or wrong", of.verdict),
        ("steps", f"{of.steps}"),
        ("seconds", f"{of.seconds:.1f}"),
        ("tokens in", wording.amount(of.tokens_in)),
        ("tokens out", wording.amount(of.tokens_out)),
        ("characters sent", f"{of.characters:,}"),
        ("cost", wording.amount(of.cost, dollars=True)),
        ("searched before calculating", yes_or_no(of.searched_first)),
        ("read before answering", yes_or_no(of.read_first)),
    ]


def yes_or_no(fact: bool | None) -> str:
    """A fact in a word; a dash where it does not apply."""
    return wording.UNKNOWN if fact is None else "yes" if fact else "no"


@dataclass(frozen=True, slots=True)
class Row:
    """Steps that stand at the same height."""

    steps: tuple[Step | None, ...]
    """One a column; None where a column has none here."""

    @property
    def keys(self) -> set[Key]:
        return {key for step in self.steps if step and (key := step_key(step))}


def aligned(columns: Sequence[Sequence[Step]]) -> list[Row]:
    """The steps of all columns in rows, in the order of each, and every one exactly once.

    Up to the first that differs, and with it, steps stand by their number; after that those
    that are the same stand at the same height, as many as the order allows.
    """
    head = together(columns) + 1
    rows = [Row(steps) for steps in zip_longest(*(column[:head] for column in columns))]
    rest = [column[head:] for column in columns]
    tail: list[Row] = []
    for place, steps in enumerate(rest):
        tail = merged(tail, place, steps, len(columns))
    return rows + tail


def merged(rows: Sequence[Row], place: int, steps: Sequence[Step], width: int) -> list[Row]:
    """The rows with one more column's steps; steps without a match fill the room between."""
    found: list[Row] = []
    row = step = 0
    for same_row, same_step in [*common(rows, steps), (len(rows), len(steps))]:
        between = zip_longest(rows[row:same_row], steps[step:same_step])
        found += [with_step(beside, place, own, width) for beside, own in between]
        if same_step < len(steps):
            found.append(with_step(rows[same_row], place, steps[same_step], width))
        row, step = same_row + 1, same_step + 1
    return found


def with_step(row: Row | None, place: int, step: Step | None, width: int) -> Row:
    """A row with a step in one of its columns; without a row, one with nothing else."""
    steps: list[Step | None] = list(row.steps) if row else [None] * width
    steps[place] = step or steps[place]
    return Row(tuple(steps))


def common(rows: Sequence[Row], steps: Sequence[Step]) -> list[tuple[int, int]]:
    """Places of a longest common subsequence: rows that hold the same step as one of `steps`."""
    row_keys, step_keys = [row.keys for row in rows], [step_key(step) for step in steps]
    same = [[key in keys for key in step_keys] for keys in row_keys]
    longest = [[0] * (len(steps) + 1) for _ in range(len(rows) + 1)]
    for i in reversed(range(len(rows))):
        for j in reversed(range(len(steps))):
            skipped = max(longest[i + 1][j], longest[i][j + 1])
            longest[i][j] = longest[i + 1][j + 1] + 1 if same[i][j] else skipped
    found, i, j = [], 0, 0
    while i < len(rows) and j < len(steps):
        if same[i][j]:
            found.append((i, j))
            i, j = i + 1, j + 1
        elif longest[i + 1][j] >= longest[i][j + 1]:
            i += 1
        else:
            j += 1
    return found
