"""What tests of the lab share: small tools, runs in memory and on disk, a way to drive them,
steps to draw.

The one fake model is `Scripted`, which plays replies from a queue.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from indexer.index import Index
from lab.events import Asked, ConsentGiven, RunStarted, ToolFinished
from lab.loop import NeedConsent, advance, next_need
from lab.messages import (
    Attempt,
    Cost,
    Exchange,
    Message,
    Reply,
    Request,
    ToolCall,
    ToolResult,
    Usage,
)
from lab.models.model import Model
from lab.run import Recorded, Run
from lab.settings import Limits, Settings
from lab.steps import CallView, Step, Turn, turns
from lab.store import Store
from lab.tools.tool import tool
from lab.tools.toolbox import Toolbox


def _small_tools(log: list[str] | None = None) -> Toolbox:
    """Four tools that write to `log` when they run; `send` has effects."""
    ran = [] if log is None else log

    def echo(text: str) -> str:
        """Return the text."""
        ran.append(f"echo {text}")
        return text

    def add(a: int, b: int) -> str:
        """Return the sum."""
        ran.append(f"add {a} {b}")
        return str(a + b)

    def broken() -> str:
        """Fail."""
        ran.append("broken")
        raise RuntimeError("it is broken")

    def send(to: str) -> str:
        """Send a letter."""
        ran.append(f"send {to}")
        return f"sent to {to}"

    return Toolbox([tool(echo), tool(add), tool(broken), tool(send, has_effects=True)])


def _settings() -> Settings:
    return Settings("scripted:test", "You are tested.", _small_tools().schemas())


def _begun(recorded: Iterable[Recorded] = ()) -> Run:
    """A run in memory: a new one with its question asked, or one with these events."""
    run = Run("run", recorded)
    if not len(run):
        run.record(RunStarted(_settings()))
        run.record(Asked("What is it?"))
    return run


def _agree(call: ToolCall) -> ConsentGiven:
    return ConsentGiven(call.id, allowed=True)


def _drive(
    run: Run,
    model: Model | None,
    tools: Toolbox,
    limits: Limits | None = None,
    decide: Callable[[ToolCall], ConsentGiven] = _agree,
) -> Run:
    """Advance until the run ends or waits for a model elsewhere; a person decides at once."""
    limits = limits or Limits()
    while True:
        for _ in advance(run, model, tools, limits):
            pass
        need = next_need(run, tools, limits)
        if not isinstance(need, NeedConsent):
            return run
        run.record(decide(need.call))


def _assert_paired(messages: Iterable[Message]) -> None:
    """Every call has one result, in call order, before anything else is said."""
    waiting: list[str] = []
    seen: set[str] = set()
    for message in messages:
        if isinstance(message, ToolResult):
            assert waiting, f"a result for {message.call_id} that nobody waits for"
            assert message.call_id == waiting.pop(0)
            assert message.content
            continue
        assert not waiting, f"{message} before the results of {waiting}"
        if isinstance(message, Reply):
            waiting = [call.id for call in message.calls]
            assert len({*waiting, *seen}) == len(waiting) + len(seen), "an id was used twice"
            seen |= set(waiting)
    assert not waiting, f"no result for {waiting}"


def _call(name: str, id: str = "", **arguments: object) -> ToolCall:
    return ToolCall(id, name, arguments)


@pytest.fixture(scope="session")
def small_tools() -> Callable[..., Toolbox]:
    """Make echo, add, broken and send; pass a list to see what ran."""
    return _small_tools


@pytest.fixture(scope="session")
def settings() -> Settings:
    """Settings of a scripted run with the small tools."""
    return _settings()


@pytest.fixture(scope="session")
def begun() -> Callable[..., Run]:
    """Begin a run in memory."""
    return _begun


@pytest.fixture(scope="session")
def drive() -> Callable[..., Run]:
    """Drive a run as far as it goes, with somebody there who decides."""
    return _drive


@pytest.fixture(scope="session")
def assert_paired() -> Callable[[Sequence[Message]], None]:
    """Fail where a conversation could not be sent again."""
    return _assert_paired


@pytest.fixture(scope="session")
def call() -> Callable[..., ToolCall]:
    """Make a call: its name, then its arguments by name."""
    return _call


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store in a file of its own."""
    made = Store(tmp_path / "runs.db")
    yield made
    made.close()


@pytest.fixture(scope="session")
def small_index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """The index of a site with two short pages."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "tides.md").write_text("# Tides\n\nThe moon pulls the sea.\n", encoding="utf-8")
    (folder / "winds.md").write_text("# Winds\n\nThe sun warms the air.\n", encoding="utf-8")
    return Index.build(folder)[0]


def _step(number: int = 1, **reply: Any) -> Step:
    usage = Usage(reply.pop("tokens_in", 100), 10, estimated=reply.pop("estimated", False))
    exchange = Exchange(attempts=(Attempt(200, 1.5),), cost=Cost(reply.pop("usd", 0.01), "a price"))
    said = Reply(reply.pop("text", ""), usage=usage, **reply)
    request = Request("POST", "https://api.example/v1", "{}", {})
    return Step(number, request, said, exchange, calls=[CallView(call) for call in said.calls])


@pytest.fixture(scope="session")
def step() -> Callable[..., Step]:
    """Make a step with its reply: fields of the reply, tokens_in, estimated, usd."""
    return _step


def _called(name: str, result: str, failed: bool = False, **arguments: Any) -> Step:
    made = _step(calls=(ToolCall("c1", name, arguments),))
    made.calls = [CallView(made.calls[0].call, True, ToolFinished("c1", result, failed, 0.25))]
    return made


@pytest.fixture(scope="session")
def called() -> Callable[..., Step]:
    """Make a step with one finished call: tool, result, failed, arguments."""
    return _called


@pytest.fixture(scope="session")
def turn() -> Callable[..., Turn]:
    """Make a turn of these steps."""

    def made(*steps: Step) -> Turn:
        [of] = turns([Asked("What is it?")])
        of.steps = list(steps)
        return of

    return made
