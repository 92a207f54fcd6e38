"""Runs side by side in the terminal, or as JSON. Reads runs; starts none."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.live import Live
from rich.table import Table
from rich.text import Text

from lab import wording
from lab.cli.trace import under_way
from lab.compare import apart
from lab.compare.differing import differences
from lab.compare.known import Known
from lab.compare.parting import Parting, parting
from lab.compare.repeats import Repeats, Share, repeats
from lab.compare.summary import NAMES, Summary, facts, summary
from lab.run import Run
from lab.steps import turns
from lab.totals import Amount


class Comparison:
    """The runs of one question, a list for each column."""

    def __init__(self, question: str, known: Known | None, runs: Sequence[Sequence[Run]]) -> None:
        self.question, self.known = question, known
        self.names = NAMES[: len(runs)]
        self.columns: list[list[Summary]] = [
            [summary(run, known if not run.settings.index else None) for run in of] for of in runs
        ]
        self.repeats: list[Repeats] = [repeats(column) for column in self.columns]
        self.better: list[str] = apart.better(self.repeats)
        self.differences = differences([of[0].settings for of in runs], self.names)
        """What was set otherwise, in words."""
        steps = [turns(of[0].events)[-1].steps for of in runs]
        over = [of[0].turn_is_over() for of in runs]
        self.parting: Parting | None = parting(steps, over, self.names)
        """Where the first run of each column parts from the others'."""

    @property
    def repeated(self) -> bool:
        """True where any column has several runs."""
        return any(len(runs) > 1 for runs in self.columns)

    def as_dict(self) -> dict[str, Any]:
        """The comparison as the help of `lab compare` describes it."""
        return {
            "question": self.question,
            "known_answer": self.known.text if self.known else None,
            "parting": asdict(self.parting) if self.parting else None,
            "differences": self.differences,
            "better": self.better,
            "columns": [
                {
                    "name": name,
                    "model": runs[0].model,
                    "protocol": runs[0].protocol,
                    "runs": [run_dict(run) for run in runs],
                    "right": together.right.hits,
                    "judged": together.right.n,
                    "right_interval": interval(together.right),
                    "left_out": together.left_out,
                    "broken": together.broken,
                    "spreads": {key: asdict(one) for key, one in together.spreads.items()},
                }
                for name, runs, together in zip(self.names, self.columns, self.repeats, strict=True)
            ],
        }


def run_dict(run: Summary) -> dict[str, Any]:
    """A summary as JSON, without what its column says already."""
    values = asdict(run)
    for name in ("tokens_in", "tokens_out", "cost"):
        values[name] = amount_dict(getattr(run, name))
    return {name: value for name, value in values.items() if name not in ("model", "protocol")}


def interval(of: Share) -> list[float] | None:
    """The 95 % interval of a share as JSON; null where nothing is known."""
    return list(of.interval()) if of.n else None


def amount_dict(of: Amount) -> dict[str, Any]:
    """A sum as JSON: null where nothing is known, a lower bound where part of it is not."""
    return {"value": of.known, "lower_bound": bool(of.unknown), "estimated": of.estimated}


def print_comparison(console: Console, of: Comparison) -> None:
    """A table with a column a model, where they part, and the answers."""
    console.print(Text(wording.printable(of.question), style="bold"))
    for name, runs in zip(of.names, of.columns, strict=True):
        about = f"{name}  {runs[0].model}, {runs[0].protocol} tool calls, run {runs[0].run}"
        about += f" and {len(runs) - 1} more" if len(runs) > 1 else ""
        console.print(Text(about, style="dim"))
    if of.differences:
        console.print(Text("; ".join(of.differences)))
    console.print()
    console.print(table(of))
    console.print()
    console.print(Text(wording.one_line(parted(of)), style="bold"))
    for sentence in said_of(of):
        console.print(Text(sentence))
    for name, runs in zip(of.names, of.columns, strict=True):
        said = runs[0].answer or f"no answer: {runs[0].detail or runs[0].end or 'not ended'}"
        console.print()
        console.print(Text(f"{name}  ", style="bold").append(wording.printable(said), style=""))
        if runs[0].cut:
            console.print(Text(f"Left out of verdicts: {runs[0].cut}", style="bold red"))


def parted(of: Comparison) -> str:
    """Where they part; with repeats, where the first runs do."""
    said = f"{of.parting.sentence}." if of.parting else "They took the same steps."
    return said if not of.repeated else f"First runs: {said}"


def said_of(of: Comparison) -> list[str]:
    """What repeats allow to say of who does better."""
    return [] if not of.repeated else apart.told(of.repeats)


def table(of: Comparison) -> Table:
    """The measures, a row each; with repeats, medians with their intervals."""
    drawn = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    drawn.add_column("")
    for name in of.names:
        drawn.add_column(name, justify="right")
    for heading, cells in apart.table(of.repeats) if of.repeated else once(of):
        drawn.add_row(heading, *cells)
    return drawn


def once(of: Comparison) -> list[tuple[str, list[str]]]:
    """The measures of one run a column."""
    ends = [("outcome", runs[0].end or "not ended") for runs in of.columns]
    rows = [[end, *facts(runs[0])] for end, runs in zip(ends, of.columns, strict=True)]
    return [(row[0][0], [text for _, text in row]) for row in zip(*rows, strict=True)]


@dataclass(frozen=True, slots=True)
class Waiting:
    """What each of the runs is doing now, a line each."""

    runs: Sequence[Run]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for name, run in zip(NAMES, self.runs, strict=False):
            yield Text(f"{name}  {under_way(run)}", "dim", no_wrap=True, overflow="ellipsis")


def under_way_together(
    console: Console | None, runs: Sequence[Run]
) -> AbstractContextManager[object]:
    """Show what the runs are doing, where somebody looks on."""
    if console is None or not console.is_terminal:
        return nullcontext()
    return Live(Waiting(runs), console=console, transient=True, refresh_per_second=8)
