"""Which kind of source a folder is: Markdown, built HTML, or pages kept from an address.

Does not know how any of them is read.
"""

import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Protocol

from indexer.articles import Article
from indexer.crawl.kept import JOURNAL
from indexer.faults import Warn
from indexer.folder import SiteFolder
from indexer.generators.detect import found_in
from indexer.generators.plain import PLAIN
from indexer.html import SUFFIXES
from indexer.outcomes import Outcome
from indexer.site import Site, read_choices
from indexer.sources import SourcePage
from indexer.variants import Variant

BUILT = "html"
"""Says in `site.toml`, as the generator, that the folder holds built pages."""
_PRIVATE = (".", "node_modules")
_DEEPEST = 1
"""Folders between a folder that holds Markdown too and the first of its built pages."""


class Named(Protocol):
    """What pages are written for."""

    @property
    def name(self) -> str: ...


class Source(Protocol):
    """A site's pages, wherever they are from."""

    @property
    def generator(self) -> Named: ...
    @property
    def site(self) -> Site: ...
    @property
    def left_out(self) -> Mapping[str, int]:
        """How many files are not to be read, by the reason."""

    @property
    def parts(self) -> list[tuple[str, Path]]:
        """Path and file of what is no page of its own, but may be included."""

    @property
    def kept(self) -> Variant:
        """Language and version that were preferred to others; empty where there is but one."""

    def pages(self, warn: Warn) -> list[tuple[str, Path]]:
        """Return path and file of every page to read, sorted; SourceError where there is none."""

    def page(self, path: str, file: Path, warn: Warn) -> SourcePage | None:
        """Return the text of a page; None, and a fault, where it cannot be read."""

    def article(self, page: SourcePage, warn: Warn) -> Article:
        """Return the article that a page holds, whatever other pages hold."""

    def superseded(self, outcome: Outcome) -> str:
        """Return why a page gives way to one that was taken before; called in their order."""

    def included(self, path: str) -> str:
        """Return the digest of a file that pages include; empty where they cannot."""

    def particulars(self, path: str) -> str:
        """Return what is known of a page besides its file."""

    def description(self) -> str:
        """Return all that the pages' articles depend on besides their files, as text."""


def open_source(folder: Path) -> Source:
    """Return what reads the pages of a folder.

    Raises SiteError for a broken `site.toml`.
    """
    if (folder / JOURNAL).is_file():
        from indexer.crawl.source import CrawledPages  # noqa: PLC0415

        return CrawledPages(folder)
    generator = read_choices(folder).generator.lower()
    if generator == BUILT or (not generator and _is_built(folder)):
        # Imported here: who only searches a saved index does not wait for the parser.
        from indexer.html.folder import HtmlFolder  # noqa: PLC0415

        return HtmlFolder(folder)
    return SiteFolder(folder)


def _is_built(folder: Path) -> bool:
    """Tell a folder of built pages: it has no generator's files, and more HTML than Markdown.

    Where Markdown lies in the folder itself, HTML that lies deep below is a program's.
    """
    html, markdown = list[int](), list[int]()
    for place, folders, files in os.walk(folder):
        folders[:] = [each for each in folders if not each.startswith(_PRIVATE)]
        depth = len(Path(place).relative_to(folder).parts)
        suffixes = Counter(PurePath(each).suffix.lower() for each in files)
        html += [depth] * sum(suffixes[each] for each in SUFFIXES)
        markdown += [depth] * sum(suffixes[each] for each in PLAIN.suffixes)
    if len(html) <= len(markdown) or (0 in markdown and min(html) > _DEEPEST):
        return False
    return found_in(folder, read_choices(folder)).generator is PLAIN
