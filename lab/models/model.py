"""The seam between the loop and whatever plays the model. It names no vendor and no wire."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from lab.events import End
from lab.messages import Conversation, Cost, Exchange, Reply, Request, Usage


class Watch(Protocol):
    """What a call in progress reports to, and asks whether to go on."""

    def sent(self, request: Request) -> None:
        """The request is leaving. Returns once that is durable; GivenUp where it must not leave."""

    def noticed(self, about: str, text: str) -> None:
        """Something a person should see while the call goes on: a retry, a repair."""

    def about_to_send(self, likely: Usage, cost: Cost) -> None:
        """What the call will likely use, at most. Raises ModelError where a limit forbids it."""

    def streaming(self) -> None:
        """A streamed answer begins, perhaps not the first: an attempt before may have failed."""

    def streamed(self, text: str) -> None:
        """A piece of the answer, for display only."""

    def give_up(self) -> str:
        """Why to stop now (Stop was pressed, time is up); empty to go on. Cheap to call."""

    def seconds_left(self) -> float | None:
        """What is left of the time limit; None where there is none."""


class Model(Protocol):
    """Something that answers a conversation."""

    def reply(self, conversation: Conversation, watch: Watch) -> tuple[Reply, Exchange]:
        """Ask once. Reports the request to `watch` before any answer.

        Raises ModelError where no reply came.
        """


@runtime_checkable
class Loading(Model, Protocol):
    """A model with something to load that no call's clock should count."""

    def load(self) -> None:
        """Load it now. What goes wrong is told by the call that then needs it."""


class ModelError(Exception):
    """A model call brought no reply. The message is one line for the person at the page."""

    def __init__(
        self,
        message: str,
        exchange: Exchange | None = None,
        kind: str = "",
        reason: End = "failed",
    ) -> None:
        super().__init__(message)
        self.reason = reason
        """How the question ends with it."""
        self.exchange = exchange or Exchange()
        self.kind = kind
        """What kind of failure it is, where one is known; see `lab.models.failures`."""
