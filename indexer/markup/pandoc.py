"""Pandoc and Quarto: the info of code cells. Divs and spans are those of other modules."""

import re

from indexer.markup.code import Holds

_CELL = re.compile(r"\{+[ \t]*[.=]?([\w+-]+)[^}]*\}+.*")


def read_cell(info: str) -> tuple[Holds, str]:
    """Write `{python}` and `{.python .numberLines}` as the language alone."""
    match = _CELL.fullmatch(info)
    return Holds.CODE, match[1] if match else info
