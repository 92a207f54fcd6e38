"""Faults played to the command itself, in a process of its own: exit codes, and what it prints."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from faults.said import Wire
from faults.server import FaultServer, Session
from faults.signs import calls, results
from faults.table import FAULTS

from indexer.index import Index
from lab.codec import event_from_json
from lab.events import Event, ModelAsked, TurnEnded

KEY = "sk-canary-of-the-command"
BY_NAME = {fault.name: fault for fault in FAULTS}

ENDPOINTS = "".join(
    f'[{wire}-{mode}]\nwire = "{wire}"\nbase_url = "http://127.0.0.1:1"\nkey = "PLAYED_KEY"\n'
    f"stream = {str(mode == 'streamed').lower()}\n\n"
    for wire in ("openai", "anthropic", "ollama")
    for mode in ("streamed", "whole")
)
"""The user's own entries: no more is needed to reach the server."""

CASES: tuple[tuple[str, Wire, str], ...] = (
    ("Good run", "openai", "streamed"),
    ("An answer cut off", "openai", "whole"),
    ("A refusal without content", "anthropic", "streamed"),
    ("401 that quotes the key", "anthropic", "whole"),
    ("An answer slower than the time budget", "anthropic", "streamed"),
)

Start: TypeAlias = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start(site: Index, tmp_path: Path) -> Iterator[Start]:
    """Start the command with a home and endpoints of its own."""
    site.save(tmp_path / "index")
    (tmp_path / "endpoints.toml").write_text(ENDPOINTS, encoding="utf-8")
    own = {"LAB_HOME": str(tmp_path / "home"), "LAB_ENDPOINTS": str(tmp_path / "endpoints.toml")}
    begun: list[subprocess.Popen[str]] = []

    def started(*words: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", "from lab.cli import main; main()", *words],
            env={**os.environ, **own, "PLAYED_KEY": KEY, "PYTHONUTF8": "1"},
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        begun.append(process)
        return process

    yield started
    for process in begun:
        process.kill()
        process.communicate()


def ask(start: Start, session: Session, endpoint: str, *more: str) -> subprocess.Popen[str]:
    """`lab ask --json` at the session's address."""
    named = ("-m", f"{endpoint}/played", "--base-url", session.address, "--index", "index")
    return start("ask", "What is the answer?", *named, *more, "--json")


def read(line: str) -> Event:
    """An event as the command prints it."""
    values: dict[str, Any] = json.loads(line)
    return event_from_json({k: v for k, v in values.items() if k not in ("seq", "at")})


@pytest.mark.parametrize("case", CASES, ids="-".join)
def test_lab_ask_ends_with_the_code_of_the_table_and_prints_every_event(
    case: tuple[str, Wire, str], server: FaultServer, start: Start, tmp_path: Path
) -> None:
    name, wire, mode = case
    fault = BY_NAME[name]
    session = server.session(fault)
    limit = ("--max-seconds", str(3 * (fault.limits.seconds or 0)))  # loading the SDK counts too
    process = ask(start, session, f"{wire}-{mode}", *limit)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (fault.exit, "")
    events = [read(line) for line in out.splitlines()]
    assert isinstance(events[-1], TurnEnded)
    assert events[-1].reason == fault.end
    assert [e.request.body.encode() for e in events if isinstance(e, ModelAsked)] == session.bodies
    assert [c.id for c in calls(events)] == [r.call_id for r in results(events)]
    kept = b"".join(file.read_bytes() for file in (tmp_path / "home").rglob("*") if file.is_file())
    assert session.keys <= {KEY}
    assert "sk-canary" not in out
    assert b"sk-canary" not in kept


def test_ctrl_c_while_an_answer_comes_ends_with_130(server: FaultServer, start: Start) -> None:
    fault = BY_NAME["Stop while an answer is awaited or streamed"]
    session = server.session(fault)
    process = ask(start, session, "openai-streamed")
    until = time.monotonic() + 60
    while not session.bodies and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == fault.exit
    assert isinstance(end := read(out.splitlines()[-1]), TurnEnded)
    assert end.reason == "stopped"


def test_a_run_whose_answer_broke_off_is_resumed_to_its_answer(
    server: FaultServer, start: Start
) -> None:
    session = server.session(BY_NAME["An answer that breaks off"])
    asked = ask(start, session, "openai-streamed")
    asked.communicate(timeout=60)
    resumed = start("runs", "resume", "last", "--json")
    out, err = resumed.communicate(timeout=60)
    assert (asked.returncode, resumed.returncode, err) == (5, 0, "")
    assert '"reason": "answered"' in out.splitlines()[-1]
