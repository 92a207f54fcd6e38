"""`lab ask`: its events, its exit codes, its trace, and what it never prints or stores."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import socket
import sys
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from rich.cells import cell_len

from lab.codec import KINDS

if TYPE_CHECKING:
    from tests.conftest import Loopback

QUESTION = "What limits the step size in a narrow valley?"
CANARY = "sk-canary-4f1c8e7720b95d"
ESCAPE = "\x1b"
COLOUR = re.compile(r"\x1b\[(?:\d+;)*(?:3\d|4\d|9\d|38;[\d;]+)m")


def events(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def local(loopback: Loopback, *more: str) -> tuple[str, ...]:
    """Words that ask a local model at the loopback server."""
    return ("ask", "Why?", "-m", "ollama/m", "--base-url", f"{loopback.url}/v1", *more)


def test_json_is_one_event_a_line_with_seq_at_and_kind(lab: Callable[..., Any]) -> None:
    said = lab("ask", QUESTION, "--json")
    assert (said.code, said.err) == (0, "")
    found = events(said.out)
    assert [event["seq"] for event in found] == list(range(len(found)))
    assert all(list(event)[:3] == ["seq", "at", "kind"] for event in found)
    assert all(event["kind"] in KINDS for event in found)
    times = [datetime.fromisoformat(event["at"]) for event in found]
    assert times == sorted(times)
    kinds = [event["kind"] for event in found]
    assert kinds[:2] == ["RunStarted", "Asked"]
    assert kinds[-1] == "TurnEnded"
    assert kinds.count("ModelAsked") == kinds.count("ModelReplied") == 4
    assert kinds.count("ToolStarted") == kinds.count("ToolFinished") == 3
    assert found[-1]["reason"] == "answered"


def test_json_is_what_export_gives_later(lab: Callable[..., Any]) -> None:
    said = lab("ask", QUESTION, "--json")
    assert lab("runs", "export", "last").out == said.out


def test_the_working_folder_stays_empty(lab: Callable[..., Any]) -> None:
    lab("ask", QUESTION)
    assert list(Path().iterdir()) == []


LIMITS = [
    (("--max-steps", "1"), "step limit"),
    (("--max-tokens-in", "1"), "token limit"),
    (("--max-seconds", "0.000001"), "time limit"),
]


@pytest.mark.parametrize(("words", "reason"), LIMITS, ids=[reason for _, reason in LIMITS])
def test_a_limit_is_exit_code_3_and_is_named(
    lab: Callable[..., Any], words: tuple[str, ...], reason: str
) -> None:
    said = lab("ask", QUESTION, *words)
    assert said.code == 3
    assert re.search(rf"^{reason}  .*Resume it", said.out, re.MULTILINE)
    assert events(lab("runs", "export", "last").out)[-1]["reason"] == reason


def test_a_money_limit_is_exit_code_3(
    lab: Callable[..., Any], loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", CANARY)
    call = {"type": "tool_use", "id": "t", "name": "calculate", "input": {"expression": "1"}}
    loopback.json(
        {
            "model": "claude-haiku-4-5",
            "content": [call],
            "stop_reason": "tool_use",
            "usage": {"input_tokens": 2_000_000, "output_tokens": 1},
        }
    )
    model = ("-m", "anthropic/claude-haiku-4-5", "--base-url", loopback.url)
    said = lab("ask", "Why?", *model, "--max-cost", "1")
    assert said.code == 3
    assert "money limit" in said.out
    assert len(loopback.received) == 1


OTHER_ENDS: dict[str, tuple[Callable[[Any], Any], tuple[str, ...], int, str]] = {
    "refused": (lambda at: at.chat(refusal="I will not."), (), 4, "refused"),
    "filtered": (lambda at: at.chat("", finish="content_filter"), (), 4, "refused"),
    "cut off": (lambda at: at.chat("Half an ans", finish="length"), (), 4, "cut off"),
    "format": (lambda at: at.chat("a").chat("b").chat("c"), ("--protocol", "react"), 4, "format"),
    "empty": (lambda at: at.chat("").chat("").chat(""), (), 4, "format"),
    "401": (lambda at: at.json({"error": {"message": "no"}}, 401), (), 5, "failed"),
    "404": (lambda at: at.json({"error": "no such model"}, 404), (), 5, "failed"),
    "429": (lambda at: at.json({"error": {"message": "slow"}}, 429), (), 5, "failed"),
    "500 html": (lambda at: at.raw("<h1>Oops</h1>", 500), (), 5, "failed"),
    "not JSON": (lambda at: at.raw("hello"), (), 5, "failed"),
    "another form": (lambda at: at.json({"a": 1}), (), 5, "failed"),
}


@pytest.mark.parametrize("name", OTHER_ENDS)
def test_an_end_without_an_answer_has_its_exit_code_and_says_so(
    lab: Callable[..., Any], loopback: Loopback, name: str
) -> None:
    answer, words, code, reason = OTHER_ENDS[name]
    answer(loopback)
    said = lab(*local(loopback, *words))
    assert (said.code, said.err) == (code, "")
    assert re.search(rf"^{reason}  \S", said.out, re.MULTILINE)
    (row,) = json.loads(lab("runs", "list", "--json").out)
    assert row["end"] == reason


def test_an_answer_over_http_is_exit_code_0(lab: Callable[..., Any], loopback: Loopback) -> None:
    loopback.calling("calculate", expression="2*3").chat("It is 6.")
    said = lab(*local(loopback))
    assert said.code == 0
    assert "It is 6." in said.out


def test_an_endpoint_that_is_not_there_is_exit_code_5(lab: Callable[..., Any]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    said = lab("ask", "Why?", "-m", "ollama/m", "--base-url", address)
    assert said.code == 5
    assert address in said.out
    assert "Is it running" in " ".join(said.out.split())


@pytest.mark.parametrize("flag", [(), ("--json",)])
def test_ctrl_c_stops_a_run_within_two_seconds_with_exit_code_130(
    spawn: Callable[..., Any],
    loopback: Loopback,
    lab: Callable[..., Any],
    flag: tuple[str, ...],
) -> None:
    loopback.calling("calculate", expression="2*3").chat("Too late.").late(30)
    process = spawn(*local(loopback, *flag))
    wait_for(lambda: len(loopback.received) == 2)
    stopped = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=10)
    assert time.monotonic() - stopped < 2
    assert (process.returncode, err) == (130, "")
    assert "stopped" in out.splitlines()[-1] if flag else "stopped" in out
    kinds = [event["kind"] for event in events(lab("runs", "export", "last").out)]
    assert kinds.count("ToolStarted") == kinds.count("ToolFinished") == 1
    assert kinds.count("StopAsked") == 1
    assert kinds[-1] == "TurnEnded"


def wait_for(true: Callable[[], bool]) -> None:
    until = time.monotonic() + 20
    while not true():
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("environment", "width"),
    [({}, 100), ({"NO_COLOR": "1"}, 100), ({"COLUMNS": "40"}, 100), ({"COLUMNS": "300"}, 100)],
    ids=str,
)
def test_a_trace_in_a_pipe_is_at_most_100_columns_of_plain_text(
    lab: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    environment: dict[str, str],
    width: int,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    said = lab("ask", f"{QUESTION} And how much is 2*3? " + "long " * 100, "-m", "scripted:careful")
    assert said.code == 0
    addresses = [line for line in said.lines if line.strip().startswith("https://")]
    wide = [line for line in said.lines if cell_len(line) > width]
    assert [line for line in wide if line not in addresses] == []
    assert ESCAPE not in said.out
    assert "\r" not in said.out


def test_a_terminal_gets_no_colour_where_that_is_not_wanted(home: Path) -> None:
    coloured, plain = (shown_on_a_terminal(**extra) for extra in ({}, {"NO_COLOR": "1"}))
    assert COLOUR.search(coloured)
    assert not COLOUR.search(plain)
    assert "answered" in plain


def shown_on_a_terminal(**environment: str) -> str:
    """What `lab ask` writes where its output is a terminal."""
    call = [sys.executable, "-c", "from lab.cli import main; main()", "ask", QUESTION]
    child, terminal = pty.fork()
    if child == 0:
        os.execve(sys.executable, call, {**os.environ, "TERM": "xterm-256color", **environment})
    shown = b""
    while True:
        try:
            piece = os.read(terminal, 65_536)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(terminal)
    os.waitpid(child, 0)
    return shown.decode()


def test_the_trace_shows_each_step_the_answer_and_where_it_stands(
    lab: Callable[..., Any],
) -> None:
    out = lab("ask", QUESTION, "-m", "scripted:careful").out
    assert "No model is called: a script written beforehand plays it" in out
    steps = [line for line in out.splitlines() if re.match(r" +\d+  ", line)]
    assert [line.split()[0] for line in steps] == ["1", "2", "3", "4"]
    sizes = [int(found[1].replace(",", "")) for line in steps if (found := SIZE.search(line))]
    assert sizes == sorted(sizes)
    assert len(sizes) == 4
    assert "https://contour-notes.example/kv-cache-sizing/#bytes-per-token" in out
    assert out.rstrip().splitlines()[-1].startswith("4 steps, ")


SIZE = re.compile(r"≈([\d,]+) +≈")


@pytest.mark.parametrize(
    ("question", "mentions"),
    [
        ("", "question is empty"),
        (" \t\n", "question is empty"),
        ("\x00\x1b\x7f", "question is empty"),
        ("w" * 100_000, "has 100,000 characters"),
    ],
    ids=["empty", "blank", "control characters", "100 kB"],
)
def test_a_question_that_is_none_is_wrong_use_and_starts_no_run(
    lab: Callable[..., Any], question: str, mentions: str
) -> None:
    said = lab("ask", question, "--json")
    assert (said.code, said.out) == (2, "")
    assert mentions in said.err
    assert said.err.count("\n") == 1
    assert json.loads(lab("runs", "list", "--json").out) == []


def test_control_characters_are_taken_out_of_a_question(lab: Callable[..., Any]) -> None:
    found = events(lab("ask", "step\x1b[31m size\x00 in\x07 a valley\ud800?", "--json").out)
    assert found[1]["question"] == "step[31m size in a valley??"


def test_what_a_model_says_cannot_steer_the_terminal(
    lab: Callable[..., Any], loopback: Loopback
) -> None:
    evil = "\x1b]0;owned\x07 \x1b[2J \x9b31m [red]bold[/red]"
    loopback.calling("search_site", query=evil).calling(evil, a=1).chat(f"Answer {evil}")
    said = lab(*local(loopback))
    assert said.code == 0
    assert not set(said.out) & {"\x1b", "\x07", "\x9b"}
    assert "[red]bold[/red]" in said.out


@pytest.mark.parametrize("flag", [(), ("--json",)])
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_what_the_output_cannot_hold_does_not_end_a_run(
    spawn: Callable[..., Any], encoding: str, flag: tuple[str, ...]
) -> None:
    script = {
        "replies": [
            {"calls": [{"name": "search_site", "arguments": {"query": "日本"}}]},
            {"text": "The whole of 日本."},
        ]
    }
    Path("odd.json").write_text(json.dumps(script), encoding="utf-8")
    process = spawn(
        *("ask", "Warum? 日本", "-m", "scripted:odd.json", *flag),
        PYTHONUTF8="0",
        PYTHONIOENCODING=encoding,
    )
    out, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, "")
    assert "whole" in out


FAULTS: dict[str, Callable[[Any], Any]] = {
    "401 that echoes the key": lambda at: at.json({"error": {"message": f"Bad {CANARY}"}}, 401),
    "html that echoes it": lambda at: at.raw(f"<pre>Bearer {CANARY}</pre>", 500),
    "a good answer": lambda at: at.chat("Yes."),
}


@pytest.mark.parametrize("flag", [(), ("--json",)])
@pytest.mark.parametrize("name", FAULTS)
def test_the_key_is_neither_printed_nor_stored(  # noqa: PLR0917
    lab: Callable[..., Any],
    loopback: Loopback,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    flag: tuple[str, ...],
) -> None:
    monkeypatch.setenv("GROQ_API_KEY", CANARY)
    FAULTS[name](loopback)
    said = lab("ask", "Why?", "-m", "groq/m", "--base-url", loopback.url, *flag)
    assert said.code == (0 if name == "a good answer" else 5)
    assert loopback.received[0].headers["authorization"] == f"Bearer {CANARY}"
    shown = (
        said.out + said.err + lab("runs", "show", "last").out + lab("runs", "export", "last").out
    )
    assert CANARY not in shown
    files = [file.read_bytes() for file in home.rglob("*") if file.is_file()]
    assert [content for content in files if CANARY.encode() in content] == []


def messages(request: Any) -> Any:
    return request.json["messages"]


def test_a_further_question_goes_on_in_the_saved_run(
    lab: Callable[..., Any], loopback: Loopback
) -> None:
    loopback.calling("calculate", expression="2*3").chat("It is 6.").chat("It is 12.")
    first = lab(*local(loopback, "--json"))
    said = lab("ask", "And twice that?", "--follow", "last")
    assert (first.code, said.code, said.err) == (0, 0, "")
    assert said.lines[0] == "And twice that?"
    assert "It is 12." in said.out
    assert "1 step," in said.lines[-1]
    *_, second, third = loopback.received
    assert messages(third)[: len(messages(second))] == messages(second)
    assert messages(third)[-1] == {"role": "user", "content": "And twice that?"}
    (row,) = json.loads(lab("runs", "list", "--json").out)
    whole = lab("runs", "export", row["id"]).out
    assert whole.startswith(first.out)
    assert [e["question"] for e in events(whole) if e["kind"] == "Asked"] == [
        "Why?",
        "And twice that?",
    ]


def test_a_further_question_prints_the_whole_run_as_json(lab: Callable[..., Any]) -> None:
    lab("ask", QUESTION)
    said = lab("ask", "And why?", "--follow", "last", "--json")
    assert (said.code, said.out) == (0, lab("runs", "export", "last").out)


@pytest.mark.parametrize(
    ("words", "mentions"),
    [
        (("-m", "demo"), "--model cannot be changed with --follow"),
        (("--system", "nowhere.md"), "--system cannot be changed with --follow"),
        (("--cache",), "--cache cannot be changed with --follow"),
        (("--max-steps", "8"), "--max-steps cannot be changed with --follow"),
        (("--index", "elsewhere"), "--index cannot be changed with --follow"),
    ],
    ids=" ".join,
)
def test_what_a_saved_run_has_settled_cannot_be_chosen_again(
    lab: Callable[..., Any], words: tuple[str, ...], mentions: str
) -> None:
    lab("ask", QUESTION)
    before = lab("runs", "export", "last").out
    said = lab("ask", "And why?", "--follow", "last", *words)
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert mentions in said.err
    assert lab("runs", "export", "last").out == before


def test_a_model_named_in_the_environment_is_no_choice_of_this_question(
    lab: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    lab("ask", QUESTION)
    monkeypatch.setenv("LAB_MODEL", "scripted:careful")
    monkeypatch.setenv("LAB_INDEX", "nowhere")
    assert lab("ask", "And why?", "--follow", "last").code == 0
    said = lab("ask", "And why?")
    assert (said.code, "nowhere" in said.err) == (2, True)


def test_another_system_prompt_is_what_the_model_is_sent_and_the_trace_says_so(
    lab: Callable[..., Any], loopback: Loopback
) -> None:
    Path("brief.md").write_text("Be brief.\n", encoding="utf-8")
    loopback.chat("Yes.").chat("Yes.")
    said = lab(*local(loopback, "--system", "brief.md"))
    assert messages(loopback.received[0])[0] == {"role": "system", "content": "Be brief."}
    assert "system prompt differs from the lab's own" in said.out
    assert "differs" not in lab(*local(loopback)).out


@pytest.mark.parametrize(
    ("content", "mentions"),
    [(None, "cannot be read"), (b" \n", "is empty"), (b"\xff\xfe\xfd", "cannot be read")],
)
def test_a_system_prompt_that_is_none_is_told(
    lab: Callable[..., Any], content: bytes | None, mentions: str
) -> None:
    if content is not None:
        Path("brief.md").write_bytes(content)
    said = lab("ask", QUESTION, "--system", "brief.md")
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert f"The system prompt brief.md {mentions}" in said.err


@pytest.mark.parametrize(
    "option", ["--max-tool-calls", "--max-tokens-in", "--max-cost", "--max-seconds"]
)
@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "0", "-1", "many"])
def test_a_limit_that_is_none_is_wrong_use_and_starts_no_run(
    lab: Callable[..., Any], option: str, value: str
) -> None:
    said = lab("ask", QUESTION, f"{option}={value}")
    assert (said.code, said.out) == (2, "")
    assert option in said.err
    assert "above 0" in said.err
    assert json.loads(lab("runs", "list", "--json").out) == []


@pytest.mark.parametrize(
    ("words", "limits"),
    [
        ((), {"tool_calls": 24, "seconds": 300.0}),
        (
            ("--max-tool-calls", "none", "--max-seconds", "none"),
            {"tool_calls": None, "seconds": None},
        ),
        (("--max-tool-calls", "2", "--max-seconds", "1.5"), {"tool_calls": 2, "seconds": 1.5}),
        (("--max-tokens-in", "9000", "--max-cost", "0.5"), {"tokens_in": 9000, "cost": 0.5}),
    ],
    ids=str,
)
def test_limits_are_kept_as_they_were_chosen(
    lab: Callable[..., Any], words: tuple[str, ...], limits: dict[str, Any]
) -> None:
    found = events(lab("ask", QUESTION, "--json", *words).out)
    kept = found[0]["settings"]["limits"]
    assert kept | limits == kept


@pytest.mark.parametrize(
    ("words", "asked"), [((), False), (("--cache",), True), (("--no-cache",), False)]
)
def test_the_prompt_cache_is_asked_for_only_where_it_was_chosen(
    lab: Callable[..., Any],
    loopback: Loopback,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    asked: bool,
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", CANARY)
    loopback.say("anthropic", "Yes.")
    lab("ask", "Why?", "-m", "anthropic/claude-haiku-4-5", "--base-url", loopback.url, *words)
    assert ("cache_control" in loopback.received[0].json) is asked
