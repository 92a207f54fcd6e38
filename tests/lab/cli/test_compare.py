"""`lab compare`: its table, its JSON, its exit codes, and Ctrl-C."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lab.store import Store

QUESTION = "How much KV cache does Llama 3.1 8B need for one 32K-token conversation?"
PARTED = "At step 1 A searched; B went straight to calculate 32 * 8 * 128 * 2 * 32768"
Lab = Callable[..., Any]


def listed(lab: Lab) -> list[str]:
    """The ids of all saved runs."""
    return [run["id"] for run in json.loads(lab("runs", "list", "--json").out)]


def test_without_models_the_two_scripts_stand_side_by_side(lab: Lab) -> None:
    said = lab("compare", QUESTION)
    assert (said.code, said.err) == (0, "")
    rows = {" ".join(line.split()) for line in said.lines}
    assert {"A B", "right or wrong right wrong", "steps 4 2", f"{PARTED}."} <= rows
    assert "read before answering yes no" in rows
    assert len(listed(lab)) == 2


def test_json_holds_the_keys_that_the_help_names_and_nothing_else(lab: Lab) -> None:
    said = lab("compare", QUESTION, "-m", "scripted:hasty", "-m", "scripted:careful", "--json")
    found = json.loads(said.out)
    assert found["known_answer"].endswith("= 4 GiB.")
    assert found["parting"]["step"] == 1
    assert [(c["name"], c["model"]) for c in found["columns"]] == [
        ("A", "scripted:hasty"),
        ("B", "scripted:careful"),
    ]
    assert [c["runs"][0]["verdict"] for c in found["columns"]] == ["wrong", "right"]
    assert found["columns"][0]["runs"][0]["cost"] == {
        "value": 0,
        "lower_bound": False,
        "estimated": True,
    }
    assert {c["runs"][0]["run"] for c in found["columns"]} == set(listed(lab))
    help = lab("compare", "--help").out
    keys = {*found, *found["columns"][0], *found["columns"][0]["runs"][0]}
    assert [key for key in sorted(keys) if key not in help] == []


def test_repeats_bring_medians_with_intervals(lab: Lab) -> None:
    found = json.loads(lab("compare", QUESTION, "--repeat", "6", "--json").out)
    careful, hasty = found["columns"]
    assert (len(careful["runs"]), careful["right"], hasty["right"]) == (6, 6, 0)
    spread = {"n": 6, "median": 4, "low": 4, "high": 4, "estimated": False}
    assert careful["spreads"]["steps"] == spread
    assert careful["right_interval"] == pytest.approx([0.6097, 1], abs=1e-4)
    assert {"A is right more often than B.", "B takes fewer steps than A."} <= set(found["better"])
    out = " ".join(lab("compare", QUESTION, "--repeat", "2").out.split())
    assert "No difference can be told in steps, seconds and characters sent: that takes 6" in out
    assert "Tokens of different models do not compare" in out


@pytest.mark.parametrize(
    ("words", "code"),
    [(("--max-steps", "1"), 3), (("-m", "demo"), 2), (("-m", "demo") * 5, 2), ((), 0)],
)
def test_the_exit_code_is_that_of_the_worst(lab: Lab, words: tuple[str, ...], code: int) -> None:
    assert lab("compare", QUESTION, *words).code == code


def test_what_is_set_for_one_column_alone_is_named(lab: Lab, tmp_path: Path) -> None:
    other = tmp_path / "other.md"
    other.write_text("Guess.", encoding="utf-8")
    models = ("-m", "demo", "-m", f"demo cache=on system={other}")
    found = json.loads(lab("compare", QUESTION, *models, "--json").out)
    assert found["differences"] == [
        "A prompt caching off, B prompt caching on",
        "B has another system prompt",
    ]
    assert "; B has another system prompt" in lab("compare", QUESTION, *models).out


def test_a_saved_run_stands_in_a_column_as_it_is(lab: Lab) -> None:
    lab("compare", QUESTION)
    [id] = [r["id"] for r in json.loads(lab("runs", "list", "--json").out) if r["steps"] == 2]
    said = lab("compare", QUESTION, "-m", "scripted:careful", "-m", f"run:{id}", "--repeat", "2")
    assert said.code == 0
    assert f"First runs: {PARTED}." in said.out
    assert len(listed(lab)) == 4
    refused = lab("compare", "Why?", "-m", "demo", "-m", f"run:{id}")
    assert refused.code == 2
    assert f"Run {id} cannot be compared: it was asked" in refused.err
    assert len(listed(lab)) == 4


@pytest.mark.parametrize(
    ("model", "error"),
    [
        ("demo protocol=fast", "protocol=fast is none: give one of auto, native, react."),
        ("demo cache=yes", "cache=yes is none: give one of on, off."),
        ("demo semantic=yes", "semantic=yes is none: give one of on, off."),
        ("demo system=nowhere.md", "The system prompt nowhere.md cannot be read"),
        ("run:0123", "No run with id '0123'"),
    ],
)
def test_a_column_that_is_written_wrong_starts_no_run(lab: Lab, model: str, error: str) -> None:
    said = lab("compare", QUESTION, "-m", "demo", "-m", model)
    assert said.code == 2
    assert error in said.err
    assert listed(lab) == []


def test_one_that_cannot_be_opened_starts_no_run(lab: Lab) -> None:
    said = lab("compare", QUESTION, "-m", "demo", "-m", "anthropic/claude-sonnet-5")
    assert said.code == 2
    assert "set ANTHROPIC_API_KEY" in said.err
    assert listed(lab) == []


def test_ctrl_c_stops_all_runs_and_keeps_them(
    spawn: Callable[..., subprocess.Popen[str]], home: Path, tmp_path: Path
) -> None:
    slow = tmp_path / "slow.json"
    slow.write_text(json.dumps({"replies": [{"seconds": 30, "text": "Late."}]}), encoding="utf-8")
    models = ("-m", f"scripted:{slow}", "-m", f"scripted:{slow}")
    process = spawn("compare", "Why?", *models, "--repeat", "3", "--json")
    until = time.monotonic() + 20
    while not (home / "runs.db").exists() or asked(home) < 2:
        assert time.monotonic() < until
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=10)
    assert (process.returncode, err) == (130, "")
    ends = [run["end"] for column in json.loads(out)["columns"] for run in column["runs"]]
    assert ends == ["stopped", "stopped"]


def asked(home: Path) -> int:
    """How many runs have asked their model."""
    store = Store(home / "runs.db")
    try:
        kinds = [
            {type(event).__name__ for event in store.load(row.id).events} for row in store.rows()
        ]
    finally:
        store.close()
    return sum("ModelAsked" in seen for seen in kinds)
