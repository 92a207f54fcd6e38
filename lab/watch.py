"""What a model or tool call in progress sees of its run: a place to report to, a reason to stop."""

from __future__ import annotations

import time

from lab.events import ModelAsked, Noticed
from lab.limits import TIME_IS_UP, seconds_left, would_exceed
from lab.messages import NOT_SENT, Cost, Exchange, Request, Usage
from lab.models.model import ModelError
from lab.run import Run
from lab.settings import Limits
from lab.waiting import GivenUp


class RunWatch:
    """Ties one call to its run and its limits."""

    def __init__(self, run: Run, limits: Limits) -> None:
        self._run, self._limits = run, limits
        self._body = ""
        self._step = run.step()
        self._left = seconds_left(run, limits)
        self._started = time.monotonic()
        run.streamed = ""

    def sent(self, request: Request) -> None:
        """Raises GivenUp where nobody waits for the answer any more: then nothing may leave."""
        if why := self.give_up():
            raise GivenUp(why)
        if request.body != self._body:  # a retry sends the same again
            self._run.record(ModelAsked(self._step, request))
            self._body = request.body

    def noticed(self, about: str, text: str) -> None:
        self._run.record(Noticed(about, text))

    def about_to_send(self, likely: Usage, cost: Cost) -> None:
        if limit := would_exceed(self._run, self._limits, likely, cost):
            raise ModelError(limit[1], Exchange(cost=NOT_SENT), reason=limit[0])

    def streaming(self) -> None:
        self._run.streamed = ""

    def streamed(self, text: str) -> None:
        self._run.streamed += text

    def give_up(self) -> str:
        if self._run.stopping():
            return "stopped by the person"
        left = self.seconds_left()
        return TIME_IS_UP if left is not None and left <= 0 else ""

    def seconds_left(self) -> float | None:
        if self._left is None:
            return None
        return self._left - (time.monotonic() - self._started)
