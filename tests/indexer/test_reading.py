"""What comes of reading one page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from indexer.articles import Article
from indexer.errors import EngineError
from indexer.faults import Warn
from indexer.folder import SiteFolder
from indexer.generators.published import UNREADABLE
from indexer.reading import read_page
from indexer.settings import Settings
from indexer.sources import SourcePage

Folder = Callable[[dict[str, str]], Path]


class Failing(SiteFolder):
    """A site of which one page is too much for the lab."""

    error: Exception = ZeroDivisionError("by nothing")

    def article(self, page: SourcePage, warn: Warn) -> Article:
        if page.path == "b.md":
            raise self.error
        return super().article(page, warn)


def test_a_page_at_which_the_lab_fails_costs_only_itself_and_is_told(folder: Folder) -> None:
    source = Failing(folder({"a.md": "One.", "b.md": "Two.", "c.md": "Three."}))
    pages = source.pages(lambda _: None)
    read = {path: read_page(path, file, source, Settings()) for path, file in pages}
    assert [len(read[path].passages) for path in ("a.md", "b.md", "c.md")] == [1, 0, 1]
    failed = read["b.md"]
    assert (failed.absent, failed.passing) == (UNREADABLE, True)
    assert [str(fault) for fault in failed.faults] == [
        "b.md: could not be read, by a fault of the lab (ZeroDivisionError: by nothing); left out"
    ]


def test_what_is_wrong_with_the_whole_site_is_no_fault_of_a_page(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = Failing(folder({"b.md": "Two."}))
    monkeypatch.setattr(Failing, "error", EngineError("no engine"))
    [(path, file)] = source.pages(lambda _: None)
    with pytest.raises(EngineError):
        read_page(path, file, source, Settings())
