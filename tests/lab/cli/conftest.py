"""What tests of the command line need: the `lab` command in this process, and in one of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from lab import places
from lab.cli import main
from lab.models.endpoints import endpoints
from lab.prepare import open_index

COMMAND = [sys.executable, "-c", "from lab.cli import main; main()"]


@dataclass(frozen=True, slots=True)
class Said:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A LAB_HOME that holds the sample site's index and no run."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LAB_HOME", str(home))
        open_index()
        assert places.cache().is_dir()
    return home


@pytest.fixture
def home(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """LAB_HOME for one test, in which no key and no model is set; the working folder is empty."""
    shutil.copytree(built, tmp_path / "home")
    monkeypatch.setenv("LAB_HOME", str(tmp_path / "home"))
    for name in ("LAB_MODEL", "LAB_DEBUG", "FORCE_COLOR", "NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    for endpoint in endpoints().values():
        monkeypatch.delenv(endpoint.key or "NONE", raising=False)
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "home"


@pytest.fixture
def lab(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Said]:
    """Run the command in this process, through its entry point."""

    def run(*words: str) -> Said:
        monkeypatch.setattr(sys, "argv", ["lab", *words])
        capsys.readouterr()
        code: Any = 0
        try:
            main()
        except SystemExit as left:
            code = left.code
        said = capsys.readouterr()
        return Said(code or 0, said.out, said.err)

    return run


@pytest.fixture
def spawn(home: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start the command in a process of its own; what still runs at the end is killed."""
    started: list[subprocess.Popen[str]] = []

    def start(*words: str, **environment: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [*COMMAND, *words],
            env={**os.environ, "PYTHONUTF8": "1", **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()
