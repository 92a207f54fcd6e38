"""`lab runs fork`: a saved run with one event changed, run on from there."""

from __future__ import annotations

import os
import sys
from typing import TextIO

import click

from lab.cli.follow import follow
from lab.events import Asked
from lab.forks.edits import (
    Edit,
    EditError,
    NewAnswer,
    NewArguments,
    NewDescription,
    NewModel,
    NewQuestion,
    NewResult,
    NewSystem,
)
from lab.forks.forking import begin, planned
from lab.models.catalog import PROTOCOLS, open_model
from lab.prepare import open_index, open_store
from lab.run import Run
from lab.steps import turns
from lab.tools.site import site_tools
from lab.wording import one_line

ONE = "Give one edit: --result, --arguments, --answer, --question, --system, --description, "
ONE += "--model."


@click.command()
@click.argument("id")
@click.option(
    "--at",
    type=click.IntRange(0),
    metavar="EVENT",
    help="The event that is changed, by the number that `lab runs replay ID` shows. Without it: "
    "the first question, or the start.",
)
@click.option("--result", type=click.File(encoding="utf-8"), help="Another result of a tool.")
@click.option("--error", is_flag=True, help="The result is an error.")
@click.option("--arguments", metavar="JSON", help="Other arguments of a call, as a JSON object.")
@click.option("--call", default="", metavar="CALL", help="Its id, where a reply makes several.")
@click.option("--answer", type=click.File(encoding="utf-8"), help="Another answer.")
@click.option("--question", metavar="TEXT", help="Another question.")
@click.option("--system", type=click.File(encoding="utf-8"), help="Another system prompt.")
@click.option("--description", nargs=2, metavar="TOOL TEXT", help="Another description of a tool.")
@click.option("-m", "--model", help="Another model, from event 0 or a request on.")
@click.option(
    "--protocol", default="auto", show_default=True, type=click.Choice(PROTOCOLS), help="Its calls."
)
@click.option("--base-url", default="", metavar="URL", help="Another address for its endpoint.")
@click.option("--json", "as_json", is_flag=True, help="Print one event a line and nothing else.")
def fork(  # noqa: PLR0913, PLR0917  one parameter an option
    id: str,
    at: int | None,
    result: TextIO | None,
    error: bool,
    arguments: str | None,
    call: str,
    answer: TextIO | None,
    question: str | None,
    system: TextIO | None,
    description: tuple[str, str] | None,
    model: str | None,
    protocol: str,
    base_url: str,
    as_json: bool,
) -> None:
    """Edit one event of run ID and run on from there, as a new run; exit codes as for `lab ask`.

    What came before is taken over as it was; what follows is run anew, the tools for real. A FILE
    may be - for standard input. To see where the two part, open both on the page Compare.
    """
    parent = open_store().load(id)
    edits: list[Edit] = []
    if result:
        edits.append(NewResult(text_of(result), error))
    if arguments is not None:
        edits.append(NewArguments(arguments, call))
    if answer:
        edits.append(NewAnswer(text_of(answer)))
    if question is not None:
        edits.append(NewQuestion(question))
    if system:
        edits.append(NewSystem(text_of(system)))
    if description:
        edits.append(NewDescription(*description))
    if model is not None:
        edits.append(NewModel(model, protocol, base_url))
    if len(edits) != 1:
        raise click.UsageError(ONE)
    [edit] = edits
    run_on(parent, usual_place(parent, edit) if at is None else at, edit, as_json)


def run_on(parent: Run, seq: int, edit: Edit, as_json: bool) -> None:
    """Run the fork to its end while showing it; leaves with its exit code."""
    index = open_index(parent.settings.index, parent.settings.semantic)
    plan = planned(parent, seq, edit, index)
    settings = plan.settings
    playing = open_model(
        settings.model, os.environ, settings.base_url, settings.protocol, settings.cache
    )
    run = begin(open_store(), plan)
    if not as_json:
        say_before_steps(run)
    sys.exit(follow(run, playing, site_tools(index), index, as_json))


def usual_place(parent: Run, edit: Edit) -> int:
    """Where a change is made if nobody says: at the start, or the first question."""
    if isinstance(edit, NewSystem | NewDescription | NewModel):
        return 0
    asked = (entry.seq for entry in parent.recorded if isinstance(entry.event, Asked))
    if isinstance(edit, NewQuestion) and (seq := next(asked, None)) is not None:
        return seq
    raise EditError(f"Say at which event: --at. `lab runs replay {parent.id}` numbers them.")


def say_before_steps(run: Run) -> None:
    """Print the notices that stand before the first step, which the trace leaves out."""
    for notice in turns(run.events)[-1].notices:
        click.echo(f"{notice.about}: {one_line(notice.text)}")


def text_of(file: TextIO) -> str:
    """What a file holds; its last line break is the file's, not the text's."""
    try:
        return file.read().removesuffix("\n")
    except UnicodeDecodeError as error:
        raise EditError(f"{file.name} is not UTF-8: {error}.") from error
