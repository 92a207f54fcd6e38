"""`lab runs fork`: one event of a saved run is changed, and the rest is run anew as a new run."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.conftest import Loopback

QUESTION = "How much KV cache does Llama 3.1 8B need per token?"
HIT = "1 passage, best first:\n\n[kv-cache-sizing#grouped-heads] KV cache sizing\nHeads."
SAME = "The run asks for the same things in the same order."
ASKED, REPLY, RESULT, ANSWER = 1, 3, 5, -2
Lab = Callable[..., Any]


def rows(lab: Lab) -> list[dict[str, Any]]:
    return json.loads(lab("runs", "list", "--json").out)  # type: ignore[no-any-return]


def events(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def written(name: str, text: str) -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


def test_a_fork_goes_on_from_another_result_and_is_kept_beside_its_parent(lab: Lab) -> None:
    lab("ask", QUESTION)
    before = lab("runs", "export", "last").out
    said = lab("runs", "fork", "last", "--at", str(RESULT), "--result", written("r", f"{HIT}\n"))
    assert (said.code, said.err) == (0, "")
    assert "read_passage kv-cache-sizing#grouped-heads" in said.out
    assert "another result of search_site" in " ".join(said.out.split())
    fork, parent = rows(lab)
    assert (fork["parent"], fork["parent_seq"]) == (parent["id"], RESULT)
    assert (parent["parent"], fork["question"]) == (None, QUESTION)
    assert "↳ How much" in lab("runs", "list").out
    found = events(lab("runs", "export", fork["id"]).out)
    assert found[RESULT]["content"] == HIT
    old = events(before)
    assert [e["kind"] for e in found[:RESULT]] == [e["kind"] for e in old[:RESULT]]
    assert lab("runs", "export", parent["id"]).out == before
    assert lab("runs", "show", fork["id"]).out == said.out
    assert lab("runs", "replay", fork["id"]).lines[-1] == SAME


def test_with_json_nothing_but_events_is_printed(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    lab("ask", QUESTION)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(HIT.encode()), "utf-8"))
    said = lab("runs", "fork", "last", "--at", "5", "--result", "-", "--error", "--json")
    found = events(said.out)
    assert (found[RESULT]["content"], found[RESULT]["failed"]) == (HIT, True)
    assert said.out == lab("runs", "export", "last").out


@pytest.mark.parametrize(
    ("words", "seq", "holds"),
    [
        (["--question", "What is 2 + 3?"], ASKED, '"question": "What is 2 + 3?"'),
        (["--at", "3", "--arguments", '{"query": "heads"}'], REPLY, '{"query": "heads"}'),
        (["--at", "LAST", "--answer", "file"], ANSWER, '"text": "So."'),
        (["--system", "file"], 0, '"system": "So."'),
        (["--description", "calculate", "Sums."], 0, '"description": "Sums."'),
        (["--model", "scripted:hasty"], 0, '"model": "scripted:hasty"'),
    ],
)
def test_whatever_can_be_changed_has_a_flag(
    lab: Lab, words: list[str], seq: int, holds: str
) -> None:
    lab("ask", QUESTION)
    written("file", "So.\n")
    last = len(events(lab("runs", "export", "last").out)) + ANSWER
    said = lab("runs", "fork", "last", *(word.replace("LAST", str(last)) for word in words))
    assert (said.code, said.err) == (0, "")
    event = events(lab("runs", "export", "last").out)[last if seq == ANSWER else seq]
    assert holds in json.dumps(event)
    assert said.lines[0].startswith("fork: Forked from run ") == (seq <= ASKED and seq != ANSWER)


def test_a_fork_uses_the_index_of_its_run(lab: Lab) -> None:
    site = Path("site")
    site.mkdir()
    (site / "tides.md").write_text("# Tides\n\nThe moon pulls the sea twice a day.\n")
    assert lab("index", "site", "--out", "tides").code == 0
    lab("ask", "What pulls the sea?", "--index", "tides")
    lab("runs", "fork", "last", "--question", "What does the moon pull?")
    found = events(lab("runs", "export", "last").out)
    assert "The moon pulls the sea" in json.dumps(found)
    assert found[0]["settings"]["index"] == str(Path("tides").resolve())
    Path("tides").rename("gone")
    said = lab("runs", "fork", "last", "--question", "Why?")
    assert (said.code, said.out) == (2, "")
    assert "tides" in said.err


def test_a_fork_is_asked_at_the_address_of_its_run(lab: Lab, loopback: Loopback) -> None:
    loopback.calling("calculate", expression="2*3").chat("It is 6.").chat("It is 7.")
    address = f"{loopback.url}/v1"
    assert lab("ask", "Why?", "-m", "ollama/m", "--base-url", address).code == 0
    said = lab("runs", "fork", "last", "--at", "5", "--result", written("r", "7"))
    assert (said.code, "It is 7." in said.out) == (0, True)
    sent = loopback.received[2].json["messages"]
    assert [m["content"] for m in sent if m["role"] == "tool"] == ["7"]
    assert sent[:-1] == loopback.received[1].json["messages"][:-1]


def test_a_missing_key_leaves_no_fork_behind(lab: Lab) -> None:
    lab("ask", QUESTION)
    said = lab("runs", "fork", "last", "--model", "anthropic/claude-sonnet-5")
    assert (said.code, said.out) == (2, "")
    assert "ANTHROPIC_API_KEY" in said.err
    assert len(rows(lab)) == 1


@pytest.mark.parametrize(
    ("words", "mentions"),
    [
        ([], "Give one edit: --result, --arguments"),
        (["--question", "a", "--model", "demo"], "Give one edit: --result, --arguments"),
        (["--at", "5"], "Give one edit"),
        (["--arguments", "{}"], "Say at which event: --at."),
        (["--at", "5", "--question", "Why?"], "Event 5 of run"),
        (["--at", "999", "--question", "Why?"], "and no 999"),
        (["--at", "3", "--arguments", "{"], "not valid JSON"),
        (["--at", "3", "--arguments", "{}", "--call", "z"], "'z' is none of them"),
        (["--at", "-1", "--question", "Why?"], "--at"),
        (["--result", "nowhere"], "nowhere"),
        (["--model", "nobody/m"], "Unknown model 'nobody/m'"),
        (["--model", "person"], "person is you"),
        (["--description", "sing", "Sings."], "There is no tool 'sing'"),
    ],
    ids=" ".join,
)
def test_what_cannot_be_forked_is_told_and_makes_no_run(
    lab: Lab, words: list[str], mentions: str
) -> None:
    lab("ask", QUESTION)
    said = lab("runs", "fork", "last", *words)
    assert (said.code, said.out) == (2, "")
    assert mentions in said.err
    assert "Traceback" not in said.err
    assert len(rows(lab)) == 1


def test_a_file_that_is_no_text_is_named(lab: Lab) -> None:
    lab("ask", QUESTION)
    Path("r").write_bytes(b"\xff\xfe")
    said = lab("runs", "fork", "last", "--at", "5", "--result", "r")
    assert (said.code, "r is not UTF-8" in said.err) == (2, True)
