"""`lab probe`: what a model at an endpoint can do, as a card that is kept."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict, replace

import click

from lab import wording
from lab.cli.options import json_option
from lab.models.card import Card, keep
from lab.models.catalog import find, key_for
from lab.models.endpoints import checked_address
from lab.models.findings import findings
from lab.models.probe import LARGEST, Probe, ProbeWatch, most_used
from lab.prices import FREE, cost_of


@click.command()
@click.argument("model")
@click.option("--base-url", default="", metavar="URL", help="Another address for the endpoint.")
@click.option(
    "--max-context",
    default=LARGEST,
    show_default=True,
    type=click.IntRange(1_000, 2_000_000),
    help="Tokens of the largest prompt to try.",
)
@click.option("--yes", is_flag=True, help="Do not ask before spending money.")
@json_option
def command(model: str, base_url: str, max_context: int, yes: bool, as_json: bool) -> None:
    """Ask MODEL (ENDPOINT/MODEL) a few small things and print what it can do.

    Is it reachable, does it call tools, also several at once, does it count tokens, can its output
    be kept to JSON, how much context does it really take. The card is kept, and shown beside later
    runs of that model. Exit code 5 where it cannot be reached.
    """
    endpoint, name = find(model)
    if base_url:
        endpoint = replace(endpoint, base_url=checked_address(base_url))
    key = key_for(endpoint, os.environ)
    cost = FREE if endpoint.free else cost_of(endpoint.name, name, most_used(max_context))
    if not yes and cost.usd != 0:
        price = "an unknown sum" if cost.usd is None else f"at most {wording.money(cost.usd)}"
        click.confirm(f"Probing {model} may cost {price}. Go on?", abort=True, err=True)
    probe = Probe(model, endpoint, key, ProbeWatch())
    card = probe.card(max_context, lambda doing: click.echo(doing, err=True))
    path = keep(card)
    if as_json:
        click.echo(json.dumps(asdict(card), indent=1))
    else:
        show(card)
        click.echo(f"\nKept in {path}" if path else "\nNot kept: nothing was found out.")
    sys.exit(0 if card.reachable else 5)


def show(card: Card) -> None:
    """The card as a table."""
    rows = [("model", f"{card.model} at {card.base_url}"), *findings(card)]
    for name, value in rows:
        click.echo(f"{name:17} {wording.one_line(value)}")
