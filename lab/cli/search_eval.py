"""`lab search-eval`: measures of the search on questions whose evidence is known."""

from __future__ import annotations

import json
from pathlib import Path

import click

from indexer.evaluate import evaluate
from indexer.questions import read_questions
from lab.cli.options import index_option, json_option
from lab.prepare import open_index


@click.command()
@click.argument("questions", type=Path)
@index_option
@json_option
def command(questions: Path, index_dir: str, as_json: bool) -> None:
    """Search for each question of the file QUESTIONS (JSON lines) as it is worded.

    Counts where a passage of an evidence section comes first; intervals are 95 % bootstrap.
    """
    found = evaluate(open_index(index_dir), read_questions(questions))
    measures = found.as_dict()
    if as_json:
        click.echo(json.dumps(measures, ensure_ascii=False, indent=1))
        return
    click.echo(f"{found.n} questions with evidence, {found.left_out} without it left out\n")
    click.echo(f"{'measure':10}  value  95 % interval")
    for name, value in measures.items():
        if isinstance(value, dict):
            click.echo(
                f"{name:10}  {value['value']:.3f}  {value['low']:.3f} to {value['high']:.3f}"
            )
    click.echo(f"\nNot among the first 5: {len(found.misses) or 'none'}")
    for miss in found.misses:
        click.echo(f"  {miss.id}: {miss.question}")
        click.echo(f"    wanted {', '.join(miss.wanted)}")
        click.echo(f"    found  {', '.join(miss.found) or 'nothing'}")
