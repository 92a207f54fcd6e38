"""Who reads pages: this process, or others beside it. What comes of a page is the same."""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO, Protocol

from indexer.errors import SourceError
from indexer.opening import Source, open_source
from indexer.origin import Listed
from indexer.outcomes import Outcome
from indexer.reading import read_page
from indexer.settings import Settings

Ask = Callable[[], Outcome]
"""Returns what comes of a page, once it is known. To be called in the order of asking."""
FEW = 200
"""So many pages are read sooner than other processes have begun; a site of less than twice as many
needs no others."""
_AHEAD = 16
"""So many pages each other process is given before the first is asked for."""


class Reader(Protocol):
    """Reads the pages of one source."""

    ahead: int
    """How many pages may be asked for before the outcome of the first is taken."""

    def ask(self, path: str, file: Path) -> Ask:
        """Have a page read."""


@contextmanager
def reader_of(pages: Listed, settings: Settings, processes: int) -> Iterator[Reader]:
    """What reads these pages, in so many processes where they are more than a few."""
    here = Here(pages.source, settings)
    if processes < 2 or len(pages.files) < 2 * FEW:
        yield here
        return
    beside = Beside(here, pages.folder, settings, processes)
    try:
        yield beside
    finally:
        beside.close()


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Here:
    """Reads a page when its outcome is asked for."""

    def __init__(self, source: Source, settings: Settings) -> None:
        self.ahead = 0
        self._source, self._settings = source, settings

    def ask(self, path: str, file: Path) -> Ask:
        return partial(read_page, path, file, self._source, self._settings)


class Beside:
    """Has other processes read in turn, but for the first few pages."""

    def __init__(self, here: Here, folder: Path, settings: Settings, processes: int) -> None:
        self.ahead = processes * _AHEAD
        self._here, self._begin = here, partial(_Other, folder, settings)
        self._processes, self._asked = processes, 0
        self._others: list[_Other] = []

    def ask(self, path: str, file: Path) -> Ask:
        self._asked += 1
        if self._asked <= FEW:
            return self._here.ask(path, file)
        if len(self._others) < self._processes:
            self._others.append(self._begin())
        return self._others[self._asked % len(self._others)].ask(path, file)

    def close(self) -> None:
        """End the processes, whatever they are at."""
        for other in self._others:
            other.close()


class _Other:
    """A process that reads pages and does nothing else."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        # In a session of its own: Ctrl-C is for who asks.
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._send((folder, settings))

    def ask(self, path: str, file: Path) -> Ask:
        self._send((path, file))
        return self._answer

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()

    def _send(self, what: object) -> None:
        assert self._process.stdin
        try:
            pickle.dump(what, self._process.stdin)
            self._process.stdin.flush()
        except OSError as error:
            raise self._ended() from error

    def _answer(self) -> Outcome:
        assert self._process.stdout
        try:
            outcome: Outcome = pickle.load(self._process.stdout)
        except (EOFError, pickle.UnpicklingError) as error:
            raise self._ended() from error
        return outcome

    def _ended(self) -> SourceError:
        return SourceError(
            f"A process that reads pages has ended (exit code {self._process.wait()}), perhaps for "
            "want of memory. What was read is kept; go on with `--processes 1`."
        )


def serve(asked: BinaryIO, answers: BinaryIO) -> None:
    """Read the pages of one source as they are asked for, until nobody asks any more."""
    folder, settings = pickle.load(asked)
    source = open_source(folder)
    source.pages(lambda _: None)
    here = Here(source, settings)
    while True:
        try:
            page = pickle.load(asked)
        except EOFError:
            return
        pickle.dump(here.ask(*page)(), answers)
        answers.flush()


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
