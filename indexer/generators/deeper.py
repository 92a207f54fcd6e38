"""Sites that lie deeper in a folder than they are looked for: it may be a repository of several."""

import os
from collections.abc import Iterator
from pathlib import Path

from indexer.faults import Fault
from indexer.generators.detect import GENERATORS, has_pages, site_at
from indexer.generators.generator import Generator
from indexer.site import Choices
from indexer.sources import WRITTEN_BY_TOOLS

_DEEPEST = 4
"""Folders below the given one; whoever names a disk does not wait for all of it."""
_MOST = 3
"""So many are told."""
_MARKS = {
    part.partition("/")[0]
    for generator in GENERATORS
    for mark in generator.marks
    for part in mark.split("+")
}
"""Names without one of which a folder is no site."""


def faults(folder: Path) -> list[Fault]:
    """Return a fault for each site in a folder that is read as one of plain Markdown."""
    found = list(_sites(folder))
    told = [
        Fault(path, 0, f"looks like a site of {name}: index this folder to have its own addresses")
        for path, name in found[:_MOST]
    ]
    more = len(found) - _MOST
    return [*told, Fault(".", 0, f"{more:,} more such sites are in it")] if more > 0 else told


def _sites(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield path and generator of each that has pages, in order, and of none within another."""
    for place, folders, files in os.walk(folder):
        here = Path(place)
        inner = here.relative_to(folder)
        own = None
        if inner.parts and not _MARKS.isdisjoint((*folders, *files)):
            own = next((each for each in GENERATORS if _is_site(here, each)), None)
        if own:
            yield inner.as_posix(), own.name
        goes_on = not own and len(inner.parts) < _DEEPEST
        folders[:] = sorted(filter(_is_looked_into, folders)) if goes_on else []


def _is_site(folder: Path, generator: Generator) -> bool:
    site = site_at(folder, "", generator, Choices())
    return site is not None and has_pages(site)


def _is_looked_into(name: str) -> bool:
    return not name.startswith(".") and name not in WRITTEN_BY_TOOLS
