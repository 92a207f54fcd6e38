"""`lab index`: a folder of articles to an index on disk."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from indexer.index import Index
from lab.prepare import InputError


@click.command()
@click.argument("source")
@click.option(
    "--out", required=True, metavar="DIR", type=Path, help="Folder to write the index to."
)
def command(source: str, out: Path) -> None:
    """Cut the articles in folder SOURCE into passages, index them, and write both to DIR.

    A fault in a page is one warning on stderr; the page is indexed all the same.
    """
    if source.startswith(("http://", "https://")):
        raise InputError(
            f"{source} is an address, and only folders of Markdown are read so far. "
            "Give the folder that the site is made from."
        )
    counting = sys.stderr.isatty()
    index, report = Index.build(Path(source), on_progress=show_progress if counting else None)
    index.save(out)
    if counting:
        click.echo("\r\033[K", nl=False, err=True)
    for fault in report.faults:
        click.echo(f"warning: {fault}", err=True)
    click.echo(
        f"{report.pages:,} pages, {report.passages:,} passages, {report.words:,} words, "
        f"{len(report.faults):,} warnings, {report.seconds:.1f} seconds"  # scripts read this line
    )


def show_progress(done: int, total: int) -> None:
    """Count pages in place, on a terminal."""
    click.echo(f"\rreading page {done:,} of {total:,}", nl=False, err=True)
