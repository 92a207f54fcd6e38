"""Options that several commands share."""

from __future__ import annotations

import click

from lab.bounds import is_limit
from lab.places import INDEX
from lab.settings import Limits


class Limit(click.ParamType[float | None]):
    """A number above 0, or `none`."""

    def __init__(self, whole: bool = False) -> None:
        self._whole = whole
        self.name = "number"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float | None:
        text = str(value)
        if text.casefold() == "none":
            return None
        try:
            number = int(text) if self._whole else float(text)
        except ValueError:
            number = 0
        if not is_limit(number, self._whole):
            kind = "a whole number" if self._whole else "a number"
            self.fail(f"{text!r} is not {kind} above 0; `none` sets no limit.", param, ctx)
        return number


index_option = click.option(
    "--index",
    "index_dir",
    default="",
    metavar="DIR",
    envvar=INDEX,
    help="Index to use, as `lab index` writes it. Without it: that of LAB_INDEX, or else the "
    "sample site's.",
)
semantic_option = click.option(
    "--semantic/--no-semantic",
    default=None,
    help="Find by meaning too, or not; needs the extra `semantic`. Without it: as the index was "
    "built, and the sample site's by terms alone.",
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
    type=Limit(),
    metavar="SECONDS",
    help="Model, waiting and tool time of a run together; none for no limit.",
)
