"""Streamed Chat Completions: in any split the body an unstreamed answer would have had."""

from __future__ import annotations

from typing import Any

import pytest
from answers import answer, chat_chunks
from hypothesis import given
from hypothesis import strategies as st

from lab.models.openai_stream import Assembly


def body_of(chunks: list[Any]) -> Any:
    assembly = Assembly()
    for chunk in chunks:
        list(assembly.add(chunk))
    return assembly.body()


def message_of(*deltas: Any) -> Any:
    """The message that deltas make."""
    chunks = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    return body_of(chunks)["choices"][0]["message"]


def piece(arguments: Any = None, **fields: Any) -> Any:
    """A delta with one piece of a call; `name` goes into its function."""
    function = {"name": fields.pop("name")} if "name" in fields else {}
    if arguments is not None:
        function["arguments"] = arguments
    return {"tool_calls": [{**fields, "function": function}]}


def calls_of(*deltas: Any) -> list[tuple[Any, Any, Any]]:
    calls = message_of(*deltas)["tool_calls"]
    return [(c.get("id"), c["function"]["name"], c["function"]["arguments"]) for c in calls]


CALLS: dict[str, tuple[list[Any], list[tuple[Any, str, Any]]]] = {
    "one byte each": (
        [piece(id="a", name="f", index=0), *(piece(c, index=0) for c in '{"x": 1}')],
        [("a", "f", '{"x": 1}')],
    ),
    "two by index": (
        [
            piece("", id="a", name="f", index=0),
            piece("", id="b", name="g", index=1),
            piece("1", index=0),
            piece("2", index=1),
            piece("3", index=0),
        ],
        [("a", "f", "13"), ("b", "g", "2")],
    ),
    "all at index 0, told apart by id": (
        [
            piece("{}", id="a", name="f", index=0),
            piece("{}", id="b", name="f", index=0),
            piece("{}", id="c", name="f", index=0),
        ],
        [("a", "f", "{}"), ("b", "f", "{}"), ("c", "f", "{}")],
    ),
    "all at index 0, in pieces": (
        [
            piece("1", id="a", name="f", index=0),
            piece("2", index=0),
            piece("3", id="b", name="f", index=0),
            piece("4", index=0),
        ],
        [("a", "f", "12"), ("b", "f", "34")],
    ),
    "all at index 0, empty ids": (
        [piece("{}", id="", name="f", index=0), piece("{}", id="", name="g", index=0)],
        [(None, "f", "{}"), (None, "g", "{}")],
    ),
    "no index": (
        [piece("{}", id="a", name="f"), piece("{}", id="b", name="g")],
        [("a", "f", "{}"), ("b", "g", "{}")],
    ),
    "no index, no id": (
        [piece("{}", name="f"), piece("{}", name="f")],
        [(None, "f", "{}"), (None, "f", "{}")],
    ),
    "no index, in pieces": (
        [piece("1", id="a", name="f"), piece("2"), piece("3", id="b", name="f"), piece("4")],
        [("a", "f", "12"), ("b", "f", "34")],
    ),
    "id in every piece": (
        [piece(c, id="a", name="f", index=0) for c in "123"],
        [("a", "f", "123")],
    ),
    "id in every piece, no index": (
        [piece(c, id="a", name="f") for c in "123"],
        [("a", "f", "123")],
    ),
    "later empty id and name": (
        [piece("1", id="a", name="f", index=0), piece("2", id="", name="", index=0)],
        [("a", "f", "12")],
    ),
    "later null id and name": (
        [piece("1", id="a", name="f", index=0), piece("2", id=None, name=None, index=0)],
        [("a", "f", "12")],
    ),
    "the name after the id": (
        [piece(id="a", index=0), piece(name="f", index=0), piece("1", index=0)],
        [("a", "f", "1")],
    ),
    "arguments as an object": (
        [piece({"x": 1}, id="a", name="f", index=0)],
        [("a", "f", {"x": 1})],
    ),
    "arguments null": (
        [{"tool_calls": [{"id": "a", "function": {"name": "f", "arguments": None}}]}],
        [("a", "f", "")],
    ),
    "a gap in the indices": (
        [piece("1", id="a", name="f", index=3), piece("2", index=3)],
        [("a", "f", "12")],
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_pieces_of_calls_come_together_as_they_were_meant(name: str) -> None:
    deltas, calls = CALLS[name]
    assert calls_of(*deltas) == calls


def test_unknown_fields_of_a_call_are_kept_at_their_place() -> None:
    signed = piece("{}", id="a", name="f", index=0, extra_content={"google": {"sig": "s"}})
    (call,) = message_of(signed)["tool_calls"]
    assert call["extra_content"] == {"google": {"sig": "s"}}
    assert call["type"] == "function"


@pytest.mark.parametrize(
    "odd",
    [
        {"choices": []},
        {"choices": None},
        {},
        {"choices": [{"index": 0, "delta": None}]},
        {"choices": [{"index": 0}]},
        {"choices": [{"index": 0, "delta": {}}]},
        {"choices": [{"index": 0, "delta": {"role": "", "content": None}}]},
        {"choices": [{"index": 0, "delta": {}, "message": {"content": "Yes."}}]},
        {"choices": [{"index": 0, "delta": {"content": None, "tool_calls": None}}]},
        {"choices": [{"index": 1, "delta": {"content": "of another choice"}}]},
    ],
)
def test_a_chunk_that_says_nothing_changes_nothing(odd: Any) -> None:
    said = {"choices": [{"index": 0, "delta": {"content": "Yes."}}]}
    last = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    for chunks in ([odd, said, last], [said, odd, last], [said, last, odd]):
        body = body_of(chunks)
        (choice,) = body["choices"]
        assert (choice["message"]["content"], choice["finish_reason"]) == ("Yes.", "stop")
        assert choice["message"]["role"] == "assistant"


USAGE = {"prompt_tokens": 5, "completion_tokens": 2}


@pytest.mark.parametrize(
    ("places", "usage"),
    [
        ([], None),
        ([0], USAGE),
        ([1], USAGE),
        ([2], USAGE),
        ([0, 1, 2], USAGE),
    ],
)
def test_usage_is_read_wherever_it_stands_and_never_added_up(places: list[int], usage: Any) -> None:
    chunks: list[Any] = [
        {"choices": [{"index": 0, "delta": {"content": "a"}}], "usage": None},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
        {"choices": [], "usage": None},
    ]
    for place in places:
        chunks[place]["usage"] = USAGE
    assert body_of(chunks).get("usage") == usage


@pytest.mark.parametrize(
    ("contents", "whole"),
    [
        (["a", "b"], "ab"),
        ([None, "a"], "a"),
        (["", "a", None], "a"),
        ([[{"type": "text", "text": "a"}], "b"], [{"type": "text", "text": x} for x in "ab"]),
        (["a", [{"type": "text", "text": "b"}]], [{"type": "text", "text": x} for x in "ab"]),
        (["", [{"type": "thinking", "thinking": []}]], [{"type": "thinking", "thinking": []}]),
    ],
)
def test_content_may_change_its_type(contents: list[Any], whole: Any) -> None:
    assert message_of(*({"content": content} for content in contents))["content"] == whole


def test_what_is_shown_is_text_and_reasoning_in_order() -> None:
    assembly = Assembly()
    deltas: list[Any] = [
        {"reasoning_content": "hm "},
        {"reasoning": "so "},
        {"content": [{"type": "text", "text": "a"}]},
        {"content": "b"},
        {"tool_calls": []},
    ]
    shown = [t for d in deltas for t in assembly.add({"choices": [{"index": 0, "delta": d}]})]
    assert "".join(shown) == "hm so ab"


def test_a_stream_without_a_choice_has_none() -> None:
    assert body_of([{"id": "x", "choices": []}])["choices"] == []


@given(
    st.text(max_size=20),
    st.lists(st.tuples(st.sampled_from("fg"), st.dictionaries(st.text(max_size=3), st.integers()))),
    st.integers(1, 9),
)
def test_any_split_gives_the_same_body_as_none(text: str, calls: list[Any], size: int) -> None:
    whole = answer("openai", text, calls)
    body = body_of(list(chat_chunks(whole, size)))
    (choice,), (expected,) = body["choices"], whole["choices"]
    assert choice["finish_reason"] == expected["finish_reason"]
    message, meant = choice["message"], expected["message"]
    assert (message["content"] or "", message["reasoning_content"]) == (text, "hm")
    given_calls = [{**call, "index": n} for n, call in enumerate(meant.get("tool_calls", []))]
    assert message.get("tool_calls", []) == given_calls
    assert body["usage"] == whole["usage"]
