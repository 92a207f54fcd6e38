"""The data files of an Eleventy site: what they say of pages that do not say it themselves."""

from pathlib import Path, PurePosixPath
from typing import Any

from indexer.generators.config import read_config
from indexer.generators.eleventy_folders import folder_of
from indexer.generators.generator import Config, Page
from indexer.sources import list_files

DATA = "data of files"
"""Key of the configuration under which `data_of_files` is kept."""
_SUFFIXES = (".json", ".11tydata.json", ".11tydata.mjs", ".11tydata.cjs", ".11tydata.js")
"""What the later ones say comes first."""
_PAGES = (".md", ".markdown")


def data_of_files(home: Path, config: Config) -> dict[str, dict[str, Any]]:
    """Return what data files say, by what they say it of: a folder of pages, or one page.

    Both are paths in the folder of pages, that of a page without its suffix.
    """
    pages = home / folder_of(config, "input")
    found: dict[str, dict[str, Any]] = {}
    files = list_files(pages, "", _SUFFIXES, lambda _: None)
    for path, file in sorted(files, key=lambda each: _SUFFIXES.index(_suffix(each[0]))):
        stem = PurePosixPath(path[: -len(_suffix(path))])
        of = stem.parent if stem.name == file.parent.resolve().name else stem
        is_page = any(file.with_name(stem.name + each).is_file() for each in _PAGES)
        if of != stem or is_page:
            found.setdefault(of.as_posix(), {}).update(read_config(file))
    return found


def _suffix(path: str) -> str:
    return max((each for each in _SUFFIXES if path.lower().endswith(each)), key=len)


def inherited(page: Page) -> dict[str, Any]:
    """Return what data files say of a page: its own first, then those of the nearest folder."""
    data, said = page.config.get(DATA, {}), dict[str, Any]()
    for place in (*reversed(page.inner.parents), page.inner):
        said |= data.get(place.as_posix(), {})
    return said
