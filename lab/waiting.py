"""Waiting for work that cannot be interrupted, such as a tool or a blocking HTTP call."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Protocol, TypeVar

T = TypeVar("T")

POLL_SECONDS = 0.05
"""How often the one who waits looks whether to go on."""


class Patience(Protocol):
    """Says when to stop waiting."""

    def give_up(self) -> str:
        """Why to stop now; empty to go on. Cheap to call."""


class Endless:
    """The patience of somebody who waits however long it takes."""

    def give_up(self) -> str:
        return ""


class GivenUp(Exception):
    """The waiting was ended before the work was; the message says why."""


class Worker:
    """A thread that does one piece of work after another.

    Starting one takes longer than a step of the loop does, so those that are free are kept.
    """

    def __init__(self) -> None:
        self._works = SimpleQueue[Callable[[], None]]()
        threading.Thread(target=self._run, daemon=True).start()

    def do(self, work: Callable[[], None]) -> None:
        """Have it done; not to be called again before it is."""
        self._works.put(work)

    def _run(self) -> None:
        while True:
            self._works.get()()


_free: list[Worker] = []


def beside(work: Callable[[], None]) -> None:
    """Have `work`, which must not raise, done in a thread that nobody else uses meanwhile."""

    def run() -> None:
        work()
        _free.append(worker)

    try:
        worker = _free.pop()
    except IndexError:
        worker = Worker()
    worker.do(run)


def result_of(work: Callable[[], T], patience: Patience) -> T:
    """What `work` returns or raises. It runs in a thread that nobody else uses meanwhile.

    Raises GivenUp where `patience` ran out; the thread then runs on unheard.
    """
    outcome: list[T] = []
    failure: list[BaseException] = []
    working = threading.Lock()  # held until it is done: woken up by it sooner than by an Event
    working.acquire()

    def run() -> None:
        try:
            outcome.append(work())
        except BaseException as error:
            failure.append(error)
        working.release()

    beside(run)
    while not working.acquire(timeout=POLL_SECONDS):
        if (why := patience.give_up()) and working.locked():
            raise GivenUp(why)
    if failure:
        raise failure[0]
    return outcome[0]
