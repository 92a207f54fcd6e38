"""Waiting for work that cannot be interrupted, such as a tool or a blocking HTTP call."""

from __future__ import annotations

import threading
from collections.abc import Callable
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


def result_of(work: Callable[[], T], patience: Patience) -> T:
    """What `work` returns or raises. It runs in a thread of its own.

    Raises GivenUp where `patience` ran out; the thread then runs on unheard.
    """
    outcome: list[T] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(work())
        except BaseException as error:
            failure.append(error)

    worker = threading.Thread(target=run, daemon=True)
    worker.start()
    while worker.is_alive():
        worker.join(POLL_SECONDS)
        if worker.is_alive() and (why := patience.give_up()):
            raise GivenUp(why)
    if failure:
        raise failure[0]
    return outcome[0]
