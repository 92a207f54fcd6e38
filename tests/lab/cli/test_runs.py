"""`lab runs`: what is kept can be listed, shown, exported and resumed, also after a kill."""

from __future__ import annotations

import json
import signal
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.conftest import Loopback

QUESTION = "What limits the step size in a narrow valley?"
PROMISED = ["id", "question", "model", "started", "ended", "steps", "tokens_in", "tokens_out"]
PROMISED += ["cost"]


def events(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def rows(lab: Callable[..., Any]) -> list[dict[str, Any]]:
    return json.loads(lab("runs", "list", "--json").out)  # type: ignore[no-any-return]


def local(loopback: Loopback) -> tuple[str, ...]:
    """Words that ask a local model at the loopback server."""
    return ("ask", "Why?", "-m", "ollama/m", "--base-url", f"{loopback.url}/v1")


def wait_for(true: Callable[[], bool]) -> None:
    until = time.monotonic() + 20
    while not true():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_without_runs_the_list_says_how_to_make_one(lab: Callable[..., Any]) -> None:
    assert lab("runs", "list").out == "No runs yet. `lab ask QUESTION` makes one.\n"
    assert rows(lab) == []


def test_a_row_has_the_keys_of_the_contract_newest_first(lab: Callable[..., Any]) -> None:
    lab("ask", QUESTION)
    lab("ask", "zzyzx", "--max-steps", "1")
    second, first = rows(lab)
    assert set(PROMISED) <= set(first)
    assert (first["question"], first["model"], first["steps"]) == (QUESTION, "demo", 4)
    assert (first["end"], second["end"]) == ("answered", "step limit")
    assert first["tokens_in"] > second["tokens_in"] > 0
    assert (first["cost"], first["cost_unknown_calls"]) == (0.0, 0)
    assert first["started"] <= first["ended"]
    assert second["started"] >= first["started"]
    assert len(lab("runs", "list", "--limit", "1").lines) == 2


def test_an_unknown_cost_is_null_and_not_zero(
    lab: Callable[..., Any], loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROQ_API_KEY", "key-of-a-test")
    loopback.chat("Yes.")
    lab("ask", "Why?", "-m", "groq/m", "--base-url", loopback.url)
    (row,) = rows(lab)
    assert (row["cost"], row["cost_unknown_calls"]) == (None, 1)
    assert row["tokens_in"] > 0
    assert row["tokens_estimated"] is False


def test_show_prints_the_trace_as_it_was(lab: Callable[..., Any]) -> None:
    said = lab("ask", QUESTION)
    (row,) = rows(lab)
    for id in (row["id"], row["id"][:6], "last"):
        shown = lab("runs", "show", id)
        assert (shown.code, shown.out) == (0, said.out)


def test_export_is_one_event_a_line_with_seq_at_and_kind(lab: Callable[..., Any]) -> None:
    lab("ask", QUESTION)
    found = events(lab("runs", "export", "last").out)
    assert [event["seq"] for event in found] == list(range(len(found)))
    assert all(list(event)[:3] == ["seq", "at", "kind"] for event in found)


def test_a_beginning_that_several_runs_share_is_refused(
    lab: Callable[..., Any], home: Path
) -> None:
    for _ in range(17):
        lab("ask", "zzyzx", "--max-steps", "1", "--json")
    ids = [row["id"] for row in rows(lab)]
    shared = next(c for c in "0123456789abcdef" if sum(id.startswith(c) for id in ids) > 1)
    said = lab("runs", "show", shared)
    assert said.code == 2
    assert f"runs begin with '{shared}'" in said.err


@pytest.mark.parametrize("command", ["show", "export", "resume"])
@pytest.mark.parametrize("id", ["nothing", "", "%", "_", "last"])
def test_an_unknown_id_is_wrong_use_and_says_how_to_list_them(
    lab: Callable[..., Any], command: str, id: str
) -> None:
    said = lab("runs", command, id)
    assert (said.code, said.out) == (2, "")
    assert f"No run with id '{id}'" in said.err
    assert "lab runs list" in said.err


def test_an_answered_run_is_not_resumed(lab: Callable[..., Any]) -> None:
    lab("ask", QUESTION)
    before = lab("runs", "export", "last").out
    said = lab("runs", "resume", "last")
    assert (said.code, said.out) == (2, "")
    assert "cannot be resumed" in said.err
    assert lab("runs", "export", "last").out == before


def test_a_run_that_met_a_limit_goes_on_when_resumed(lab: Callable[..., Any]) -> None:
    assert lab("ask", QUESTION, "--max-steps", "3", "--json").code == 3
    before = events(lab("runs", "export", "last").out)
    said = lab("runs", "resume", "last", "--json")
    assert said.code == 0
    after = events(said.out)
    assert after[: len(before)] == before
    assert [event["kind"] for event in after[len(before) :]] == [
        "Reopened",
        "ModelAsked",
        "ModelReplied",
        "TurnEnded",
    ]
    assert rows(lab)[0]["end"] == "answered"


def test_a_failed_run_is_resumed_at_its_own_address(
    lab: Callable[..., Any], loopback: Loopback
) -> None:
    loopback.raw("", 400).chat("It is back.")
    assert lab(*local(loopback)).code == 5
    said = lab("runs", "resume", "last")
    assert said.code == 0
    assert "It is back." in said.out
    assert loopback.received[0].body == loopback.received[1].body


def test_a_killed_run_is_completed_and_nothing_is_asked_for_twice(
    lab: Callable[..., Any], spawn: Callable[..., Any], loopback: Loopback
) -> None:
    loopback.calling("calculate", expression="2*3").chat("Too late.").late(30)
    process = spawn(*local(loopback))
    wait_for(lambda: len(loopback.received) == 2)
    process.send_signal(signal.SIGKILL)
    assert process.wait(10) == -signal.SIGKILL
    (row,) = rows(lab)
    assert (row["end"], row["ended"], row["steps"]) == (None, None, 1)
    before = events(lab("runs", "export", "last").out)
    assert [event["kind"] for event in before][-2:] == ["ToolFinished", "ModelAsked"]

    loopback.chat("It is 6.")
    said = lab("runs", "resume", row["id"][:8])
    assert said.code == 0
    assert "It is 6." in said.out
    assert len(loopback.received) == 3
    assert loopback.received[2].body == loopback.received[1].body
    after = events(lab("runs", "export", "last").out)
    assert after[: len(before)] == before
    kinds = [event["kind"] for event in after]
    assert kinds.count("ToolStarted") == kinds.count("ToolFinished") == 1
    assert rows(lab)[0]["end"] == "answered"


def test_a_missing_key_keeps_a_run_from_being_resumed_and_changes_nothing(
    lab: Callable[..., Any], loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROQ_API_KEY", "key-of-a-test")
    loopback.raw("", 503)
    assert lab("ask", "Why?", "-m", "groq/m", "--base-url", loopback.url).code == 5
    before = lab("runs", "export", "last").out
    monkeypatch.delenv("GROQ_API_KEY")
    said = lab("runs", "resume", "last")
    assert (said.code, said.out) == (2, "")
    assert "GROQ_API_KEY" in said.err
    assert lab("runs", "export", "last").out == before


def test_a_store_of_a_newer_version_is_left_alone(lab: Callable[..., Any], home: Path) -> None:
    lab("ask", QUESTION)
    with sqlite3.connect(home / "runs.db") as db:
        db.execute("pragma user_version = 99")
    db.close()
    said = lab("runs", "list")
    assert said.code == 2
    assert "newer version" in said.err
    assert said.err.count("\n") == 1


def test_a_table_in_a_pipe_is_at_most_100_columns_of_plain_text(lab: Callable[..., Any]) -> None:
    lab("ask", "step size " * 500)
    said = lab("runs", "list")
    assert max(len(line) for line in said.lines) <= 100
    assert "\x1b" not in said.out
