"""`lab search-eval`: measures of the search on questions whose evidence is known."""

from __future__ import annotations

import json
from pathlib import Path

import click

from indexer.collection import read_collection
from indexer.evaluate import Evaluation, evaluate, measure
from indexer.index import Index
from indexer.questions import read_questions
from indexer.settings import Settings
from lab.cli.options import index_option, json_option, semantic_option
from lab.prepare import InputError, open_index


@click.command()
@click.argument("questions", type=Path)
@index_option
@click.option("--engine", default="", help="Engine to search a test collection with.")
@semantic_option
@json_option
def command(
    questions: Path, index_dir: str, engine: str, semantic: bool | None, as_json: bool
) -> None:
    """Search for each question of the file QUESTIONS (JSON lines) as it is worded.

    Counts where a passage of an evidence section comes first; intervals are 95 % bootstrap.
    QUESTIONS may also be the folder of a test collection, with documents of its own:
    corpus.jsonl.gz, queries.tsv and qrels.txt.
    """
    if engine and not questions.is_dir():
        raise InputError(
            "--engine is for a test collection. An index has the engine that it was built with: "
            "lab index SOURCE --out DIR --engine NAME."
        )
    if questions.is_dir():
        found = of_collection(questions, Settings(engine=engine, semantic=bool(semantic)))
    else:
        index = open_index(index_dir, semantic)
        asked = read_questions(questions)
        found = evaluate(index, asked)
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


def of_collection(folder: Path, settings: Settings) -> Evaluation:
    """The measures of the search on a test collection."""
    content, judged = read_collection(folder, settings)
    return measure(Index(content), judged)
