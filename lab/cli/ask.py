"""`lab ask`: a question, the trace as it happens, the answer last."""

from __future__ import annotations

import os
import sys

import click

from lab.cli.follow import follow
from lab.cli.options import index_option, max_seconds_option, max_steps_option
from lab.models.catalog import PROTOCOLS, open_model
from lab.prepare import Choice, checked_question, open_index, open_store, settings_for, start
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
@click.option("--cache", is_flag=True, help="Ask for the endpoint's prompt cache.")
@max_steps_option
@click.option("--max-tokens-in", type=click.IntRange(1), help="Input tokens of all steps together.")
@click.option(
    "--max-cost", type=click.FloatRange(0, min_open=True), metavar="USD", help="US dollars."
)
@max_seconds_option
@index_option
@click.option("--json", "as_json", is_flag=True, help="Print one event a line and nothing else.")
def command(  # noqa: PLR0913, PLR0917  one parameter an option
    question: str,
    model: str,
    base_url: str,
    protocol: str,
    cache: bool,
    max_steps: int,
    max_tokens_in: int | None,
    max_cost: float | None,
    max_seconds: float | None,
    index_dir: str,
    as_json: bool,
) -> None:
    """Ask QUESTION about the site and watch how the answer comes about.

    Exit code: 0 answered; 2 wrong use; 3 a limit; 4 refused, cut off or unreadable;
    5 the model could not be reached; 130 stopped. Keys are read from the endpoint's environment
    variable. The run is kept: see `lab runs`.
    """
    limits = Limits(max_steps, usual.tool_calls, max_tokens_in, max_cost, max_seconds)
    choice = Choice(model, protocol, cache, base_url, limits, index_dir)
    asked = checked_question(question)
    playing = open_model(model, os.environ, base_url, protocol, cache)
    index = open_index(index_dir)
    tools = site_tools(index)
    store = open_store()
    run = start(store, settings_for(choice, index, tools.schemas()), asked)
    sys.exit(follow(run, playing, tools, index, as_json))
