"""Options that several commands share."""

from __future__ import annotations

import click

index_option = click.option(
    "--index",
    "index_dir",
    default="",
    metavar="DIR",
    help="Index to use, as `lab index` writes it. Without it: the sample site's.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
