"""A notebook -> the Markdown of its text cells, with the lines of the file they stand on."""

import json
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator


def cells_as_lines(lines: list[str]) -> tuple[list[str], list[int]] | None:
    """Return the lines of the text cells, a blank one between two cells, and their numbers.

    None for a file that is no notebook.
    """
    try:
        notebook = json.loads("\n".join(lines))
    except (ValueError, RecursionError):
        return None
    places: dict[str, list[int]] = defaultdict(list)
    for n, line in enumerate(lines):
        places[line.strip().removesuffix(",")].append(n)
    found: list[str] = []
    numbers: list[int] = []
    at = 0
    for text in _texts(notebook):
        for line in text.split("\n"):
            at = _place(places, at, line)
            found.append(line)
            numbers.append(at + 1)
        found.append("")
        numbers.append(at + 1)
    return found, numbers


def _texts(notebook: object) -> Iterator[str]:
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    for cell in cells if isinstance(cells, list) else ():
        if isinstance(cell, dict) and cell.get("cell_type") in ("markdown", "raw"):
            source = cell.get("source", "")
            if isinstance(source, list):
                source = "".join(each for each in source if isinstance(each, str))
            if isinstance(source, str) and (cell["cell_type"] == "markdown" or "---" in source):
                yield source


def _place(places: dict[str, list[int]], at: int, text: str) -> int:
    """Return the first line from `at` on that holds `text` as JSON writes it; else `at`."""
    for written in (text + "\n", text):
        for ascii_only in (False, True):
            numbers = places.get(json.dumps(written, ensure_ascii=ascii_only), [])
            n = bisect_left(numbers, at)
            if n < len(numbers):
                return numbers[n]
    return at
