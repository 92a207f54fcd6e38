"""`lab runs export --html` and `lab runs replay`: a saved run as a file, and asked again."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SAME = "The run asks for the same things in the same order."
QUESTION = "What limits the step size in a narrow valley?"
CANARY = "sk-canary-0123456789"


def tampered(home: Path, statement: str) -> None:
    db = sqlite3.connect(home / "runs.db")
    with db:
        assert db.execute(statement).rowcount == 1
    db.close()


@pytest.mark.parametrize("words", [(), ("--max-steps", "2"), ("--model", "scripted:hasty")])
def test_a_run_replayed_asks_for_the_same(lab: Callable[..., Any], words: tuple[str, ...]) -> None:
    lab("ask", QUESTION, *words)
    before = lab("runs", "export", "last").out
    said = lab("runs", "replay", "last")
    assert (said.code, said.err, said.lines[-1]) == (0, "", SAME)
    assert lab("runs", "export", "last").out == before


def test_a_resumed_run_asks_for_the_same(lab: Callable[..., Any]) -> None:
    lab("ask", QUESTION, "--max-steps", "2")
    lab("runs", "resume", "last")
    said = lab("runs", "replay", "last")
    assert (said.code, said.lines[-1]) == (0, SAME)
    assert "going on" in said.out


def test_every_event_stands_beside_what_was_needed(lab: Callable[..., Any]) -> None:
    lab("ask", QUESTION)
    said = lab("runs", "replay", "last")
    assert max(len(line) for line in said.lines) <= 100
    rows = [line.split(maxsplit=1) for line in said.lines[1:-2]]
    assert rows[2][0] == "2–3"
    assert rows[2][1].split("  ")[0] == "a reply"
    assert "to run search_site" in said.out


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("delete from events where seq = 4", "Event 4 is missing."),
        (
            "update events set kind = 'StopAsked', json = '{}' where seq = 2",
            "Event 4: the run needs",
        ),
        (
            "update events set json = replace(json, 'answered', 'stopped') where kind='TurnEnded'",
            "the run needs its end: answered; recorded is the end: stopped, with something else",
        ),
    ],
)
def test_the_first_event_that_was_changed_is_named(
    lab: Callable[..., Any], home: Path, statement: str, said: str
) -> None:
    lab("ask", QUESTION)
    tampered(home, statement)
    replayed = lab("runs", "replay", "last")
    assert replayed.code == 1
    assert said in replayed.lines[-1]
    assert SAME not in replayed.out


def test_a_page_is_written_and_said_where(lab: Callable[..., Any]) -> None:
    lab("ask", QUESTION)
    said = lab("runs", "export", "last", "--html", "run.html")
    assert (said.code, said.err) == (0, "")
    assert said.out.endswith(" is in run.html.\n")
    html = Path("run.html").read_text(encoding="utf-8")
    assert html.startswith("<!doctype html>")
    assert QUESTION in html
    assert "https://contour-notes.example/" in html


def test_a_page_whose_site_is_gone_has_no_sources_and_says_so(
    lab: Callable[..., Any], tmp_path: Path
) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "tides.md").write_text("# Tides\n\nThe moon pulls the sea.\n")
    lab("index", str(tmp_path / "site"), "--out", str(tmp_path / "index"))
    lab("ask", "What pulls the sea?", "--index", str(tmp_path / "index"))
    (tmp_path / "index").rename(tmp_path / "elsewhere")
    said = lab("runs", "export", "last", "--html", "run.html")
    assert said.code == 0
    assert said.err.startswith("Its sources cannot be shown: ")
    assert "What pulls the sea?" in Path("run.html").read_text(encoding="utf-8")


def test_a_file_that_cannot_be_written_is_named(lab: Callable[..., Any]) -> None:
    lab("ask", QUESTION)
    said = lab("runs", "export", "last", "--html", "no/such/run.html")
    assert (said.code, said.out) == (2, "")
    assert "no/such/run.html cannot be written" in said.err


def test_no_key_is_in_the_page(
    lab: Callable[..., Any], loopback: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROQ_API_KEY", CANARY)
    loopback.chat("Yes.")
    lab("ask", "Why?", "-m", "groq/m", "--base-url", loopback.url)
    assert lab("runs", "export", "last", "--html", "run.html").code == 0
    html = Path("run.html").read_text(encoding="utf-8")
    assert CANARY not in html
    assert "exactly as it left" in html
    assert lab("runs", "replay", "last").lines[-1] == SAME
