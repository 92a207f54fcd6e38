"""A notebook -> the Markdown of its cells, with the lines of the file they stand on.

What code gives out is not read: it is data and pictures for the most part.
"""

import json
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from indexer.markup.rst import as_markdown

_HIDING = {"hide", "hidden", "remove-cell", "remove-input", "remove_cell", "remove_input"}
"""Tags of cells whose code no reader sees."""
_UNSEEN_CODE = re.compile(r"^#\|[ \t]*(?:echo|include):[ \t]*false\b", re.M)
_RST = ("", "text/restructuredtext", "text/x-rst")
"""Formats of raw cells that are read like a page of their kind."""


def cells_as_lines(lines: list[str]) -> tuple[list[str], list[int]] | None:
    """Return the lines of the cells, a blank one between two cells, and their numbers.

    None for a file that is no notebook.
    """
    try:
        notebook = json.loads("\n".join(lines))
    except (ValueError, RecursionError):
        return None
    places: dict[str, list[int]] = defaultdict(list)
    for n, line in enumerate(lines):
        places[line.strip().removesuffix(",").removeprefix('"source": ')].append(n)
    found: list[str] = []
    numbers: list[int] = []
    at = 0
    for source, shown in _cells(notebook):
        at = _place(places, at, "\n".join(source))
        for written, line in zip(source, shown, strict=True):
            at = _place(places, at, written) if written.strip() else at
            found.append(line)
            numbers.append(at + 1)
        found.append("")
        numbers.append(at + 1)
    return found, numbers


def _cells(notebook: object) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the lines of each cell as written, and as Markdown."""
    known = notebook if isinstance(notebook, dict) else {}
    cells = known.get("cells")
    language = _language(known)
    for cell in cells if isinstance(cells, list) else ():
        source = cell.get("source", "") if isinstance(cell, dict) else ""
        if isinstance(source, list):
            source = "".join(each for each in source if isinstance(each, str))
        if not isinstance(source, str) or not source.strip():
            continue
        kind, lines = cell.get("cell_type"), source.split("\n")
        if kind == "markdown" or (kind == "raw" and source.startswith("---")):
            yield lines, lines
        elif kind == "raw" and _metadata(cell).get("raw_mimetype", "") in _RST:
            yield lines, as_markdown(lines)
        elif kind == "code" and not _is_hidden(cell, source):
            fence = "~~~~~~" if "```" in source else "```"
            yield [lines[0], *lines, lines[-1]], [fence + language, *lines, fence]


def _language(notebook: dict[str, Any]) -> str:
    """Return the name of the language of the code; empty where it is not said."""
    for key, name in (("language_info", "name"), ("kernelspec", "language")):
        said = _metadata(notebook).get(key)
        found = said.get(name) if isinstance(said, dict) else None
        if isinstance(found, str) and found.isalnum():
            return found
    return ""


def _is_hidden(cell: dict[str, Any], source: str) -> bool:
    metadata = _metadata(cell)
    tags = metadata.get("tags")
    hiding = isinstance(tags, list) and any(tag in _HIDING for tag in tags if isinstance(tag, str))
    return hiding or metadata.get("nbsphinx") == "hidden" or bool(_UNSEEN_CODE.search(source))


def _metadata(of: dict[str, Any]) -> dict[str, Any]:
    found = of.get("metadata")
    return found if isinstance(found, dict) else {}


def _place(places: dict[str, list[int]], at: int, text: str) -> int:
    """Return the first line from `at` on that holds `text` as JSON writes it; else `at`."""
    for written in (text + "\n", text):
        for ascii_only in (False, True):
            numbers = places.get(json.dumps(written, ensure_ascii=ascii_only), [])
            n = bisect_left(numbers, at)
            if n < len(numbers):
                return numbers[n]
    return at
