"""Many runs at once, but not too many: those of a column wait for a turn of their own."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from lab.app import registry, resources
from lab.app.compare.picks import on_this_machine
from lab.elsewhere import runner_for
from lab.loop import Tools
from lab.models.model import Model
from lab.prepare import start
from lab.run import Run
from lab.runner import Runner
from lab.settings import Limits, Settings

AT_ONCE = 4
"""Runs of a column that advance at a time. One that runs on the person's own machine takes them
one by one: its seconds would else be those of its queue."""
MOST = 10
"""Runs a column can have."""


class InTurn(Runner):
    """A runner that begins when it has its turn. Asked to stop before, it ends when it has it."""

    def __init__(
        self,
        turn: AbstractContextManager[object],
        run: Run,
        model: Model,
        tools: Tools,
        limits: Limits,
    ) -> None:
        self._turn, self.waiting = turn, True
        super().__init__(run, model, tools, limits)

    def _work(self, model: Model | None, tools: Tools, limits: Limits) -> None:
        with self._turn:
            self.waiting = False
            super()._work(model, tools, limits)


@dataclass(frozen=True, slots=True)
class Planned:
    """A column whose model is ready to be asked."""

    model: Model | None
    """None for one elsewhere."""
    settings: Settings
    tools: Tools
    turn: threading.Semaphore = field(default_factory=threading.Semaphore)


def planned(model: Model | None, settings: Settings, tools: Tools) -> Planned:
    """A column, with as many turns at a time as its model can take."""
    at_once = 1 if on_this_machine(settings.model) else AT_ONCE
    return Planned(model, settings, tools, threading.Semaphore(at_once))


def begin(columns: Sequence[Planned | str], question: str, repeats: int) -> list[tuple[str, ...]]:
    """Start the runs of all columns; a column that is the id of a saved run stands as it is."""
    ids: list[list[str]] = [[one] if isinstance(one, str) else [] for one in columns]
    for _ in range(repeats):
        for own, one in zip(ids, columns, strict=True):
            if isinstance(one, Planned):
                own.append(begin_one(one, question))
    return [tuple(own) for own in ids]


def begin_one(of: Planned, question: str) -> str:
    """Start one run; gives its id."""
    run = start(resources.store(), of.settings, question)
    tools, limits = of.tools, of.settings.limits
    model = of.model
    if model is None:
        registry.begin(run, lambda run: runner_for(run, None, tools, limits))
    else:
        registry.begin(run, lambda run: InTurn(of.turn, run, model, tools, limits))
    return run.id


def is_waiting(id: str) -> bool:
    """True for a run whose turn has not come."""
    runner = registry.runner(id)
    return isinstance(runner, InTurn) and runner.waiting


def progress(ids: Sequence[str]) -> str:
    """How far these runs are, in words; empty where none is under way."""
    working = [id for id in ids if (runner := registry.runner(id)) and runner.working]
    waiting = sum(map(is_waiting, working))
    going, over = len(working) - waiting, len(ids) - len(working)
    said = [f"{going} of {len(ids)} runs under way"]
    said += [f"{waiting} waiting for their turn"] if waiting else []
    said += [f"{over} ended"] if over else []
    return ", ".join(said) if working else ""
