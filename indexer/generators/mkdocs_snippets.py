"""Snippets of MkDocs: `--8<-- "file"`, or names one a line between two lines `--8<--`."""

import re
from dataclasses import replace
from pathlib import PurePosixPath

from indexer.generators.config import tables_in
from indexer.generators.generator import Config, Generator
from indexer.markup.includes import Include, normal

_BORDER = re.compile(r"[ \t]*-+8<-+[ \t]*")
SNIPPET = Include(re.compile(r"\s*-+8<-+\s+([\"'])(?P<file>[^\"'\n]+)\1\s*"), ("", "docs", "."))
"""Asks for one file."""


def one_a_line(lines: list[str]) -> list[str]:
    """Write each name between two borders as what asks for this file; one after `;` is none."""
    borders = [n for n, line in enumerate(lines) if "8<" in line and _BORDER.fullmatch(line)]
    found = list(lines)
    for first, last in zip(borders[::2], borders[1::2], strict=False):
        found[first] = found[last] = ""
        for n in range(first + 1, last):
            bare = lines[n].strip()
            indent = lines[n][: len(lines[n]) - len(lines[n].lstrip())]
            found[n] = f'{indent}--8<-- "{bare}"' if bare and bare[0] != ";" else ""
    return found


def configured(generator: Generator, config: Config) -> Generator:
    """Have files looked for where the configuration says, in the site's folder or one above."""
    folders = _folders(config)
    ways = (
        replace(way, folders=(*folders, *way.folders)) if way is SNIPPET else way
        for way in generator.includes
    )
    return replace(generator, includes=tuple(ways))


def _folders(config: Config) -> tuple[str, ...]:
    """Return the folders named, each also below the folders that a page is in.

    They are relative to the folder of `mkdocs.yml`, which need not be that of the repository.
    """
    extensions = dict(tables_in(config, "markdown_extensions"))
    said = extensions.get("pymdownx.snippets", {}).get("base_path")
    listed = said if isinstance(said, list) else [said]
    names = (normal(PurePosixPath(each)) for each in listed if isinstance(each, str))
    return tuple(folder for name in names if name for folder in (name, f"^{name}"))
