"""Options that several commands share."""

from __future__ import annotations

import click

from lab.settings import Limits

index_option = click.option(
    "--index",
    "index_dir",
    default="",
    metavar="DIR",
    help="Index to use, as `lab index` writes it. Without it: the sample site's.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
usual = Limits()

max_steps_option = click.option(
    "--max-steps", default=usual.steps, show_default=True, type=click.IntRange(1, 1000)
)
max_seconds_option = click.option(
    "--max-seconds",
    default=usual.seconds,
    show_default=True,
    type=click.FloatRange(0, min_open=True),
    help="Model, waiting and tool time of a run together.",
)
