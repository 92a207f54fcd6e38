"""A site that is served on loopback, and the crawl of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from served import Site

from indexer.crawl.crawl import Options, Progress, crawl
from indexer.crawl.fetch import Bounds
from indexer.crawl.polite import Manners
from indexer.faults import Fault
from indexer.index import Index


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()


@dataclass
class Crawled:
    """What became of a crawl."""

    folder: Path
    faults: list[str]

    @property
    def index(self) -> Index:
        return Index.build(self.folder)[0]

    @property
    def titles(self) -> list[str]:
        """Titles of the articles, in alphabetical order."""
        return sorted({passage.title for passage in self.index.passages})


Crawl = Callable[..., Crawled]


@pytest.fixture
def crawled(site: Site, tmp_path: Path) -> Crawl:
    """Crawl the site from a path, as fast as it goes."""

    def run(
        path: str = "/",
        max_pages: int = 1000,
        on_progress: Progress | None = None,
        seconds: float = 5.0,
    ) -> Crawled:
        manners = Manners(
            "test-agent/1", 100_000, first_wait=0.01, longest_wait=1.0, bounds=Bounds(seconds)
        )
        faults: list[Fault] = []
        folder = tmp_path / "crawl"
        crawl(site.url + path, folder, Options(manners, max_pages), faults.append, on_progress)
        return Crawled(folder, [str(fault).replace(site.url, "") for fault in faults])

    return run
