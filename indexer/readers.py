"""Who reads pages: this process, or others beside it. What comes of a page is the same."""

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Protocol

from indexer.errors import SourceError
from indexer.opening import Source, open_source
from indexer.origin import Listed
from indexer.outcomes import Outcome
from indexer.reading import read_page
from indexer.settings import Settings

Ask = Callable[[], Outcome]
"""Returns what comes of a page, once it is known."""
FEW = 200
"""So many pages are read sooner than other processes have begun."""
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
    if processes < 2:
        yield Here(pages.source, settings)
        return
    # Begun afresh: a copy of this process would have its threads' locks without the threads.
    others = ProcessPoolExecutor(processes, get_context("spawn"), _begin, (pages.folder, settings))
    try:
        yield Beside(others, Here(pages.source, settings), processes)
    finally:
        others.shutdown(wait=False, cancel_futures=True)


class Here:
    """Reads a page when its outcome is asked for."""

    def __init__(self, source: Source, settings: Settings) -> None:
        self.ahead = 0
        self._source, self._settings = source, settings

    def ask(self, path: str, file: Path) -> Ask:
        return partial(read_page, path, file, self._source, self._settings)


class Beside:
    """Has other processes read, but for the first few pages."""

    def __init__(self, others: ProcessPoolExecutor, here: Here, processes: int) -> None:
        self.ahead = processes * _AHEAD
        self._others, self._here, self._asked = others, here, 0

    def ask(self, path: str, file: Path) -> Ask:
        self._asked += 1
        if self._asked <= FEW:
            return self._here.ask(path, file)
        try:
            with _undisturbed():
                return partial(_awaited, self._others.submit(_read, path, file))
        except BrokenProcessPool as error:
            raise _ended(error) from error


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let Ctrl-C wait: a process that begins meanwhile never hears of it, and we do afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _awaited(future: "Future[Outcome]") -> Outcome:
    try:
        return future.result()
    except BrokenProcessPool as error:
        raise _ended(error) from error


def _ended(error: BrokenProcessPool) -> SourceError:
    return SourceError(
        f"A process that reads pages has ended, perhaps for want of memory ({error}). What was "
        "read is kept; go on with fewer of them: `--processes 1`."
    )


_reader: Here
"""Of a process that does nothing but read."""


def _begin(folder: Path, settings: Settings) -> None:
    global _reader  # noqa: PLW0603  all that a process is given when it begins
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who asks
    source = open_source(folder)
    source.pages(lambda _: None)
    _reader = Here(source, settings)


def _read(path: str, file: Path) -> Outcome:
    return _reader.ask(path, file)()
