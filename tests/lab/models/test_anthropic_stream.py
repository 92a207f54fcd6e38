"""Streamed Messages: in any split the body an unstreamed answer would have had."""

from __future__ import annotations

from typing import Any

import pytest
from answers import answer, message_events
from hypothesis import given
from hypothesis import strategies as st

from lab.models.anthropic_stream import Assembly

START = {"type": "message_start", "message": {"role": "assistant", "content": [], "usage": {}}}


def body_of(events: list[Any]) -> Any:
    assembly = Assembly()
    for event in events:
        list(assembly.add(event))
    return assembly.body()


def block(index: int, start: Any, *deltas: Any) -> list[Any]:
    opened = {"type": "content_block_start", "index": index, "content_block": start}
    parts = [{"type": "content_block_delta", "index": index, "delta": d} for d in deltas]
    return [opened, *parts, {"type": "content_block_stop", "index": index}]


def delta(kind: str, field: str, value: Any) -> Any:
    return {"type": kind, field: value}


USE = {"type": "tool_use", "id": "t", "name": "f", "input": {}}


@pytest.mark.parametrize(
    ("pieces", "read"),
    [
        ([""], {}),
        ([], {}),
        ([None], {}),
        (list('{"x": [1, "é"]}'), {"x": [1, "é"]}),
        (['{"x": '], '{"x": '),
        (["[1]"], [1]),
    ],
)
def test_an_input_is_read_whole_and_stays_text_where_it_was_cut(
    pieces: list[Any], read: Any
) -> None:
    parts = [delta("input_json_delta", "partial_json", piece) for piece in pieces]
    (made,) = body_of([START, *block(0, USE, *parts)])["content"]
    assert made == {**USE, "input": read}


def test_an_input_given_at_the_start_stays() -> None:
    (made,) = body_of([START, *block(0, {**USE, "input": {"x": 1}})])["content"]
    assert made["input"] == {"x": 1}


BLOCKS: dict[str, tuple[Any, list[Any], Any]] = {
    "thinking": (
        {"type": "thinking", "thinking": "", "signature": ""},
        [
            delta("thinking_delta", "thinking", "h"),
            delta("thinking_delta", "thinking", "m"),
            delta("signature_delta", "signature", "s1"),
        ],
        {"type": "thinking", "thinking": "hm", "signature": "s1"},
    ),
    "thinking without text": (
        {"type": "thinking", "thinking": "", "signature": ""},
        [delta("signature_delta", "signature", "s1")],
        {"type": "thinking", "thinking": "", "signature": "s1"},
    ),
    "redacted": (
        {"type": "redacted_thinking", "data": "xyz"},
        [],
        {"type": "redacted_thinking", "data": "xyz"},
    ),
    "citations": (
        {"type": "text", "text": "", "citations": None},
        [
            delta("text_delta", "text", "a"),
            delta("citations_delta", "citation", {"n": 1}),
            delta("citations_delta", "citation", {"n": 2}),
        ],
        {"type": "text", "text": "a", "citations": [{"n": 1}, {"n": 2}]},
    ),
    "compaction": (
        {"type": "compaction", "content": None},
        [delta("compaction_delta", "content", "sum"), delta("compaction_delta", "content", "med")],
        {"type": "compaction", "content": "summed"},
    ),
    "unknown block": (
        {"type": "new_block", "deep": {"a": [1]}},
        [delta("new_delta", "new", "x")],
        {"type": "new_block", "deep": {"a": [1]}},
    ),
}


@pytest.mark.parametrize("name", BLOCKS)
def test_a_block_comes_together_with_all_its_fields(name: str) -> None:
    start, deltas, whole = BLOCKS[name]
    assert body_of([START, *block(0, start, *deltas)])["content"] == [whole]


def test_blocks_stand_in_the_order_of_their_index_and_do_not_mix() -> None:
    first, second = (block(n, {"type": "text", "text": ""}) for n in (0, 1))
    mixed = [second[0], first[0]]
    for n, text in [(1, "c"), (0, "a"), (1, "d"), (0, "b")]:
        part = {"type": "text_delta", "text": text}
        mixed.append({"type": "content_block_delta", "index": n, "delta": part})
    assert [b["text"] for b in body_of([START, *mixed])["content"]] == ["ab", "cd"]


@pytest.mark.parametrize(
    ("at_start", "at_end", "usage"),
    [
        ({"input_tokens": 5, "output_tokens": 1}, {"output_tokens": 9}, {"input_tokens": 5}),
        ({"input_tokens": 0}, {"input_tokens": 5, "output_tokens": 9}, {"input_tokens": 5}),
        ({"input_tokens": 5}, {"input_tokens": None, "output_tokens": 9}, {"input_tokens": 5}),
        (None, {"output_tokens": 9}, {}),
    ],
)
def test_the_last_count_that_is_none_stands(at_start: Any, at_end: Any, usage: Any) -> None:
    start = {"type": "message_start", "message": {"content": [], "usage": at_start}}
    end = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": at_end}
    body = body_of([start, end])
    assert body["usage"] == {**usage, "output_tokens": 9}
    assert body["stop_reason"] == "end_turn"


@pytest.mark.parametrize(
    "odd",
    [
        {"type": "ping"},
        {"type": "message_stop"},
        {"type": "content_block_delta", "index": 0, "delta": None},
        {"type": "content_block_delta", "index": 0, "delta": {}},
        {"type": "message_delta", "delta": None, "usage": None},
        {"type": "new_event", "x": 1},
        {},
    ],
)
def test_an_event_that_says_nothing_changes_nothing(odd: Any) -> None:
    said = block(0, {"type": "text", "text": ""}, delta("text_delta", "text", "Yes."))
    plain = body_of([START, *said])
    for events in ([START, *said, odd], [START, *said[:2], odd, said[2]]):
        assert body_of(events) == plain


def test_nothing_is_made_of_a_stream_that_never_started() -> None:
    assert body_of([{"type": "ping"}]) == {}


@given(
    st.text(max_size=20),
    st.lists(st.tuples(st.sampled_from("fg"), st.dictionaries(st.text(max_size=3), st.integers()))),
    st.integers(1, 9),
)
def test_any_split_gives_the_same_body_as_none(text: str, calls: list[Any], size: int) -> None:
    whole = answer("anthropic", text, calls)
    assert body_of(list(message_events(whole, size))) == whole
