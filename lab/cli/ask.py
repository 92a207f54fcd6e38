"""`lab ask`: a question, the trace as it happens, the answer last."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click
from click.core import ParameterSource

from lab.cli.follow import follow
from lab.cli.options import (
    Limit,
    index_option,
    max_seconds_option,
    max_steps_option,
    semantic_option,
)
from lab.models.catalog import PROTOCOLS, open_model
from lab.prepare import (
    Choice,
    InputError,
    checked_question,
    follow_up,
    open_index,
    open_store,
    settings_for,
    start,
)
from lab.settings import Limits
from lab.tools.site import site_tools

usual = Limits()


@click.command()
@click.argument("question")
@click.option(
    "-m",
    "--model",
    default="demo",
    envvar="LAB_MODEL",
    show_default=True,
    help="ENDPOINT/MODEL such as anthropic/claude-sonnet-5 or ollama/llama3.1:8b; demo (no key, "
    "a stand-in plays the model); scripted:careful, scripted:hasty or scripted:FILE.",
)
@click.option("--base-url", default="", metavar="URL", help="Another address for the endpoint.")
@click.option(
    "--protocol",
    default="auto",
    show_default=True,
    type=click.Choice(PROTOCOLS),
    help="How the model calls tools: native, or react, which is as JSON text. auto takes native "
    "unless the endpoint's entry or a probe says that the model cannot.",
)
@click.option(
    "--cache/--no-cache",
    default=False,
    show_default=True,
    help="Ask for the endpoint's prompt cache.",
)
@click.option(
    "--system",
    "system_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Another system prompt than the lab's own, from this file.",
)
@max_steps_option
@click.option(
    "--max-tool-calls",
    default=usual.tool_calls,
    show_default=True,
    type=Limit(whole=True),
    help="Tools run; none for no limit.",
)
@click.option("--max-tokens-in", type=Limit(whole=True), help="Input tokens of all steps together.")
@click.option("--max-cost", type=Limit(), metavar="USD", help="US dollars.")
@max_seconds_option
@index_option
@semantic_option
@click.option(
    "--follow",
    "followed",
    default="",
    metavar="RUN",
    help="Ask a further question in this saved run: its id, the beginning of it, or last. Model, "
    "prompts and limits stay those of the run.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one event a line and nothing else.")
def command(  # noqa: PLR0913, PLR0917  one parameter an option
    question: str,
    model: str,
    base_url: str,
    protocol: str,
    cache: bool,
    system_file: Path | None,
    max_steps: int,
    max_tool_calls: int | None,
    max_tokens_in: int | None,
    max_cost: float | None,
    max_seconds: float | None,
    index_dir: str,
    semantic: bool | None,
    followed: str,
    as_json: bool,
) -> None:
    """Ask QUESTION about the site and watch how the answer comes about.

    Exit code: 0 answered; 2 wrong use; 3 a limit; 4 refused, cut off or unreadable;
    5 the model could not be reached; 130 stopped. Keys are read from the endpoint's environment
    variable. The run is kept: see `lab runs`.
    """
    if followed:
        refuse_choices()
        sys.exit(ask_on(followed, question, as_json))
    limits = Limits(max_steps, max_tool_calls, max_tokens_in, max_cost, max_seconds)
    system = prompt_in(system_file) if system_file else ""
    choice = Choice(model, protocol, cache, base_url, limits, index_dir, system)
    asked = checked_question(question)
    playing = open_model(model, os.environ, base_url, protocol, cache)
    index = open_index(index_dir, semantic)
    tools = site_tools(index)
    store = open_store()
    run = start(store, settings_for(choice, index, tools.schemas()), asked)
    sys.exit(follow(run, playing, tools, index, as_json))


def ask_on(id: str, question: str, as_json: bool) -> int:
    """Ask a further question in a saved run; gives the exit code."""
    run = open_store().load(id)
    settings = run.settings
    model = open_model(
        settings.model, os.environ, settings.base_url, settings.protocol, settings.cache
    )
    index = open_index(settings.index, settings.semantic)
    follow_up(run, question, index)
    return follow(run, model, site_tools(index), index, as_json)


def refuse_choices() -> None:
    """InputError where something was chosen that a saved run has settled already."""
    context = click.get_current_context()
    for option in context.command.params:
        given = context.get_parameter_source(option.name or "")
        free = option.name in {"question", "followed", "as_json"}
        if given is ParameterSource.COMMANDLINE and not free:
            raise InputError(
                f"{option.opts[-1]} cannot be changed with --follow: what was said is sent again "
                "as it was, so the run keeps its model, prompts and limits. Leave it out, or ask "
                "anew without --follow."
            )


def prompt_in(file: Path, what: str = "system prompt") -> str:
    """The prompt in a file, `what` in an error. InputError where it cannot be read, or is empty."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise InputError(f"The {what} {file} cannot be read: {why}.") from error
    if not text.strip():
        raise InputError(f"The {what} {file} is empty.")
    return text
