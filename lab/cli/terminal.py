"""A run for a person: its trace as it happens, and a question before a tool that has effects."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.live import Live

from lab.changed import changed
from lab.cli.trace import Trace, Waiting
from lab.messages import ToolCall
from lab.run import Run
from lab.wording import asked

if TYPE_CHECKING:
    from indexer.index import Index

PIPE_WIDTH = 100
"""Columns where there is no terminal."""


def console() -> Console:
    """Where people read, as wide as their terminal."""
    made = Console(highlight=False)
    if not made.is_terminal:
        made.width = PIPE_WIDTH
    return made


class Terminal:
    """A trace for a person."""

    def __init__(self, index: Index) -> None:
        self._console = console()
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
