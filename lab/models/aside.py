"""Requests beside a run: they cost nothing, are no part of it, and are tried once."""

from __future__ import annotations

from lab.messages import Cost, Request, Usage
from lab.models.model import Watch


class Aside:
    """Watches such a request; it stops when the run's own watch says so."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch

    def sent(self, request: Request) -> None: ...

    def noticed(self, about: str, text: str) -> None: ...

    def about_to_send(self, likely: Usage, cost: Cost) -> None: ...

    def streaming(self) -> None: ...

    def streamed(self, text: str) -> None: ...

    def give_up(self) -> str:
        return self._watch.give_up()

    def seconds_left(self) -> float:
        return 0.0
