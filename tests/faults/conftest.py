"""What the fault tests need: the server, a small site, and one fault played from end to end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from faults.fault import Fault
from faults.of_tools import PAGES, tools_that_end
from faults.said import Wire
from faults.server import FaultServer, Session

from indexer.index import Index
from lab.events import Asked, RunStarted, ToolStarted
from lab.models import call
from lab.models.endpoints import Endpoint
from lab.models.hosted import HostedModel
from lab.run import Run
from lab.runner import Runner
from lab.settings import Limits, Settings
from lab.store import Store
from lab.tools.toolbox import Toolbox

PATIENCE_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Played:
    """One session of a fault, gone through to the end of its question."""

    session: Session
    key: str
    run: Run
    endpoint: Endpoint
    tools: Toolbox
    store: Path

    def ask_again(self, question: str) -> Run:
        """A further question, in the run as a new process would load it."""
        self.session.over = True
        run = Store(self.store).load(self.run.id)
        run.record(Asked(question))
        model = HostedModel(self.endpoint, "played", self.key)
        finish(Runner(run, model, self.tools, Limits()))
        return run


Play = Callable[[Fault, Wire, bool], list[Played]]


@pytest.fixture(scope="session")
def server() -> Iterator[FaultServer]:
    import anthropic  # noqa: F401  loaded before, so that a short budget is spent on the answer
    import openai  # noqa: F401

    with FaultServer() as playing, tools_that_end():
        yield playing


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """A site of few pages, one of them hostile."""
    folder = tmp_path_factory.mktemp("site")
    for name, text in PAGES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return Index.build(folder)[0]


@pytest.fixture
def no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits between attempts take no time, and count as if they had."""
    monkeypatch.setattr(call, "rest", lambda seconds, watch: seconds)


@pytest.fixture
def play(server: FaultServer, site: Index, tmp_path: Path, no_waits: None) -> Play:
    """Play a fault in all its sessions at once, each to the end of its question."""

    def played(fault: Fault, wire: Wire, streamed: bool) -> list[Played]:
        store, tools = tmp_path / "runs.db", fault.tools(site)
        begun = []
        for number in range(fault.sessions):
            session, key = server.session(fault), f"sk-canary-{number}-of-{fault.slug}"
            entry = {"cap": 4096, "stream": streamed, **fault.endpoint}
            endpoint = Endpoint("played", wire, session.address, **entry)
            settings = Settings("played/played", "Answer.", tools.schemas(), fault.limits)
            run = Store(store).start(RunStarted(settings))
            run.record(Asked("What is the answer?"))
            begun.append(Played(session, key, run, endpoint, tools, store))
        runners = [
            Runner(p.run, HostedModel(p.endpoint, "played", p.key), p.tools, fault.limits)
            for p in begun
        ]
        for one, runner in zip(begun, runners, strict=True):
            if fault.stop:
                wait_for_the_moment(one, streamed)
                runner.stop()
            finish(runner)
        return begun

    return played


def wait_for_the_moment(played: Played, streamed: bool) -> None:
    """Return when the moment has come in which the fault wants Stop to be pressed."""

    def now() -> bool:
        if played.session.fault.stop == "tool":
            return any(isinstance(event, ToolStarted) for event in played.run.events)
        return bool(played.run.streamed if streamed else played.session.bodies)

    until = time.monotonic() + PATIENCE_SECONDS
    while not now() and time.monotonic() < until:
        time.sleep(0.01)


def finish(runner: Runner) -> None:
    """Wait for the end of the question."""
    runner.join(PATIENCE_SECONDS)
    assert not runner.working, "the run does not end"
    if runner.error:
        raise runner.error
