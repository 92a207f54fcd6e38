"""One writer at a time in a folder, whatever process it is in; a lock ends with its process."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

FILE = ".lock"
_POLL_SECONDS = 0.05


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder; waits, and can be interrupted, while another process has it.

    It is that of an empty SQLite database, which works the same on every system. Raises
    sqlite3.OperationalError where the folder cannot be written.
    """
    with closing(sqlite3.connect(folder / FILE, timeout=0, isolation_level=None)) as database:
        while True:
            try:
                database.execute("begin exclusive")
                break
            except sqlite3.OperationalError as error:
                if error.sqlite_errorname != "SQLITE_BUSY":
                    raise
            time.sleep(_POLL_SECONDS)
        yield
