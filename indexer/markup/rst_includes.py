"""How a page of reStructuredText gets what it includes."""

import re

from indexer.markup.includes import Include
from indexer.markup.marks import INCLUDE, QUOTE
from indexer.markup.rst import as_markdown


def read_included(path: str, lines: list[str]) -> list[str]:
    """Return the lines of an included file as Markdown."""
    return lines if path.lower().endswith((".md", ".markdown")) else as_markdown(lines)


def read_quoted(_path: str, lines: list[str]) -> list[str]:
    """Return the lines of an included file as code."""
    return ["", *("    " + line if line.strip() else "" for line in lines), ""]


INCLUDES = (
    Include(
        re.compile(rf"\s*{INCLUDE}(?P<file>\S+)(?P<options>.*)"), (".", ""), read=read_included
    ),
    Include(re.compile(rf"\s*{QUOTE}(?P<file>\S+)(?P<options>.*)"), (".", ""), read=read_quoted),
)
"""How a page asks for another file, as `as_markdown` writes it."""
