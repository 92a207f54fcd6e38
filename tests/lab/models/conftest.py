"""What several tests of the models need: a watch that keeps what it is told, and conversations."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from lab.messages import Conversation, Message, Question, Request, ToolSchema
from lab.models.model import Watch

WORD = ToolSchema(
    "look_up",
    "Returns what a word means.",
    {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
)


class Watching:
    """Keeps what a call in progress reports; gives up when told to."""

    def __init__(self, seconds: float | None = None) -> None:
        self.requests: list[Request] = []
        self.stopped = ""
        self._until = None if seconds is None else time.monotonic() + seconds

    def sent(self, request: Request) -> None:
        self.requests.append(request)

    def noticed(self, kind: str, text: str) -> None:
        """Not looked at by any test yet."""

    def streamed(self, text: str) -> None:
        """Not looked at by any test yet."""

    def give_up(self) -> str:
        left = self.seconds_left()
        return self.stopped or ("time is up" if left is not None and left <= 0 else "")

    def seconds_left(self) -> float | None:
        return None if self._until is None else self._until - time.monotonic()


@pytest.fixture
def watch() -> Watch:
    return Watching()


@pytest.fixture(scope="session")
def talk() -> Callable[..., Conversation]:
    """A conversation of the messages given, with one tool."""

    def made(*messages: Message, tools: tuple[ToolSchema, ...] = (WORD,)) -> Conversation:
        return Conversation("Answer in words.", tools, messages or (Question("Why?"),))

    return made
