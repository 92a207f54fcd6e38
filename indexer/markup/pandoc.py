"""Pandoc and Quarto: the info of code cells, and shortcodes that say something.

Divs and spans are those of other modules.
"""

import re

from indexer.markup.code import Holds
from indexer.markup.front import PATH
from indexer.markup.options import titled

_CELL = re.compile(r"\{+[ \t]*[.=]?([\w+-]+)([^}]*)\}+.*")
_UNSEEN = re.compile(r"\binclude[ \t]*=[ \t]*(?:FALSE|F)\b")
_CAPTION = re.compile(r"\b(?:fig|tbl|lst)[.-]cap[ \t]*=[ \t]*(?:\"([^\"]*)\"|'([^']*)')")
_KEYS = re.compile(r"\{\{<[ \t]*kbd[ \t]+([^\s=<>]+)[ \t]*>\}\}")
META, VARIABLE = (
    re.compile(rf"\{{\{{<[ \t]*{name}[ \t]+{PATH}[ \t]*>\}}\}}") for name in ("meta", "var")
)
"""What the front matter, and what a file of variables answers."""


def read_cell(info: str) -> tuple[Holds, str]:
    """Write `{python}` and `{.python .numberLines}` as the language alone, with a caption."""
    match = _CELL.fullmatch(info)
    if match is None:
        return Holds.CODE, info
    language, options = match.groups()
    if _UNSEEN.search(options):
        return Holds.NOTHING, ""
    said = _CAPTION.search(options)
    return Holds.CODE, titled(language, (said[1] or said[2] or "") if said else "")


def keys_shown(text: str) -> str:
    """Write `{{< kbd Ctrl-C >}}` as the keys alone."""
    return _KEYS.sub(r"\1", text) if "kbd" in text else text
