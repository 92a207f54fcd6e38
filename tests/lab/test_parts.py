"""The parts of a request body: all of it is there, whichever wire it is of, each once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.messages import Conversation, Question, Reply, ToolCall, ToolResult, ToolSchema
from lab.models import anthropic, openai
from lab.models.react import as_text
from lab.models.standin import NOBODY
from lab.parts import Part, parts, text_of

TOOLS = (ToolSchema("echo", "Return the text.", {"type": "object"}),)
CALLS = (ToolCall("c1", "echo", {"text": "x"}), ToolCall("c2", "echo", {"text": "y"}))
MESSAGES = (
    Question("What is it?"),
    Reply("I look.", CALLS, "tools"),
    ToolResult("c1", "echoed\nx"),
    ToolResult("c2", "echoed\ny", failed=True),
)
CONVERSATION = Conversation("You are tested.", TOOLS, MESSAGES)
BODIES = {
    "openai": openai.request_body(CONVERSATION, "some-model", NOBODY),
    "anthropic": anthropic.request_body(CONVERSATION, "some-model", NOBODY),
    "react": openai.request_body(as_text(CONVERSATION), "some-model", NOBODY),
}


@pytest.mark.parametrize("wire", BODIES)
def test_every_part_of_a_body_is_there_once(wire: str) -> None:
    text = "\n".join(part.text for part in parts(BODIES[wire]))
    for words in ("You are tested.", "What is it?", "I look.", "echoed\nx", "echoed\ny"):
        assert text.count(words) == 1, words
    assert "Return the text." in text


@pytest.mark.parametrize(
    ("wire", "roles"),
    [
        ("openai", ["system", "user", "assistant", "tool", "tool", "tools"]),
        ("anthropic", ["system", "tools", "user", "assistant", "user", "user"]),
        ("react", ["system", "user", "assistant", "user", "user"]),
    ],
)
def test_parts_stand_in_the_order_sent_and_each_result_is_one(wire: str, roles: list[str]) -> None:
    assert [part.role for part in parts(BODIES[wire])] == roles


@pytest.mark.parametrize("wire", ["openai", "anthropic"])
def test_a_part_is_named_by_its_tool(wire: str) -> None:
    named = [part.name for part in parts(BODIES[wire]) if part.name]
    assert sorted(named) == ["calls echo, echo", "echo", "result of echo", "result of echo"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a\nb", "a\nb"),
        ({"content": "a\nb"}, "a\nb"),
        ({"type": "text", "text": "a\nb"}, "a\nb"),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "a\n\nb"),
        ({"tool_call_id": "c1", "content": "a\nb"}, '{\n "tool_call_id": "c1"\n}\n\na\nb'),
        ({"content": None, "tool_calls": []}, '{\n "content": null,\n "tool_calls": []\n}'),
        ({"type": "thinking", "thinking": "", "signature": "s"}, None),
        ([1, "a"], '[\n 1,\n "a"\n]'),
        (None, "null"),
    ],
)
def test_what_is_text_is_shown_as_text_and_the_rest_as_json(value: Any, text: str | None) -> None:
    assert text_of(value) == (json.dumps(value, indent=1) if text is None else text)


@pytest.mark.parametrize(
    ("message", "characters"),
    [
        ({"role": "user", "content": "four"}, 4),
        ({"role": "user", "content": [{"type": "text", "text": "a\nb"}]}, 3),
        ({"role": "tool", "tool_call_id": "c", "content": "four"}, 37),
    ],
)
def test_characters_are_those_that_were_sent(message: Any, characters: int) -> None:
    [part] = parts({"messages": [message]})
    assert part.characters == characters


def test_parts_that_say_the_same_are_told_apart() -> None:
    same = {"role": "user", "content": "Again."}
    assert parts({"messages": [same] * 3}) == tuple(
        Part("user", "", "Again.", 6, copy) for copy in range(3)
    )


words = st.sampled_from(["", "a", "tool_use", 'a "b"\n', "\\"])
json_values = st.recursive(
    words | st.none() | st.integers(0, 9),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["text", "type", "id", "name"]), inner)
    ),
    max_leaves=5,
)
messages = st.dictionaries(st.sampled_from(["content", "text", "thinking", "x"]), json_values)


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


@given(messages)
def test_nothing_a_server_may_have_said_is_lost_or_breaks_it(said: dict[str, Any]) -> None:
    [part] = parts({"messages": [{**said, "role": "assistant"}]})
    for text in strings(said):
        quoted = json.dumps(text, ensure_ascii=False)[1:-1]
        assert text in part.text or quoted in part.text
