"""What several tests of the models need: a watch that keeps what it is told, and conversations."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from answers import CANARY, endpoint_of

from indexer.index import Index
from lab.loop import advance
from lab.messages import Conversation, Cost, Message, Question, Request, ToolSchema, Usage
from lab.models import call
from lab.models.hosted import HostedModel
from lab.models.model import Model, Watch
from lab.prepare import Choice, settings_for, start
from lab.run import Run
from lab.settings import Limits
from lab.store import Store
from lab.tools.site import site_tools

if TYPE_CHECKING:
    from tests.conftest import Loopback

WORD = ToolSchema(
    "look_up",
    "Returns what a word means.",
    {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
)


class Watching:
    """Keeps what a call in progress reports; gives up when told to."""

    def __init__(self, seconds: float | None = None) -> None:
        self.requests: list[Request] = []
        self.notices: list[tuple[str, str]] = []
        self.shown = ""
        """The streamed text of the newest attempt."""
        self.likely: list[Usage] = []
        self.stopped = ""
        self._until = None if seconds is None else time.monotonic() + seconds

    def sent(self, request: Request) -> None:
        self.requests.append(request)

    def noticed(self, about: str, text: str) -> None:
        self.notices.append((about, text))

    def about_to_send(self, likely: Usage, cost: Cost) -> None:
        self.likely.append(likely)

    def streaming(self) -> None:
        self.shown = ""

    def streamed(self, text: str) -> None:
        self.shown += text

    def give_up(self) -> str:
        left = self.seconds_left()
        return self.stopped or ("time is up" if left is not None and left <= 0 else "")

    def seconds_left(self) -> float | None:
        return None if self._until is None else self._until - time.monotonic()


@pytest.fixture
def watch() -> Watching:
    return Watching()


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The waits between attempts, kept instead of waited."""
    asked: list[float] = []

    def rest(seconds: float, watch: Watch) -> float:
        asked.append(seconds)
        return seconds

    monkeypatch.setattr(call, "rest", rest)
    return asked


@pytest.fixture(scope="session")
def talk() -> Callable[..., Conversation]:
    """A conversation of the messages given, with one tool."""

    def made(*messages: Message, tools: tuple[ToolSchema, ...] = (WORD,)) -> Conversation:
        return Conversation("Answer in words.", tools, messages or (Question("Why?"),))

    return made


@pytest.fixture(params=["openai", "anthropic", "ollama"])
def wire(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=[True, False], ids=["streamed", "whole"])
def streamed(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
def hosted(wire: str, streamed: bool, loopback: Loopback) -> HostedModel:
    """A model at the loopback server, called with the canary key."""
    endpoint = replace(endpoint_of(wire, loopback.url), stream=streamed)
    return HostedModel(endpoint, "claude-haiku-4-5" if wire == "anthropic" else "gpt-5", CANARY)


@pytest.fixture
def play(store: Store, sample: Index) -> Callable[..., Run]:
    """Ask a question of a model and follow the run to its end."""

    def played(model: Model, limits: Limits | None = None) -> Run:
        tools = site_tools(sample)
        settings = settings_for(Choice(limits=limits or Limits()), sample, tools.schemas())
        run = start(store, settings, "How large is the KV cache?")
        for _ in advance(run, model, tools, settings.limits):
            pass
        return run

    return played
