"""`lab compare`: one question, several models at the same time, and where they part."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache

import click
from rich.console import Console

from indexer.index import Index
from lab.cli.comparison import Comparison, print_comparison, under_way_together
from lab.cli.follow import EXIT, TICK_SECONDS
from lab.cli.options import index_option, max_seconds_option, max_steps_option
from lab.cli.presses import Presses
from lab.cli.terminal import console
from lab.cli.variant import SAVED, variant
from lab.compare.known import known_for
from lab.compare.summary import NAMES
from lab.models.catalog import open_model
from lab.models.model import Model
from lab.prepare import (
    Choice,
    InputError,
    checked_question,
    open_index,
    open_store,
    settings_for,
    start,
)
from lab.run import Run
from lab.runner import Runner
from lab.settings import Limits, Settings
from lab.steps import turns
from lab.store import Store
from lab.tools.site import site_tools
from lab.tools.toolbox import Toolbox

usual = Limits()
DEFAULT = ("scripted:careful", "scripted:hasty")
"""What is compared where no model is named: needs no key."""

JSON_KEYS = """
Keys of --json: question; known_answer, null where none is known; differences, a phrase for each
thing that was set otherwise; parting, the first runs' first difference as {step, sentence}, or
null; better, a sentence for each measure some do better in; columns, each {name, model, protocol,
runs, right, judged, right_interval, left_out, broken, spreads}; left_out had their prompt cut,
broken were stopped or failed, and neither counts. A run has run, end, detail, answer, verdict,
cut, steps, seconds, tokens_in, tokens_out, characters, cost, searched_first, read_first; amounts
are {value, lower_bound, estimated}. spreads has, for steps, seconds, tokens_in, tokens_out,
characters and cost, {n, median, low, high, estimated}; what is not known is null.
"""


@dataclass(slots=True)
class Column:
    """One model with its runs, or a saved run."""

    model: Model | None
    """None for a saved run, which stands as it is."""
    settings: Settings
    tools: Toolbox
    runs: list[Run] = field(default_factory=list)


@click.command(epilog=JSON_KEYS)
@click.argument("question")
@click.option(
    "-m",
    "--model",
    "models",
    multiple=True,
    default=DEFAULT,
    show_default=True,
    help="A model, named as for `lab ask`; give two to four. What is set for it alone may follow: "
    "-m 'MODEL protocol=react cache=on semantic=on system=FILE tool:NAME=FILE'; the last is "
    "a file with another description of that tool. run:ID is a saved run, as it is.",
)
@click.option(
    "--repeat",
    default=1,
    show_default=True,
    type=click.IntRange(1, 100),
    help="Ask each model so often. From 6 on, medians have intervals.",
)
@max_steps_option
@max_seconds_option
@index_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def command(  # noqa: PLR0913, PLR0917  one parameter an option
    question: str,
    models: tuple[str, ...],
    repeat: int,
    max_steps: int,
    max_seconds: float | None,
    index_dir: str,
    as_json: bool,
) -> None:
    """Ask QUESTION of several models at the same time, and see where they part.

    Exit code: 0 where all answered, else that of the worst, as for `lab ask`. Ctrl-C stops all
    runs. Every run is kept: see `lab runs`.
    """
    if not 2 <= len(models) <= len(NAMES):
        raise InputError(f"Compare two to four models; {len(models)} given with -m.")
    asked = checked_question(question)
    opened = cache(open_index)  # columns may search the same
    limits = Limits(max_steps, usual.tool_calls, seconds=max_seconds)
    store = open_store()
    columns = [
        saved(text.removeprefix(SAVED), asked, store)
        if text.startswith(SAVED)
        else column(text, limits, index_dir, opened)
        for text in models
    ]
    screen = console()
    for _ in range(repeat):
        with Presses() as presses:
            runners = begun(columns, store, asked)
            watch(runners, None if as_json else screen, presses)
        if presses.count:
            break
    known = known_for(asked) if not index_dir else None
    found = Comparison(asked, known, [each.runs for each in columns])
    if as_json:
        click.echo(json.dumps(found.as_dict(), ensure_ascii=False, indent=1))
    else:
        print_comparison(screen, found)
    sys.exit(max(exit_code(run) for each in columns for run in each.runs))


def saved(id: str, question: str, store: Store) -> Column:
    """A saved run of the same question. InputError for one of another."""
    run = store.load(id)
    asked = turns(run.events)[-1].question if run.turn() else ""
    if asked != question:
        raise InputError(f"Run {run.id} cannot be compared: it was asked {asked!r}.")
    return Column(None, run.settings, Toolbox([]), [run])


def column(text: str, limits: Limits, folder: str, opened: Callable[..., Index]) -> Column:
    """A model that is ready to be asked; `opened` is `open_index`."""
    of = variant(text)
    index = opened(folder, of.semantic)
    tools = site_tools(index)
    choice = Choice(of.model, of.protocol, of.cache, "", limits, folder, of.system, of.descriptions)
    return Column(
        open_model(of.model, os.environ, protocol=of.protocol, cache=of.cache),
        settings_for(choice, index, tools.schemas()),
        tools,
    )


def begun(columns: Sequence[Column], store: Store, question: str) -> list[Runner]:
    """Ask all models once, at the same time."""
    runners = []
    for each in (each for each in columns if each.model):
        run = start(store, each.settings, question)
        each.runs.append(run)
        runners.append(Runner(run, each.model, each.tools, each.settings.limits))
    return runners


def watch(runners: Sequence[Runner], console: Console | None, presses: Presses) -> None:
    """Wait until all are done. Ctrl-C stops them, a second one leaves them."""
    stopping = False
    with under_way_together(console, [runner.run for runner in runners]):
        while working := [runner.run for runner in runners if runner.working]:
            if presses.count and not stopping:
                stopping = True
                for runner in runners:
                    runner.stop()
            working[0].wait(len(working[0]), TICK_SECONDS)
    for runner in runners:
        if runner.error:
            raise runner.error


def exit_code(run: Run) -> int:
    """The exit code of one run."""
    end = run.end()
    return EXIT[end.reason] if end else 1
