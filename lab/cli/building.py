"""How `lab index` reads a folder: what is told meanwhile, and how it is stopped."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from indexer.again import update
from indexer.content import BuildReport
from indexer.settings import Settings
from lab.cli.crawling import EVERY, STOPPED


def built(source: Path, out: Path, settings: Settings, processes: int) -> BuildReport:
    """Bring the index in `out` up to date; ends the process when it is stopped.

    Raises IndexerError where the source cannot be read, or the index not be written.
    """
    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        Rate(),
        TimeRemainingColumn(compact=True),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bar:
        telling = Telling(bar)
        try:
            return update(source, out, settings, telling.progress, processes)
        except KeyboardInterrupt:
            bar.stop()
            click.echo(
                f"lab: Stopped. {telling.done:,} of {telling.total:,} pages are read and kept, and "
                "the index is as it was. The same command goes on from there.",
                err=True,
            )
            sys.exit(STOPPED)


class Telling:
    """Tells on stderr how far the reading is: in place on a terminal, else a line now and then."""

    def __init__(self, bar: Progress) -> None:
        self._bar, self._task = bar, bar.add_task("reading pages", total=None)
        self._told = time.monotonic()
        self.done = self.total = 0

    def progress(self, done: int, total: int) -> None:
        """Tell pages read, of how many."""
        self.done, self.total = done, total
        if not self._bar.disable:
            what = "writing the index" if done == total else "reading pages"
            self._bar.update(self._task, description=what, completed=done, total=total)
        elif time.monotonic() - self._told >= EVERY:
            self._told = time.monotonic()
            click.echo(f"{done:,} of {total:,} pages read", err=True)


class Rate(ProgressColumn):
    """Pages a second."""

    def render(self, task: Task) -> Text:
        """Return the rate; nothing while there is none."""
        return Text(f"{task.speed:,.0f} a second" if task.speed else "")
