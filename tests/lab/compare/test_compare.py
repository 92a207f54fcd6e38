"""Runs side by side: their verdicts, the height of their steps, where they part, and repeats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.index import Index
from lab.compare.known import Known, known_answers, known_for, numbers
from lab.compare.parting import parting, step_key, together
from lab.compare.repeats import Share, coverage, repeats, spread
from lab.compare.summary import aligned, summary, verdict
from lab.events import Noticed
from lab.messages import Reply, Request, ToolCall
from lab.models.scripted import SHIPPED, Scripted, read_script
from lab.run import Run
from lab.steps import CallView, Step, turns
from lab.tools.site import site_tools

QUESTION = "How much KV cache does Llama 3.1 8B need for one 32K-token conversation?"
CORPUS = Path(__file__).parents[3] / "corpus"
Played = dict[str, Run]
VALUES = {"search_site": "query", "read_passage": "id", "calculate": "expression"}


@pytest.fixture(scope="module")
def played(sample: Index, begun: Callable[..., Run], drive: Callable[..., Run]) -> Played:
    """The shipped scripts, played to their ends."""
    tools = site_tools(sample)
    return {name: drive(begun(), read_script(name), tools) for name in SHIPPED}


def step(text: str, number: int = 1) -> Step:
    """A step from what it does: `search_site kv + calculate 1`, `answer`, `failed`, `waiting`."""
    made = Step(number, Request("", "", "", {}))
    if text == "failed":
        made.failure = "connection refused"
    elif text != "waiting":
        parts = [] if text == "answer" else [part.split(maxsplit=1) for part in text.split(" + ")]
        calls = [ToolCall("", name, {VALUES.get(name, "x"): value}) for name, value in parts]
        made.reply = Reply("", tuple(calls))
        made.calls = [CallView(call) for call in calls]
    return made


def column(text: str) -> list[Step]:
    """Steps with semicolons between them."""
    parts = [part.strip() for part in text.split(";") if part.strip()]
    return [step(part, number) for number, part in enumerate(parts, 1)]


def test_the_shipped_scripts_part_at_the_first_step(played: Played) -> None:
    steps = [turns(run.events)[-1].steps for run in played.values()]
    found = parting(steps, [True, True], "AB")
    assert found
    assert found.step == 1
    assert found.sentence == (
        "At step 1 A searched; B went straight to calculate 32 * 8 * 128 * 2 * 32768"
    )
    heights = [[s and s.number for s in row.steps] for row in aligned(steps)]
    assert heights == [[1, 1], [2, None], [3, None], [4, 2]]


def test_the_shipped_scripts_are_summed_up_and_judged(played: Played) -> None:
    careful, hasty = (summary(run, known_for(QUESTION)) for run in played.values())
    assert (careful.verdict, hasty.verdict) == ("right", "wrong")
    assert (careful.steps, hasty.steps) == (4, 2)
    assert (careful.searched_first, hasty.searched_first) == (True, False)
    assert (careful.read_first, hasty.read_first) == (True, False)
    assert summary(played["careful"]).verdict == "unknown"


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        (["search_site kv; answer", "search_site kv; answer"], None),
        (["search_site kv", "search_site  KV "], None),
        (["calculate 2*3", "calculate 2 * 3"], None),
        (["read_passage a#b", "read_passage [a#b]"], None),
        (["search_site kv", "search_site cache"], 'At step 1 A searched "kv"; B searched "cache"'),
        (
            ["search_site kv; read_passage a", "search_site kv; read_passage b"],
            "After the same search, at step 2 A read a; B read b",
        ),
        (
            ["search_site kv; calculate 1+1", "search_site kv; calculate 1+2"],
            "At step 2 A calculated 1+1; B calculated 1+2",
        ),
        (
            ["search_site kv; answer", "search_site kv; read_passage a"],
            "At step 2 A answered; B read a",
        ),
        (["search_site kv; answer", "answer"], "At step 1 A searched; B answered straight away"),
        (["answer", "failed"], "At step 1 A answered; B got no reply"),
        (["search_site kv", ""], "At step 1 A searched; B took no further step"),
        (
            ["search_site kv", "calculate 1", "search_site kv"],
            "At step 1 A and C searched; B went straight to calculate 1",
        ),
        (
            ["search_site kv + read_passage a", "search_site kv"],
            "At step 1 A searched, then read a; B searched",
        ),
        (["send x", "send y"], "At step 1 A called send x; B called send y"),
    ],
)
def test_where_runs_part_is_named(columns: list[str], sentence: str | None) -> None:
    steps = [column(text) for text in columns]
    found = parting(steps, [True] * len(steps), "ABCD")
    assert (found and found.sentence) == sentence


@pytest.mark.parametrize("second", ["search_site kv", "search_site kv; waiting"])
def test_nothing_is_said_of_a_step_that_is_awaited(second: str) -> None:
    steps = [column("search_site kv; answer"), column(second)]
    assert parting(steps, [True, False], "AB") is None


def test_an_argument_that_is_long_or_steers_is_cut_and_harmless() -> None:
    steps = [column("search_site " + "x" * 9_000), column("search_site a\x1b[31m\u202e")]
    found = parting(steps, [True, True], "AB")
    assert found
    assert len(found.sentence) < 300
    assert "\x1b" not in found.sentence
    assert "\u202e" not in found.sentence


KINDS = ("search_site a", "search_site b", "read_passage a", "calculate 1", "answer", "failed")
COLUMNS = st.lists(
    st.lists(st.sampled_from(KINDS), max_size=7).map(lambda kinds: column(";".join(kinds))),
    min_size=2,
    max_size=4,
)


@given(COLUMNS)
def test_alignment_keeps_the_order_and_loses_no_step(columns: list[list[Step]]) -> None:
    rows = aligned(columns)
    for place, steps in enumerate(columns):
        kept = [row.steps[place] for row in rows if row.steps[place]]
        assert [id(step) for step in kept] == [id(step) for step in steps]
    assert all(any(row.steps) for row in rows)


@given(COLUMNS)
def test_steps_before_the_parting_are_the_same_and_those_of_it_stand_in_one_row(
    columns: list[list[Step]],
) -> None:
    rows, found = aligned(columns), parting(columns, [True] * len(columns), "ABCD")
    assert all(len(row.keys) == 1 for row in rows[: together(columns)])
    if found:
        wanted = [steps[found.step - 1] if found.step <= len(steps) else None for steps in columns]
        assert list(rows[found.step - 1].steps) == wanted
        keys = {step_key(step) if step else None for step in wanted}
        assert len(keys) > 1


@given(COLUMNS)
def test_identical_runs_do_not_part(columns: list[list[Step]]) -> None:
    same = [columns[0], list(columns[0])]
    assert parting(same, [True, True], "AB") is None
    assert len(aligned(same)) == len(columns[0])


@pytest.mark.parametrize(
    ("answer", "agrees"),
    [
        ("It takes 4 GiB.", True),
        ("4.03 gib", True),
        ("4.1 GiB", False),
        ("4 GB", False),
        ("2 GiB of 64K", False),
        ("2 GiB [kv#4]", False),
        ("", False),
    ],
)
def test_an_answer_is_judged_by_number_and_tolerance_and_words(answer: str, agrees: bool) -> None:
    assert Known("4 GiB", 4.0, 0.01, ("gib",)).agrees(answer) is agrees


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("4,294,967,296 bytes", [4294967296]),
        ("9.5e-7 and 1.5 × 10^-5, 2 x 10⁻³", [9.5e-7, 1.5e-5, 2e-3]),
        ("−3 or -3", [-3, -3]),
        ("3.19 million", [3.19e6]),
        ("5/3", [5 / 3, 5]),
        ("32K-token [a#b-4]", [32]),
        ("1e999", [float("inf")]),
        ("1e22 x 10^3", [1e25]),
        ("1 × 10⁻", [1, 10]),
    ],
)
def test_numbers_are_read_however_they_are_written(text: str, found: list[float]) -> None:
    assert numbers(text) == pytest.approx(found)


PIECES = [*"0123456789.,eE-+x^*/ {}⁻²−٣", " x 10^", " × 10⁻", "1e22", " million", "/0", "9" * 5000]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_no_text_keeps_numbers_from_being_read(text: str) -> None:
    assert all(isinstance(number, float) for number in numbers(text))


def test_every_known_answer_agrees_with_itself() -> None:
    known = known_answers(CORPUS / "questions.jsonl")
    assert len(known) > 80
    assert [one.text for one in known.values() if not one.agrees(one.text)] == []
    assert known_answers(CORPUS / "none.jsonl") == {}
    assert known_for(f"  {QUESTION.upper()} ") == known_for(QUESTION)


@pytest.mark.parametrize(
    ("end", "found"),
    [(None, "unknown"), ("stopped", "unknown"), ("failed", "unknown"), ("step limit", "no answer")],
)
def test_a_run_without_an_answer_is_neither_right_nor_wrong(end: object, found: str) -> None:
    assert verdict(end, "4 GiB", known_for(QUESTION)) == found  # type: ignore[arg-type]


def test_a_run_whose_prompt_was_cut_is_left_out_of_verdicts(
    begun: Callable[..., Run], drive: Callable[..., Run], sample: Index
) -> None:
    run = begun()
    run.record(Noticed("prompt cut", "The server read 2,048 tokens of 5,000."))
    drive(run, Scripted([Reply("It takes 4 GiB.")]), site_tools(sample))
    found = summary(run, known_for(QUESTION))
    assert (found.verdict, found.cut) == ("left out", "The server read 2,048 tokens of 5,000.")
    together = repeats([found, replace(found, verdict="right", cut="")])
    assert (together.left_out, str(together.right)) == (1, "1 of 1")
    assert together.spreads["steps"].n == 1


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=40))
def test_the_interval_holds_the_median_and_is_wide_enough(values: list[float]) -> None:
    found = spread(values)
    if len(values) < 6:
        assert (found.low, found.high) == (None, None)
    else:
        assert found.low is not None
        assert found.high is not None
        assert found.median is not None
        assert found.low <= found.median <= found.high


def test_the_coverage_is_that_of_published_tables() -> None:
    # Conover 1999, table A3 by way of the binomial: n = 6, ends; n = 10, second from either end.
    assert coverage(6, 1) == pytest.approx(0.96875)
    assert coverage(10, 2) == pytest.approx(0.9785, abs=1e-4)
    assert spread(range(1, 11)).low == 2


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [(0, 0, 0, 1), (0, 10, 0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1)],
)
def test_the_interval_of_a_share_is_wilsons(hits: int, n: int, low: float, high: float) -> None:
    assert Share(hits, n).interval() == pytest.approx((low, high), abs=1e-4)
