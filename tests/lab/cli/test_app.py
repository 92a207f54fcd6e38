"""How `lab app` ends its server; what the server serves is tried in `tests/lab/app`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from lab.cli import app

STUBBORN = """
import signal, time
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, signal.SIG_IGN)
print("ready", flush=True)
time.sleep(60)
"""
OBEDIENT = "import time; print('ready', flush=True); time.sleep(60)"


def begun(script: str) -> subprocess.Popen[bytes]:
    """A server that runs."""
    server = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    assert server.stdout is not None
    with server.stdout as said:
        assert said.readline() == b"ready\n"
    return server


def signalled(number: signal.Signals, *seconds: float) -> None:
    """Have this process get a signal after each of these times."""
    for each in seconds:
        threading.Timer(each, os.kill, (os.getpid(), number)).start()


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(app, "END_SECONDS", 1.0)
    before = signal.signal(signal.SIGTERM, app.interrupted)
    yield
    signal.signal(signal.SIGTERM, before)


def test_a_server_that_ends_by_itself_gives_its_exit_code() -> None:
    assert app.served(subprocess.Popen([sys.executable, "-c", "raise SystemExit(3)"])) == 3


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("script", [OBEDIENT, STUBBORN])
def test_ctrl_c_and_sigterm_end_the_server_whether_it_obeys_or_not(
    script: str, number: signal.Signals
) -> None:
    server = begun(script)
    signalled(number, 0.2)
    assert app.served(server) == 130
    assert server.returncode is not None


def test_a_second_ctrl_c_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "END_SECONDS", 60.0)
    server = begun(STUBBORN)
    signalled(signal.SIGINT, 0.2, 0.6)
    started = time.monotonic()
    assert app.served(server) == 130
    assert time.monotonic() - started < 30
