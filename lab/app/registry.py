"""Runs that advance in this process, by their unguessable id.

Shared by all visitors, as everything in a process is: it never gives out more than the run asked
for by id, and no key can be read from it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from lab.run import Run
from lab.runner import Runner
from lab.store import Store, StoreError

KEPT = 200
"""So many finished runs stay at hand; older ones are loaded from the store again."""

_runners: dict[str, Runner] = {}
_turn = threading.Lock()


def begin(run: Run, make: Callable[[Run], Runner]) -> None:
    """Let a new runner work on a run, unless one does already, whoever asked for it."""
    with _turn:
        known = _runners.get(run.id)
        if known and known.working:
            return
        made = make(known.run if known else run)
        _runners.pop(run.id, None)  # so that it stands last, as the newest
        _runners[run.id] = made
        finished = [id for id, other in _runners.items() if not other.working]
        for id in finished[: max(0, len(_runners) - KEPT)]:
            del _runners[id]


def runner(id: str) -> Runner | None:
    """The runner of a run that began in this process, finished or not."""
    with _turn:
        return _runners.get(id)


def remove(id: str, store: Store) -> None:
    """Delete a run for good. StoreError where it advances now; it cannot begin to meanwhile."""
    with _turn:
        known = _runners.get(id)
        if known and known.working:
            raise StoreError(f"Run {id} is under way. Stop it first, then delete it.")
        store.delete(id)
        _runners.pop(id, None)


def find(id: str, store: Store) -> Run | None:
    """The run of exactly that id, live if it is, else from the store; None where there is none."""
    if known := runner(id):
        return known.run
    try:
        run = store.load(id)
    except StoreError:
        return None
    return run if run.id == id else None
