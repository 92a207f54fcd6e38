"""A run in a thread: it can be followed, stopped, and killed without loss."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from indexer.index import Index
from lab.events import (
    Asked,
    ModelReplied,
    Reopened,
    RunStarted,
    StopAsked,
    ToolFinished,
    ToolStarted,
    TurnEnded,
)
from lab.loop import NeedConsent, next_need
from lab.messages import Reply, ToolCall
from lab.models.scripted import Scripted
from lab.prepare import reopen
from lab.run import Run
from lab.runner import Runner
from lab.settings import Limits, Settings
from lab.store import Store, StoreError
from lab.tools.tool import tool
from lab.tools.toolbox import Toolbox

Begun = Callable[..., Run]
Drive = Callable[..., Run]
Tools = Callable[..., Toolbox]

ECHO = ToolCall("", "echo", {"text": "x"})
WAIT = ToolCall("", "wait", {})
ANSWER = Reply("It is this.")


def test_a_reader_sees_every_event_while_the_run_goes_on(begun: Begun, small_tools: Tools) -> None:
    run = begun()
    runner = Runner(run, Scripted([Reply("", (ECHO,)), ANSWER]), small_tools(), Limits())
    seen = 0
    while not run.turn_is_over():
        assert run.wait(seen, 30)
        seen = len(run)
    runner.join(30)
    assert not runner.working
    assert runner.error is None
    assert run.end() == TurnEnded("answered", "It is this.")


def test_stop_interrupts_a_tool_answers_every_call_and_the_run_can_go_on(
    begun: Begun, drive: Drive, assert_paired: Callable[..., None]
) -> None:
    running, release = threading.Event(), threading.Event()

    def wait() -> str:
        """Wait."""
        running.set()
        release.wait(60)
        return "waited"

    tools, model = Toolbox([tool(wait)]), Scripted([Reply("", (WAIT, WAIT)), ANSWER])
    run = begun()
    runner = Runner(run, model, tools, Limits())
    assert running.wait(30)
    runner.stop()
    runner.stop()
    runner.join(30)
    release.set()
    assert run.end() == TurnEnded("stopped", detail="Stopped by the person.")
    assert [e.content for e in run.events if isinstance(e, ToolFinished)] == [
        "wait did not finish: stopped by the person.",
        "Not run: the person stopped the run.",
    ]
    assert sum(isinstance(e, StopAsked) for e in run.events) == 1
    assert_paired(run.messages())
    run.record(Reopened())
    assert drive(run, model, tools).end() == TurnEnded("answered", "It is this.")


def test_stop_after_the_end_records_nothing(begun: Begun, small_tools: Tools) -> None:
    run = begun()
    runner = Runner(run, Scripted([ANSWER]), small_tools(), Limits())
    runner.join(30)
    before = run.events
    runner.stop()
    assert run.events == before


def test_a_run_that_waits_for_a_person_leaves_its_thread(begun: Begun, small_tools: Tools) -> None:
    run, tools = begun(), small_tools()
    send = ToolCall("", "send", {"to": "me"})
    runner = Runner(run, Scripted([Reply("", (send,)), ANSWER]), tools, Limits())
    runner.join(30)
    assert not runner.working
    assert isinstance(next_need(run, tools, Limits()), NeedConsent)


def test_a_full_disk_ends_the_thread_with_the_reason_and_the_run_goes_on_later(
    store: Store, settings: Settings, drive: Drive, small_tools: Tools
) -> None:
    run = store.start(RunStarted(settings))
    run.record(Asked("x"))
    model = Scripted([Reply("", (ToolCall("", "echo", {"text": "x" * 15_000}),)), ANSWER])
    [[pages]] = store._db.execute("pragma page_count")
    store._db.execute(f"pragma max_page_count = {pages + 3}")
    runner = Runner(run, model, small_tools(), Limits())
    runner.join(30)
    assert isinstance(runner.error, StoreError)
    assert run.end() is None
    assert store.load(run.id).recorded == run.recorded
    store._db.execute("pragma max_page_count = 100000")
    assert drive(store.load(run.id), model, small_tools()).end() == TurnEnded(
        "answered", "It is this."
    )


KILLED = """
import sys, time
from pathlib import Path
from lab.events import Asked, RunStarted
from lab.messages import Reply, ToolCall
from lab.models.scripted import Scripted
from lab.loop import advance
from lab.settings import Limits, Settings
from lab.store import Store
from lab.tools.tool import tool
from lab.tools.toolbox import Toolbox

def echo(text: str) -> str:
    "Return the text."
    return text

def wait() -> str:
    "Wait."
    print("waiting", flush=True)
    time.sleep(600)
    return "waited"

tools = Toolbox([tool(echo), tool(wait)])
run = Store(Path(sys.argv[1])).start(RunStarted(Settings("m", "", tools.schemas())))
run.record(Asked("x"))
reply = Reply("", (ToolCall("a", "echo", {"text": "x"}), ToolCall("b", "wait", {})))
for _ in advance(run, Scripted([reply]), tools, Limits()):
    pass
"""


def test_a_killed_process_loses_nothing_and_what_it_did_is_not_done_again(
    tmp_path: Path, small_index: Index, drive: Drive
) -> None:
    path, log = tmp_path / "runs.db", []
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, path], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    with process.stdout as lines:
        assert lines.readline() == "waiting\n"
    process.kill()
    assert process.wait(30) == -signal.SIGKILL

    def echo(text: str) -> str:
        """Return the text."""
        log.append("echo")
        return text

    def wait() -> str:
        """Wait."""
        log.append("wait")
        return "waited"

    store = Store(path)
    run = store.load("last")
    before = run.recorded
    assert isinstance(before[-1].event, ToolStarted)
    assert reopen(run, small_index) == ""
    never_asked = Reply("", fault="A reply that was recorded is asked for again.")
    drive(run, Scripted([never_asked, ANSWER]), Toolbox([tool(echo), tool(wait)]))
    assert log == ["wait"]
    assert run.end() == TurnEnded("answered", "It is this.")
    assert run.recorded[: len(before)] == before
    assert sum(isinstance(e, ModelReplied) for e in run.events) == 2
    assert store.load("last").recorded == run.recorded
    store.close()


@pytest.mark.parametrize("timeout", [0.0, 0.01])
def test_waiting_for_events_that_do_not_come_ends(timeout: float, begun: Begun) -> None:
    run = begun()
    assert run.wait(len(run) - 1, timeout)
    assert not run.wait(len(run), timeout)


class Heavy(Scripted):
    """A model that takes a while to load, and fails to where it is told so."""

    def __init__(self, seconds: float, fault: str = "") -> None:
        super().__init__([ANSWER])
        self._seconds, self._fault = seconds, fault

    def load(self) -> None:
        time.sleep(self._seconds)
        if self._fault:
            raise RuntimeError(self._fault)


def test_loading_the_model_counts_against_no_limit(begun: Begun, small_tools: Tools) -> None:
    run = begun()
    Runner(run, Heavy(seconds=0.3), small_tools(), Limits(seconds=0.2)).join(30)
    assert run.end() == TurnEnded("answered", ANSWER.text)
    assert run.totals().seconds < 0.2


def test_a_model_that_fails_to_load_is_asked_all_the_same(begun: Begun, small_tools: Tools) -> None:
    run = begun()
    runner = Runner(run, Heavy(0.0, fault="no such file"), small_tools(), Limits())
    runner.join(30)
    assert runner.error is None
    assert run.end() == TurnEnded("answered", ANSWER.text)


WIRES = [("anthropic", "openai"), ("openai", "anthropic")]


@pytest.mark.parametrize(("wire", "other"), WIRES)
def test_a_model_loads_the_sdk_of_its_own_wire_alone(wire: str, other: str) -> None:
    said = subprocess.run(
        [sys.executable, "-c", LOADING.format(wire=wire, other=other)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.split() == ["False", "True", "False"]


LOADING = """
import sys
from lab.models.endpoints import Endpoint
from lab.models.hosted import HostedModel
model = HostedModel(Endpoint("e", "{wire}", "http://127.0.0.1:9"), "m")
print("{wire}" in sys.modules)
model.load()
print("{wire}" in sys.modules, "{other}" in sys.modules)
"""
