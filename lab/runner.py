"""A run that advances in a thread of its own, while others read its events."""

from __future__ import annotations

import threading
from contextlib import suppress

from lab.events import StopAsked
from lab.loop import Tools, advance
from lab.models.model import Loading, Model
from lab.run import Run
from lab.settings import Limits


class Runner:
    """Advances one run until it ends or somebody must act. Readers follow `run` itself."""

    def __init__(self, run: Run, model: Model | None, tools: Tools, limits: Limits) -> None:
        self.run = run
        self.error: Exception | None = None
        """What kept the lab itself from going on, such as a full disk. The run can be resumed."""
        self._thread = threading.Thread(
            target=self._work, args=(model, tools, limits), daemon=True, name=f"run {run.id}"
        )
        self._thread.start()

    def _work(self, model: Model | None, tools: Tools, limits: Limits) -> None:
        if isinstance(model, Loading):
            with suppress(Exception):  # the call that needs it fails, and says why
                model.load()
        try:
            for _ in advance(self.run, model, tools, limits):
                pass
        except Exception as error:
            self.error = error

    def stop(self) -> None:
        """Ask the run to stop; it answers its open calls, ends, and stays resumable."""
        if not self.run.turn_is_over() and not self.run.stopping():
            self.run.record(StopAsked())

    @property
    def working(self) -> bool:
        return self._thread.is_alive()

    def join(self, timeout: float | None = None) -> None:
        self._thread.join(timeout)
