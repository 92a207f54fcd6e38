"""`lab runs`: saved runs, listed, shown, exported, resumed, replayed, forked."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import click
from rich.table import Table
from rich.text import Text

from lab import wording
from lab.cli.follow import follow
from lab.cli.fork import fork, say_before_steps
from lab.cli.options import json_option
from lab.cli.replay import show_replay
from lab.cli.terminal import Terminal, console
from lab.codec import json_line
from lab.html.page import exported
from lab.models.catalog import open_model
from lab.prepare import InputError, open_index, open_store, reopen
from lab.rows import RunRow
from lab.run import Run
from lab.tools.site import site_tools


@click.group()
def command() -> None:
    """List, show, export, resume, replay and fork saved runs.

    ID may be a unique beginning, or `last`.
    """


command.add_command(fork)


@command.command("list")
@click.option(
    "--limit", default=20, show_default=True, type=click.IntRange(1, 1_000_000), help="Newest runs."
)
@json_option
def list_runs(limit: int, as_json: bool) -> None:
    """Print the newest runs, newest first; ↳ marks a fork of another one."""
    rows = open_store().rows(limit)
    if as_json:
        click.echo(json.dumps([as_dict(row) for row in rows], ensure_ascii=False, indent=1))
        return
    if not rows:
        click.echo("No runs yet. `lab ask QUESTION` makes one.")
        return
    screen = console()
    table = Table(box=None, padding=(0, 1, 0, 0), expand=True)
    table.add_column("id", no_wrap=True, min_width=16)
    table.add_column("question", no_wrap=True, overflow="ellipsis", ratio=1)
    table.add_column("model", overflow="fold", max_width=24)
    table.add_column("started", no_wrap=True)
    table.add_column("end", no_wrap=True)
    for name in ("steps", "in", "out", "cost"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        tokens_in, tokens_out, cost = row.amounts()
        table.add_row(
            row.id,
            Text(("↳ " if row.parent else "") + wording.one_line(row.question)),
            Text(row.model),
            row.started[5:16].replace("T", " "),
            row.reason or "not ended",
            str(row.steps),
            wording.amount(tokens_in),
            wording.amount(tokens_out),
            wording.amount(cost, dollars=True),
        )
    screen.print(table)


@command.command()
@click.argument("id")
def show(id: str) -> None:
    """Print the trace of run ID as it was."""
    run = open_store().load(id)
    terminal = Terminal(open_index(run.settings.index))
    if run.turn():
        say_before_steps(run)
        terminal.start(run)
        terminal.finish(run)
    else:
        click.echo(f"Run {run.id} holds no question.")


@command.command()
@click.argument("id")
@click.option(
    "--html",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a page that needs no server to this file instead.",
)
def export(id: str, file: Path | None) -> None:
    """Print the events of run ID, one a line, each with seq, at and kind.

    With --html, write the trace and all that was sent as one HTML file that loads nothing.
    """
    run = open_store().load(id)
    if file:
        write_page(run, file)
        return
    for entry in run.recorded:
        click.echo(json_line(entry))


def write_page(run: Run, file: Path) -> None:
    """Write the run's page, and say where; without its index, without links to sources."""
    html, fault = exported(run)
    if fault:
        click.echo(f"Its sources cannot be shown: {fault}", err=True)
    try:
        file.write_bytes(html)
    except OSError as error:
        said = f"{file} cannot be written: {error.strerror}. Name another file."
        raise InputError(said) from error
    click.echo(f"Run {run.id} is in {file}.")


@command.command()
@click.argument("id")
@click.option("--json", "as_json", is_flag=True, help="Print one event a line and nothing else.")
def resume(id: str, as_json: bool) -> None:
    """Go on with run ID where it stands; exit codes as for `lab ask`.

    Nothing that was recorded is done or paid for again. Limits start afresh.
    """
    run = open_store().load(id)
    settings = run.settings
    model = open_model(
        settings.model, os.environ, settings.base_url, settings.protocol, settings.cache
    )
    index = open_index(settings.index, settings.semantic)
    if why_not := reopen(run, index):
        raise InputError(f"Run {run.id} cannot be resumed: {why_not} `lab runs show {run.id}`.")
    sys.exit(follow(run, model, site_tools(index), index, as_json))


@command.command()
@click.argument("id")
def replay(id: str) -> None:
    """Check that run ID asks for the same things in the same order; exit 1 where it does not.

    Nothing is run and nothing is sent: what was recorded is compared with what is needed.
    """
    run = open_store().load(id)
    sys.exit(show_replay(run))


def as_dict(row: RunRow) -> dict[str, Any]:
    """A run with the keys that scripts depend on. Unknown is null, never 0."""
    return {
        "id": row.id,
        "question": row.question,
        "model": row.model,
        "started": row.started,
        "ended": row.ended,
        "end": row.reason,
        "steps": row.steps,
        "tokens_in": row.tokens_in,
        "tokens_out": row.tokens_out,
        "tokens_estimated": bool(row.tokens_estimated),
        "cost": row.cost,
        "model_calls": row.model_calls,
        "tokens_unknown_calls": row.tokens_unknown,
        "cost_unknown_calls": row.cost_unknown,
        "parent": row.parent,
        "parent_seq": row.parent_seq,
    }
