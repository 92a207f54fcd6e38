"""`lab app`: the page, served on this machine only."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import click

from lab.cli.options import index_option
from lab.places import INDEX
from lab.prepare import InputError, open_index

PAGE = Path(__file__).resolve().parent.parent.parent / "streamlit_app.py"
END_SECONDS = 5.0
"""So long a server that was told to end may take; a second Ctrl-C is not made to wait."""


@click.command()
@click.option("--port", default=8501, show_default=True, type=click.IntRange(1, 65535))
@click.option("--address", default="127.0.0.1", show_default=True, help="Address to bind to.")
@index_option
def command(port: int, address: str, index_dir: str) -> None:
    """Serve the page, at http://127.0.0.1:8501 if not told otherwise, until Ctrl-C."""
    if not PAGE.is_file():
        raise InputError(f"{PAGE} is missing: the page comes with a checkout of the lab.")
    named = str(Path(index_dir).resolve()) if index_dir else ""
    if named:
        open_index(named)  # what is wrong with it is said here, and not on every page
    try:
        with socket.create_server((address, port)):
            pass
    except OSError as error:
        raise InputError(
            f"The page cannot be served at {address}:{port}: {error.strerror or error}. "
            "Choose another with --address and --port."
        ) from error
    call = [sys.executable, "-m", "streamlit", "run", str(PAGE)]
    call += ["--server.port", str(port), "--server.address", address, "--server.headless", "true"]
    signal.signal(signal.SIGTERM, interrupted)
    sys.exit(served(subprocess.Popen(call, cwd=PAGE.parent, env={**os.environ, INDEX: named})))


def interrupted(*_: object) -> None:
    """What Ctrl-C does."""
    raise KeyboardInterrupt


def served(server: subprocess.Popen[bytes]) -> int:
    """Wait for the server; interrupted, end it. Gives its exit code, 130 where interrupted.

    It may wait for ever for a page that is open. Nothing is lost by a kill: what runs have
    recorded is stored.
    """
    try:
        return server.wait()
    except KeyboardInterrupt:
        server.terminate()
        try:
            server.wait(END_SECONDS)
        except (subprocess.TimeoutExpired, KeyboardInterrupt):
            server.kill()
            server.wait()
        return 130
