"""An index in a folder, brought up to date: what has not changed is not read again."""

import contextlib
from pathlib import Path

from indexer import storage
from indexer.content import BuildReport, Progress
from indexer.errors import StoredIndexError
from indexer.index import Index
from indexer.memory import memory_in
from indexer.origin import listed, stands
from indexer.settings import Settings
from indexer.usable import check_usable


def update(
    source: Path,
    folder: Path,
    settings: Settings,
    on_progress: Progress | None = None,
    processes: int = 1,
) -> BuildReport:
    """Make `folder` hold the index of `source` as it is now.

    Reads no page where nothing has changed, and else only those that have; in so many processes
    where they are many. It may be killed, and run again, at any time. Raises the errors of
    `build_content` and of `storage.write`.
    """
    check_usable(settings)
    pages, made = listed(source, settings), storage.made_from(folder)
    if made and made[1] == settings and stands(made[0], pages):
        return made[2]
    # Imported here: what reads pages is not waited for where none is read.
    from indexer.builder import content_of  # noqa: PLC0415

    with memory_in(folder) as memory:
        content, report = content_of(pages, settings, on_progress, memory, processes)
    storage.write(content, folder)
    return report


def cached(source: Path, folder: Path, settings: Settings | None = None) -> Index:
    """Return the index of `source`, kept in `folder`."""
    settings = settings or Settings()
    # A cache that cannot be used costs time, not the answer.
    with contextlib.suppress(StoredIndexError):
        update(source, folder, settings)
        return Index.load(folder)
    return Index.build(source, settings)[0]
