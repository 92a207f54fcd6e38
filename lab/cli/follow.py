"""Follow a run in the terminal until it ends: as a trace or as JSON lines, with Ctrl-C as Stop."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import click

from lab.cli.presses import STOPPED, Presses
from lab.codec import json_line
from lab.events import ConsentGiven, End
from lab.loop import NeedConsent, next_need
from lab.messages import ToolCall
from lab.models.model import Model
from lab.run import Run
from lab.runner import Runner
from lab.tools.toolbox import Toolbox

if TYPE_CHECKING:
    from indexer.index import Index
    from lab.cli.terminal import Terminal

EXIT: dict[End, int] = {
    "answered": 0,
    "step limit": 3,
    "tool limit": 3,
    "token limit": 3,
    "money limit": 3,
    "time limit": 3,
    "refused": 4,
    "cut off": 4,
    "format": 4,
    "failed": 5,
    "stopped": STOPPED,
}
"""Exit codes by how the question ended; scripts depend on them."""

TICK_SECONDS = 0.1


def follow(run: Run, model: Model, tools: Toolbox, index: Index, as_json: bool) -> int:
    """Advance the run to its end while showing it; returns the exit code."""
    limits = run.settings.limits
    reader = JsonLines() if as_json else in_terminal(index)
    reader.start(run)
    while True:
        with Presses() as presses:
            runner = Runner(run, model, tools, limits)
            watch(runner, reader, presses)
        if runner.error:
            raise runner.error
        need = next_need(run, tools, limits)
        if not isinstance(need, NeedConsent):
            break
        run.record(ConsentGiven(need.call.id, reader.consent(need.call)))
    reader.finish(run)
    end = run.end()
    return EXIT[end.reason] if end else 1


def watch(runner: Runner, reader: JsonLines | Terminal, presses: Presses) -> None:
    """Show what happens until the runner is done. Ctrl-C stops the run, a second one leaves it."""
    stopping = False
    with reader.live(runner.run):
        while True:
            working = runner.working
            seen = len(runner.run)
            reader.update(runner.run)
            if not working:
                return
            if presses.count and not stopping:
                stopping = True
                runner.stop()
            runner.run.wait(seen, TICK_SECONDS)


def in_terminal(index: Index) -> Terminal:
    """A trace for a person."""
    # Imported here: what draws it takes a tenth of a command's start, and a mistake needs none.
    from lab.cli.terminal import Terminal  # noqa: PLC0415

    return Terminal(index)


class JsonLines:
    """One event a line, and nothing else."""

    def __init__(self) -> None:
        self._printed = 0

    def start(self, run: Run) -> None:
        self.update(run)

    def update(self, run: Run) -> None:
        for entry in run.recorded[self._printed :]:
            click.echo(json_line(entry))
            self._printed += 1

    def finish(self, run: Run) -> None:
        self.update(run)

    def live(self, run: Run) -> Any:
        return nullcontext()

    def consent(self, call: ToolCall) -> bool:
        """Nobody can be asked, so nobody approved."""
        return False
