"""What reading each page gave, kept from one build to the next in `pages.db`, beside the index.

Kept under a key that says all the outcome depends on, it is right whoever wrote it and whenever:
builds may be killed, and several may run at once. A file that cannot be used costs time only.
"""

import contextlib
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from indexer.outcomes import Outcome, decoded, encoded

FILE = "pages.db"
AT_ONCE = 64
"""So many outcomes are written together: a kill loses no more."""
WAIT_SECONDS = 10.0
_TABLE = (
    "create table if not exists pages"
    " (path text primary key, key text not null, outcome blob not null)"
)


class Memory:
    """The outcomes of the pages of one source, by path."""

    def __init__(self, folder: Path | None) -> None:
        self._file = folder / FILE if folder else None
        self._waiting: list[tuple[str, str, bytes]] = []
        self._database = self._opened() if self._file and self._file.exists() else None

    def recall(self, path: str, key: str) -> Outcome | None:
        """Return what the page at `path` gave under that key, or None."""
        if self._database is None:
            return None
        with contextlib.suppress(sqlite3.Error, zlib.error, ValueError, TypeError, KeyError):
            found = self._database.execute(
                "select outcome from pages where path = ? and key = ?", (path, key)
            ).fetchone()
            return decoded(found[0]) if found else None
        return None

    def keep(self, path: str, key: str, outcome: Outcome) -> None:
        """Keep what the page at `path` gave, in place of what it gave before."""
        if self._file:
            self._waiting.append((path, key, encoded(outcome)))
        if len(self._waiting) >= AT_ONCE:
            self.flush()

    def flush(self) -> None:
        """Write down what waits for it."""
        if self._waiting and self._database is None:
            self._database = self._opened()
        if self._waiting and self._database:
            with contextlib.suppress(sqlite3.Error), self._database as database:
                database.executemany("insert or replace into pages values (?, ?, ?)", self._waiting)
        self._waiting = []  # only now: Ctrl-C may come while they are written

    def forget_all_but(self, paths: set[str]) -> None:
        """Forget the pages that are no longer there."""
        if self._database:
            with contextlib.suppress(sqlite3.Error), self._database as database:
                known = [path for (path,) in database.execute("select path from pages")]
                gone = [(path,) for path in known if path not in paths]
                database.executemany("delete from pages where path = ?", gone)

    def close(self) -> None:
        """Write down what waits, and let the file go."""
        self.flush()
        if self._database:
            self._database.close()

    def _opened(self) -> sqlite3.Connection | None:
        """Return the database; begun anew where the file is damaged, None where that fails."""
        assert self._file
        for _ in range(2):
            try:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                return _prepared(self._file)
            except (sqlite3.OperationalError, OSError):  # locked, full, not to be written
                return None
            except sqlite3.DatabaseError:
                self._file.unlink(missing_ok=True)
        return None


@contextmanager
def memory_in(folder: Path) -> Iterator[Memory]:
    """The memory in a folder; however this ends, what was read by then is kept."""
    memory = Memory(folder)
    try:
        yield memory
    finally:
        memory.close()


def _prepared(file: Path) -> sqlite3.Connection:
    database = sqlite3.connect(file, timeout=WAIT_SECONDS)
    try:
        with database:
            database.execute(_TABLE)
            database.execute("select path, key, outcome from pages limit 1").fetchone()
    except BaseException:
        database.close()
        raise
    return database
