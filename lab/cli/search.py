"""`lab search`: what the search finds, and why."""

from __future__ import annotations

import json
from typing import Any

import click

from indexer.index import Hit, Index
from lab.cli.options import index_option, json_option, semantic_option
from lab.prepare import InputError, open_index
from lab.wording import one_line


@click.command()
@click.argument("query")
@index_option
@semantic_option
@click.option("--limit", default=5, show_default=True, type=click.IntRange(1, 1000))
@click.option("--explain", is_flag=True, help="Add what each term gives to the score.")
@json_option
def command(  # noqa: PLR0913, PLR0917  one parameter an option
    query: str, index_dir: str, semantic: bool | None, limit: int, explain: bool, as_json: bool
) -> None:
    """Print the passages that match QUERY best."""
    if not query.strip():
        raise InputError("The query is empty. Give a few words to look for.")
    index = open_index(index_dir, semantic)
    hits = index.search(query, limit)
    found = [as_dict(index, query, hit, explain) for hit in hits]
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False, indent=1))
        return
    for hit in found:
        click.echo(f"{hit['score']:6.2f}  {hit['id']}")
        click.echo(f"        {one_line(' / '.join([hit['title'], *hit['headings']]))}")
        click.echo(f"        {one_line(hit['snippet'])}")
        if explain:
            shares = ", ".join(f"{term} {share:.2f}" for term, share in hit["terms"].items())
            click.echo(f"        {shares}")
    if not found:
        click.echo("Nothing found: no passage holds any of these words.")


def as_dict(index: Index, query: str, hit: Hit, explain: bool) -> dict[str, Any]:
    """A hit with the keys that scripts depend on."""
    passage = hit.passage
    row: dict[str, Any] = {
        "id": passage.id,
        "score": round(hit.score, 4),
        "title": passage.title,
        "headings": list(hit.headings),
        "url": passage.url,
        "snippet": hit.snippet,
    }
    if explain:
        row["terms"] = {t: round(share, 4) for t, share in index.explain(query, passage.id)}
    return row
