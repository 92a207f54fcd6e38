"""The `lab` command. Each subcommand lives in a module of its own, loaded when it is called."""

from __future__ import annotations

import gc
import os
import sys
from importlib import import_module
from io import TextIOWrapper

import click

from indexer.errors import IndexerError
from lab.errors import LabError

COMMANDS = {
    "ask": "Ask a question about a site and watch how the answer comes about.",
    "compare": "Ask several models the same question and see where they part.",
    "search": "Search a site as the search_site tool does.",
    "tool": "Run one tool and print what a model would get.",
    "index": "Cut a folder of articles into passages and index them.",
    "search-eval": "Measure the search on questions whose evidence is known.",
    "probe": "Find out what a model at an endpoint can do.",
    "runs": "List, show, export, resume, replay and fork saved runs.",
    "app": "Serve the page on this machine.",
}


class Lazy(click.Group):
    """A group whose commands are imported when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        gc.disable()  # all that is loaded stays; to look it through takes a tenth of the loading
        module = import_module(f"lab.cli.{cmd_name.replace('-', '_')}")
        gc.freeze()
        gc.enable()
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="site-agent-lab", prog_name="lab")
def command() -> None:
    """A lab for asking a site's articles through a bare agent loop, with nothing hidden.

    Without a key, `lab ask QUESTION` runs the real tools with a stand-in for the model.
    """


def main() -> None:
    """Entry point: errors for people become one line, whatever they are."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # an encoding without "→" must not end a run
            stream.reconfigure(errors="replace")
    try:
        command(prog_name="lab", standalone_mode=True)
    except BrokenPipeError:  # whoever read our output has gone, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except (LabError, IndexerError) as error:
        fail(str(error), 2)
    except Exception as error:
        if os.environ.get("LAB_DEBUG"):
            raise
        fail(f"{type(error).__name__}: {error} (LAB_DEBUG=1 shows where)", 1)


def fail(said: str, code: int) -> None:
    """One line on stderr, and the exit code."""
    print(f"lab: {' '.join(said.split())}", file=sys.stderr)
    sys.exit(code)
