"""`lab tool`: one tool call, as a model would make it."""

from __future__ import annotations

import sys

import click

from lab.cli.options import index_option, semantic_option
from lab.models.turns import read_call
from lab.prepare import open_index
from lab.tools.site import site_tools


@click.command()
@click.argument("name")
@click.argument("arguments", metavar="JSON_ARGS", default="")
@index_option
@semantic_option
def command(name: str, arguments: str, index_dir: str, semantic: bool | None) -> None:
    """Run tool NAME with JSON_ARGS and print exactly what a model would get.

    For example: lab tool calculate '{"expression": "2*32*8*128*2"}'. The tools are search_site,
    read_passage and calculate. Exit code 1 where the result is an error.
    """
    result = site_tools(open_index(index_dir, semantic)).run(read_call("call_1", name, arguments))
    click.echo(result.content)
    sys.exit(1 if result.failed else 0)
