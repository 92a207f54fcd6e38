"""Pages read in other processes give what they give in this one."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from indexer import readers
from indexer.again import update
from indexer.errors import SourceError
from indexer.origin import listed
from indexer.readers import reader_of
from indexer.settings import Settings

Folder = Callable[[dict[str, str]], Path]
SITE = {
    "_config.yml": "title: A site",
    "_includes/part.md": "A part.",
    **{f"{n:02}.md": f"# Page {n}\n\n{{% include part.md %}}\n\nWords.\n" for n in range(20)},
    "broken.md": "---\ntitle: a: b\n---\nText.\n",
    "empty.md": "---\n---\n",
}


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> int:
    """Two pages are read here, all others elsewhere."""
    monkeypatch.setattr(readers, "FEW", 2)
    return 2


@pytest.mark.usefixtures("few")
def test_an_index_is_the_same_however_many_processes_read(folder: Folder, tmp_path: Path) -> None:
    root = folder(SITE)
    reports = [update(root, tmp_path / f"{n}", Settings(), processes=n) for n in (1, 3)]
    one, three = (
        {file.name: file.read_bytes() for file in (tmp_path / n).iterdir() if file.is_file()}
        for n in ("1", "3")
    )
    assert reports[0] == reports[1]
    assert (reports[1].read, len(reports[1].faults)) == (22, 1)
    assert one["passages.jsonl"] == three["passages.jsonl"]
    assert one["search.json"] == three["search.json"]


@pytest.mark.usefixtures("few")
def test_what_other_processes_read_is_known_the_next_time(folder: Folder, tmp_path: Path) -> None:
    root = folder(SITE)
    update(root, tmp_path / "out", Settings(), processes=2)
    (root / "07.md").write_text("# Changed\n\nText.\n")
    report = update(root, tmp_path / "out", Settings(), processes=2)
    assert (report.read, report.known) == (1, 21)


@pytest.mark.usefixtures("few")
def test_a_process_that_ends_is_told_with_what_to_do(folder: Folder, tmp_path: Path) -> None:
    pages = replace(listed(folder(SITE), Settings()), folder=tmp_path / "nothing is here")
    with reader_of(pages, Settings(), 2) as reader:
        asked = [reader.ask(path, file) for path, file in pages.files[:2]]
        assert [ask().source for ask in asked] == ["00.md", "01.md"]
        with pytest.raises(SourceError, match="--processes 1"):
            reader.ask(*pages.files[2])()


@pytest.mark.parametrize("processes", [1, 8])
def test_a_small_site_is_read_by_this_process_alone(folder: Folder, processes: int) -> None:
    pages = listed(folder(SITE), Settings())
    with reader_of(pages, Settings(), processes) as reader:
        assert reader.ahead == 0
