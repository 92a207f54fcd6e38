"""How `lab index` reads a site from its address: what is told meanwhile, and how it is stopped."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

import click

from indexer.crawl.crawl import Options, crawl
from indexer.crawl.polite import Manners
from indexer.faults import Fault

AGENT = f"site-agent-lab/{version('site-agent-lab')}"
"""How a site is told who asks."""
FOLDER = "crawl"
"""Where the pages are kept, in the folder of the index."""
EVERY = 10.0
"""Seconds between two lines that say how far it is, where there is no terminal."""
STOPPED = 130
"""What a process ends with that Ctrl-C stopped."""


def _on_terminal() -> bool:
    return sys.stderr.isatty()


@dataclass(slots=True)
class Telling:
    """Tells on stderr how far the reading is: in place on a terminal, else a line now and then."""

    in_place: bool = field(default_factory=_on_terminal)
    faults: list[Fault] = field(default_factory=list)
    pages: int = 0
    told: float = field(default_factory=time.monotonic)

    def warn(self, fault: Fault) -> None:
        """Tell a fault at once."""
        self.faults.append(fault)
        self.clear()
        click.echo(f"warning: {fault}", err=True)

    def progress(self, pages: int, left: int, rate: float) -> None:
        """Tell pages read, addresses left, and the rate."""
        self.pages = pages
        said = f"{pages:,} pages read, {left:,} addresses left, {rate:.1f} requests a second"
        if self.in_place:
            click.echo(f"\r\033[K{said}", nl=False, err=True)
        elif time.monotonic() - self.told >= EVERY:
            self.told = time.monotonic()
            click.echo(said, err=True)

    def clear(self) -> None:
        """Take away what is told in place."""
        if self.in_place:
            click.echo("\r\033[K", nl=False, err=True)


def crawled(
    address: str, out: Path, max_pages: int, rate: float, agent: str
) -> tuple[Path, list[Fault]]:
    """Return the folder with the pages of a site, and what was wrong with them.

    Raises IndexerError where the site cannot be read; ends the process when it is stopped.
    """
    telling = Telling()
    folder = out / FOLDER
    try:
        options = Options(Manners(agent, rate), max_pages)
        crawl(address, folder, options, telling.warn, telling.progress)
    except KeyboardInterrupt:
        telling.clear()
        click.echo(
            f"lab: Stopped. {telling.pages:,} pages are kept in {folder}, and the index is as it "
            "was. The same command goes on from there.",
            err=True,
        )
        sys.exit(STOPPED)
    finally:
        telling.clear()
    return folder, telling.faults
