"""The command as a whole: its help, its version, and how wrong use is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lab.cli import COMMANDS

RUNS = ("list", "show", "export", "resume", "replay", "fork")


@pytest.mark.parametrize(
    "words", [(), *((name,) for name in COMMANDS), *(("runs", name) for name in RUNS)]
)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_every_command_has_help(lab: Callable[..., Any], words: tuple[str, ...], flag: str) -> None:
    said = lab(*words, flag)
    assert (said.code, said.err) == (0, "")
    assert said.out.startswith(f"Usage: {' '.join(['lab', *words])} ")


def test_the_help_names_every_command_with_what_it_does(lab: Callable[..., Any]) -> None:
    out = " ".join(lab("--help").out.split())
    assert [name for name, about in COMMANDS.items() if f"{name} {about}" not in out] == []


def test_the_help_of_ask_names_every_exit_code(lab: Callable[..., Any]) -> None:
    out = " ".join(lab("ask", "--help").out.split())
    codes = ["0 answered", "2 wrong use", "3 a limit", "4 refused", "5 the model", "130 stopped"]
    assert [code for code in codes if code not in out] == []


def test_the_version_is_that_of_the_package(lab: Callable[..., Any]) -> None:
    assert lab("--version").out.startswith("lab, version ")


@pytest.mark.parametrize(
    ("words", "mentions"),
    [
        (("dance",), "No such command 'dance'"),
        (("ask",), "Missing argument 'QUESTION'"),
        (("ask", "Why?", "--max-steps", "0"), "--max-steps"),
        (("ask", "Why?", "--max-cost", "free"), "--max-cost"),
        (("ask", "Why?", "--max-seconds", "0"), "--max-seconds"),
        (("ask", "Why?", "--protocol", "xml"), "--protocol"),
        (("ask", "Why?", "--verbose"), "--verbose"),
        (("ask", "Why?", "-m", "nowhere/m"), "Unknown model 'nowhere/m'"),
        (("ask", "Why?", "-m", "scripted:none.json"), "cannot be read"),
        (("ask", "Why?", "-m", "anthropic/claude-sonnet-5"), "set ANTHROPIC_API_KEY"),
        (("ask", "Why?", "-m", "ollama/m", "--base-url", "localhost"), "begins with http://"),
        (("ask", "Why?", "--index", "nowhere"), "nowhere"),
        (("search", "cache", "--limit", "0"), "--limit"),
        (("search", "cache", "--index", "nowhere"), "nowhere"),
        (("tool",), "Missing argument 'NAME'"),
        (("tool", "calculate", "{}", "--index", "nowhere"), "nowhere"),
        (("index", "somewhere"), "--out"),
        (("search-eval", "nowhere.jsonl"), "nowhere.jsonl"),
        (("runs", "show", "nothing"), "No run with id 'nothing'"),
        (("runs", "export", ""), "No run with id ''"),
        (("runs", "resume", "last"), "No run with id 'last'"),
        (("app", "--port", "0"), "--port"),
        (("app", "--index", "nowhere"), "nowhere"),
    ],
    ids=" ".join,
)
def test_wrong_use_is_exit_code_2_with_the_fault_on_stderr_alone(
    lab: Callable[..., Any], words: tuple[str, ...], mentions: str
) -> None:
    said = lab(*words)
    assert (said.code, said.out) == (2, "")
    assert mentions in said.err
    assert "Traceback" not in said.err
    assert list(Path().iterdir()) == []


def test_a_home_that_is_a_file_is_named(
    lab: Callable[..., Any], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "file").write_text("")
    monkeypatch.setenv("LAB_HOME", str(home / "file"))
    said = lab("runs", "list")
    assert said.code == 2
    assert str(home / "file") in said.err
    assert "LAB_HOME names another folder" in said.err
    assert said.err.count("\n") == 1
