"""Where a request's pieces came from, and what they took: shares sum exactly, whoever counted."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.events import Asked
from lab.messages import Conversation, Reply, Request, ToolCall, Usage
from lab.models import anthropic, openai
from lab.models.endpoints import Endpoint
from lab.models.react import as_text
from lab.models.scripted import Scripted
from lab.models.standin import NOBODY
from lab.origins import ORIGINS, apportioned, pieces, spent, split, with_before
from lab.run import Run
from lab.steps import Step, turns
from lab.tools.toolbox import Toolbox

Begun = Callable[..., Run]
Drive = Callable[..., Run]
Tools = Callable[..., Toolbox]

CALL = ToolCall("", "echo", {"text": "what the tool said"})
WRITE = {
    "openai": openai.request_body,
    "anthropic": anthropic.request_body,
    "react": lambda c, model, endpoint: openai.request_body(as_text(c), model, endpoint),
}


@given(st.integers(0, 10**7), st.lists(st.integers(0, 10**6), min_size=1, max_size=40))
def test_parts_sum_to_the_total_and_none_is_off_by_one_or_more(
    total: int, weights: list[int]
) -> None:
    counts = apportioned(total, weights)
    assert sum(counts) == total
    whole = sum(weights)
    if whole:
        for count, weight in zip(counts, weights, strict=True):
            assert abs(count - total * weight / whole) < 1
            assert count == 0 or weight > 0


def test_nothing_is_apportioned_to_nobody() -> None:
    assert apportioned(100, []) == []


@given(
    tokens_in=st.none() | st.integers(0, 10**6),
    texts=st.lists(st.text(max_size=200), min_size=1, max_size=8),
)
def test_the_split_of_a_request_sums_to_what_was_counted(
    tokens_in: int | None, texts: list[str]
) -> None:
    body = {"messages": [{"role": "user", "content": text} for text in texts]}
    request = Request("POST", "/", json.dumps(body), {})
    step = Step(1, request, Reply("", usage=Usage(tokens_in)), question=texts[-1])
    shares = split(step)
    assert [share.origin for share in shares] == list(ORIGINS)
    assert sum(share.characters for share in shares) == sum(map(len, texts))
    tokens = sum(share.tokens for share in shares)
    assert tokens == (-(-sum(map(len, texts)) // 4) if tokens_in is None else tokens_in)


def two_questions(begun: Begun, drive: Drive, tools: Toolbox, again: str = "And now?") -> Run:
    """A run of two questions, the first in three steps, the second in two."""
    call = (CALL,)
    replies = [Reply("", call), Reply("", call), Reply("Yes."), Reply("", call), Reply("No.")]
    run = drive(begun(), Scripted(replies), tools)
    run.record(Asked(again))
    return drive(run, Scripted(replies), tools)


def steps_on(wire: str, run: Run) -> list[Step]:
    """The steps of a run, as if each request had gone over that wire."""
    steps = [step for turn in turns(run.events) for step in turn.steps]
    endpoint: Endpoint = NOBODY
    asked = [n for n, e in enumerate(run.events) if type(e).__name__ == "ModelAsked"]
    for step, place in zip(steps, asked, strict=True):
        so_far: Conversation = Run("run", run.recorded[:place]).conversation()
        body = WRITE[wire](so_far, "some-model", endpoint)
        step.request = replace(step.request, body=json.dumps(body))
    return steps


def told(step: Step, before: Step | None) -> dict[str, str]:
    """The texts of each origin that holds any."""
    found: dict[str, str] = {}
    for piece in pieces(step, before):
        found[piece.origin] = found.get(piece.origin, "") + piece.part.text
    return found


@pytest.mark.parametrize("wire", WRITE)
def test_each_piece_has_its_origin_at_every_step_of_two_questions(
    wire: str, begun: Begun, drive: Drive, small_tools: Tools
) -> None:
    steps = steps_on(wire, two_questions(begun, drive, small_tools()))
    found = [told(step, before) for step, before in with_before(steps)]
    tools = set() if wire == "react" else {"tools"}
    names = [
        tools | set(more)
        for more in (
            {"system", "question"},
            {"system", "question", "new"},
            {"system", "question", "earlier", "new"},
            {"system", "question", "earlier"},
            {"system", "question", "earlier", "new"},
        )
    ]
    assert [set(texts) for texts in found] == names
    assert [texts["question"] for texts in found] == ["What is it?"] * 3 + ["And now?"] * 2
    assert all("You are tested." in texts["system"] for texts in found)
    said = "what the tool said"
    assert [
        texts.get("new", "").count(f"{said}\n") + texts.get("new", "").endswith(said)
        for texts in found
    ] == [0, 1, 1, 0, 1]
    assert "What is it?" in found[3]["earlier"]
    assert "Yes." in found[3]["earlier"]


@pytest.mark.parametrize("wire", WRITE)
def test_what_the_request_before_did_not_hold_is_fresh(
    wire: str, begun: Begun, drive: Drive, small_tools: Tools
) -> None:
    steps = steps_on(wire, two_questions(begun, drive, small_tools()))
    fresh = [
        [piece.part.text for piece in pieces(step, before) if piece.fresh]
        for step, before in with_before(steps)
    ]
    assert fresh[0] == ["What is it?"]
    assert len(fresh[1]) == len(fresh[2]) == len(fresh[4]) == 2
    assert fresh[3][-1] == "And now?"
    assert "Yes." in fresh[3][0]


def test_a_question_asked_twice_is_the_newer_one(
    begun: Begun, drive: Drive, small_tools: Tools
) -> None:
    steps = steps_on("openai", two_questions(begun, drive, small_tools(), "What is it?"))
    places = [n for n, p in enumerate(pieces(steps[3], steps[2])) if p.origin == "question"]
    asked = [n for n, p in enumerate(pieces(steps[3])) if p.part.text == "What is it?"]
    assert places == asked[1:]


def test_a_call_made_again_unchanged_has_nothing_new(
    begun: Begun, drive: Drive, small_tools: Tools
) -> None:
    _, second, *_ = steps_on("openai", two_questions(begun, drive, small_tools()))
    again = replace(second, number=3)
    assert [piece for piece in pieces(again, second) if piece.fresh] == []
    assert {p.origin for p in pieces(again, second)} == {"system", "question", "tools", "earlier"}


def test_a_request_that_went_over_no_wire_has_no_pieces() -> None:
    step = Step(1, Request("", "", "", {}, sent=False), Reply("x", usage=Usage(10)))
    assert (pieces(step), split(step)) == ((), ())


def test_what_a_piece_took_grows_with_every_step_it_was_sent_in(
    begun: Begun, drive: Drive, small_tools: Tools
) -> None:
    steps = steps_on("openai", two_questions(begun, drive, small_tools()))
    sums = list(spent(steps, lambda step: 1.0))
    for count, so_far in enumerate(sums, 1):
        assert sum(of.tokens.value for of in so_far.values()) == tokens_in(steps[:count])
        assert sum(of.usd.value for of in so_far.values()) == pytest.approx(count)
    system = next(part for part in sums[-1] if part.role == "system")
    assert [so_far[system].times for so_far in sums] == [1, 2, 3, 4, 5]
    assert max(sums[-1].values(), key=lambda of: of.times).times == 5


def tokens_in(steps: Sequence[Step]) -> int:
    return sum(step.reply.usage.tokens_in or 0 for step in steps if step.reply)


def test_what_nobody_knows_leaves_a_lower_bound(
    begun: Begun, drive: Drive, small_tools: Tools
) -> None:
    first, second, *_ = steps_on("openai", two_questions(begun, drive, small_tools()))
    failed = replace(second, reply=None, failure="refused")
    paid = {1: 0.5, 2: None}
    *_, so_far = spent([first, failed], lambda step: paid[step.number])
    system = next(of for part, of in so_far.items() if part.role == "system")
    assert (system.tokens.unknown, system.usd.unknown) == (1, 1)
    assert 0 < system.usd.value < 0.5
    assert system.tokens.estimated
