"""Follow a run in the terminal until it ends: as a trace or as JSON lines, with Ctrl-C as Stop."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.live import Live

from lab.changed import changed
from lab.cli.presses import STOPPED, Presses
from lab.cli.trace import Trace, Waiting
from lab.codec import json_line
from lab.events import ConsentGiven, End
from lab.loop import NeedConsent, next_need
from lab.messages import ToolCall
from lab.models.model import Model
from lab.run import Run
from lab.runner import Runner
from lab.tools.toolbox import Toolbox
from lab.wording import asked

if TYPE_CHECKING:
    from indexer.index import Index

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

PIPE_WIDTH = 100
TICK_SECONDS = 0.1


def follow(run: Run, model: Model, tools: Toolbox, index: Index, as_json: bool) -> int:
    """Advance the run to its end while showing it; returns the exit code."""
    limits = run.settings.limits
    reader = JsonLines() if as_json else Terminal(index)
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


class Terminal:
    """A trace for a person."""

    def __init__(self, index: Index) -> None:
        self._console = Console(highlight=False)
        if not self._console.is_terminal:
            self._console.width = PIPE_WIDTH
        self._index = index
        self._trace = Trace(self._console, index.get)

    def start(self, run: Run) -> None:
        self._trace.start(run, changed(run.settings, self._index))

    def update(self, run: Run) -> None:
        self._trace.update(run)

    def finish(self, run: Run) -> None:
        self._trace.finish(run)

    def live(self, run: Run) -> Any:
        if not self._console.is_terminal:
            return nullcontext()
        return Live(Waiting(run), console=self._console, transient=True, refresh_per_second=8)

    def consent(self, call: ToolCall) -> bool:
        """Ask the person; without one, the call is not approved."""
        if not self._console.is_terminal:
            return False
        return click.confirm(f"The model wants to run: {asked(call)}. Run it?", default=False)
