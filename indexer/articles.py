"""A source page -> an article: what its front matter says, its address, and its blocks.

Does not know how articles are cut for search.
"""

import datetime
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from indexer.blocks import Block, read_blocks
from indexer.faults import Fault, Warn
from indexer.frontmatter import read_front_matter
from indexer.site import Site
from indexer.sources import SourcePage


@dataclass(frozen=True, slots=True)
class Article:
    """One article of the site."""

    slug: str
    """Path of the page without its suffix; unique in a folder read by this package."""
    title: str
    """From the front matter, else the first heading, else the file's name."""
    description: str
    """From the front matter; empty where there is none."""
    date: str
    """From the front matter, ISO 8601 where YAML knows it for a date; empty where there is none."""
    tags: tuple[str, ...]
    """From the front matter, in its order."""
    url: str
    """Address of the page, ending in `/`; relative where the site's base is unknown."""
    source: str
    """Path of the file, relative to the folder of articles."""
    blocks: tuple[Block, ...]
    """The body in its order; every line of it that is not blank is in exactly one block."""


def read_article(page: SourcePage, site: Site, warn: Warn) -> Article:
    """Return the article that `page` holds; faults of its front matter go to `warn`."""
    lines = page.text.split("\n")
    front = read_front_matter(lines)
    if front.fault:
        warn(Fault(page.path, front.fault_line, front.fault))
    values = _Values(front.values, page.path, warn)
    blocks = read_blocks("\n".join(lines[front.end :]), first_line=front.end + 1)
    if not blocks:
        warn(Fault(page.path, 0, "is empty: no passage comes from it"))
    path = PurePosixPath(page.path)
    slug = path.with_suffix("").as_posix()
    return Article(
        slug=slug,
        title=values.text("title") or _first_heading(blocks) or path.stem,
        description=values.text("description"),
        date=values.text("date"),
        tags=values.texts("tags"),
        url=f"{site.base}{quote(slug)}/",
        source=page.path,
        blocks=blocks,
    )


def _first_heading(blocks: tuple[Block, ...]) -> str:
    return next((b.headings[-1] for b in blocks if b.kind == "heading" and b.headings[-1]), "")


@dataclass(frozen=True, slots=True)
class _Values:
    """Front matter whose values need not be of the type they should be."""

    values: dict[str, Any]
    file: str
    warn: Warn

    def text(self, key: str) -> str:
        value = self.values.get(key)
        if value is None or isinstance(value, str | int | float | datetime.date):
            return "" if value is None else " ".join(str(value).split())
        self.warn(Fault(self.file, 0, f"front matter: `{key}` is not a text; ignored"))
        return ""

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.values.get(key)
        if isinstance(value, list):
            return tuple(str(each) for each in value if isinstance(each, str | int | float))
        return tuple(each.strip() for each in self.text(key).split(",") if each.strip())
