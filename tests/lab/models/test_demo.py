"""The stand-in for a model: a fixed plan over the real tools that claims no more than it found."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from indexer.index import Index
from lab.events import Asked, ModelReplied, RunStarted, ToolFinished
from lab.messages import ToolSchema
from lab.models.demo import Demo, arithmetic
from lab.prepare import Choice, settings_for
from lab.run import Run
from lab.tools.site import site_tools

QUOTE = re.compile(r"“(.*?)” \[([^\]]+)\]", re.DOTALL)


@pytest.fixture
def ask(sample: Index, drive: Callable[..., Run]) -> Callable[..., Run]:
    """Ask the stand-in about the sample site; a run given is asked on."""

    def asked(question: str, run: Run | None = None) -> Run:
        tools = site_tools(sample)
        if run is None:
            run = Run("run")
            run.record(RunStarted(settings_for(Choice("demo"), sample, tools.schemas())))
        run.record(Asked(question))
        return drive(run, Demo(), tools)

    return asked


def names(run: Run) -> list[str]:
    """Tools called for the newest question, in order."""
    return [c.name for e in run.turn() if isinstance(e, ModelReplied) for c in e.reply.calls]


def answer(run: Run) -> str:
    end = run.end()
    assert end is not None
    assert end.reason == "answered"
    return end.answer


def test_the_name_of_a_page_may_hold_blanks(drive: Callable[..., Run], tmp_path: Path) -> None:
    (tmp_path / "The high tide.md").write_text("The moon pulls the sea.", encoding="utf-8")
    index, run = Index.build(tmp_path)[0], Run("run")
    tools = site_tools(index)
    run.record(RunStarted(settings_for(Choice("demo"), index, tools.schemas())))
    run.record(Asked("What pulls the sea?"))
    assert "The moon pulls the sea." in answer(drive(run, Demo(), tools))


READ_TWO = ["search_site", "read_passage", "read_passage"]
"""What it does where the first passage does not hold nearly all that was asked for."""


@pytest.mark.parametrize(
    ("question", "plan"),
    [
        ("What limits the step size in a narrow valley?", READ_TWO),
        ("Gradient descent has one step size for every direction", READ_TWO[:2]),
        ("How large is 2 * (3 + 4)?", [*READ_TWO, "calculate"]),
        ("zzyzx qqqq", ["search_site"]),
        ("zzyzx 7777*8888", ["search_site", "calculate"]),
    ],
)
def test_it_searches_reads_and_calculates_only_what_there_is(
    ask: Callable[..., Run], question: str, plan: list[str]
) -> None:
    assert names(ask(question)) == plan


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What is 2*32*8*128*2?", "2*32*8*128*2"),
        ("Take (1 + 2) × 3 − 4, please", "(1 + 2) × 3 − 4"),
        ("How large is 4,096 * 2 bytes?", "4,096 * 2"),
        ("Is 3 + 4 more than 2^10 - 1?", "2^10 - 1"),
        ("What does a 32K-token conversation with Llama 3.1 8B need?", ""),
        ("What happened from 1990-2000?", ""),
        ("Read sections 1, 2 and 3.", ""),
        ("Is v5.3.2-rc1 out?", ""),
        ("", ""),
    ],
)
def test_only_what_is_a_calculation_is_taken_for_one(question: str, found: str) -> None:
    assert arithmetic(question) == found


def test_what_was_calculated_stands_in_the_answer(ask: Callable[..., Run]) -> None:
    assert "Calculated: 131072" in answer(ask("How large is 2*32*8*128*2?"))


@pytest.mark.parametrize(
    "question",
    [
        "What limits the step size in a narrow valley?",
        "How much KV cache does Llama 3.1 8B need for one 32K-token conversation?",
        "What does the event horizon of a black hole hide?",
    ],
)
def test_every_quote_stands_in_the_passage_it_names(
    ask: Callable[..., Run], sample: Index, question: str
) -> None:
    quotes = QUOTE.findall(answer(ask(question)))
    assert quotes
    for sentence, id in quotes:
        passage = sample.get(id)
        assert passage is not None
        words = set(re.findall(r"\w+", passage.text))
        assert [word for word in re.findall(r"\w+", sentence) if word not in words] == []


@pytest.mark.parametrize("question", ["zzyzx qqqq", "Who won the football world cup in 1954?"])
def test_it_says_so_where_nothing_fits(ask: Callable[..., Run], question: str) -> None:
    said = answer(ask(question))
    assert said.startswith("Nothing on the site fits")
    assert "stand-in" in said


def test_a_further_question_in_the_same_run_has_its_own_plan(ask: Callable[..., Run]) -> None:
    run = ask("What limits the step size in a narrow valley?")
    first = answer(run)
    ask("What does the event horizon of a black hole hide?", run)
    assert names(run)[:2] == READ_TWO[:2]
    assert "black-holes#" in answer(run)
    assert answer(run) != first
    assert len({call.id for call in run.calls()}) == len(run.calls()) > 4


def test_a_run_cut_anywhere_goes_on_to_the_same_answer(
    ask: Callable[..., Run], sample: Index, drive: Callable[..., Run]
) -> None:
    whole = ask("How large is 2 * (3 + 4) in a narrow valley?")
    for cut in range(2, len(whole)):
        run = drive(Run("run", whole.recorded[:cut]), Demo(), site_tools(sample))
        assert answer(run) == answer(whole)
        assert names(run) == names(whole)


def test_it_calls_only_the_tools_it_is_offered(drive: Callable[..., Run], sample: Index) -> None:
    tools = site_tools(sample)
    offered: tuple[ToolSchema, ...] = tools.schemas()[2:]
    run = Run("run")
    run.record(RunStarted(settings_for(Choice("demo"), sample, offered)))
    run.record(Asked("What is 2 + 2?"))
    assert names(drive(run, Demo(), tools)) == ["calculate"]


def test_its_counts_are_estimates_and_it_costs_nothing(ask: Callable[..., Run]) -> None:
    run: Any = ask("What limits the step size in a narrow valley?")
    used = run.totals()
    assert used.tokens_in.estimated
    assert used.tokens_out.estimated
    assert used.cost.value == used.cost.unknown == 0
    assert [event for event in run.events if isinstance(event, ToolFinished) and event.failed] == []
