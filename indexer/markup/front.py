"""Expressions that a page's own front matter answers are written as what it says."""

import re
from collections.abc import Mapping
from typing import Any

from indexer.markup.marks import literal

PATH = r"(?P<path>[A-Za-z_$][\w$]*(?:\.[\w$]+|\[\d+\])*)"
"""Leads to a value: `author.name`, `tags[0]`."""
_STEP = re.compile(r"[\w$]+")


def filled(text: str, values: Mapping[str, Any], expression: re.Pattern[str]) -> str:
    """Write what each expression means; one that the values do not answer stays as it is.

    The group `path` of the expression leads to the value.
    """

    def meant(match: re.Match[str]) -> str:
        value: Any = values
        for step in _STEP.findall(match["path"]):
            value = _inside(value, step)
        said = written(value)
        if said is None:
            return match[0]
        return literal(" ".join(said.split()).replace("<", "\\<"))

    return expression.sub(meant, text)


def written(value: Any) -> str | None:
    """Return a value as a template writes it; None for what is neither a text nor a number."""
    # True is a number to Python.
    said = isinstance(value, str | int | float) and not isinstance(value, bool)
    return str(value) if said else None


def _inside(value: Any, step: str) -> Any:
    if isinstance(value, list) and step.isdecimal():
        return value[int(step)] if int(step) < len(value) else None
    return value.get(step) if isinstance(value, Mapping) else None
