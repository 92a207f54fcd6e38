"""The Chat Completions wire as pure functions: a conversation to a body, and a turn back."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from lab.messages import Conversation, Notice, Question, Reply, ToolCall, ToolResult
from lab.models.endpoints import Endpoint
from lab.models.openai import read_reply, request_body

ENDPOINT = Endpoint("local", "openai", "http://127.0.0.1:1")
Talk = Callable[..., Conversation]


def function(id: str | None, name: str = "look_up", arguments: Any = '{"word": "a"}') -> Any:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def body(finish: Any = "stop", usage: Any = None, **message: Any) -> dict[str, Any]:
    said = {"role": "assistant", **message}
    return {"choices": [{"index": 0, "message": said, "finish_reason": finish}], "usage": usage}


def sent(conversation: Conversation) -> list[dict[str, Any]]:
    """Messages of the request after the system message."""
    return request_body(conversation, "m", ENDPOINT)["messages"][1:]  # type: ignore[no-any-return]


def test_a_request_has_one_leading_system_message_the_tools_and_the_cap(talk: Talk) -> None:
    assert request_body(talk(), "m", ENDPOINT) == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "Answer in words."},
            {"role": "user", "content": "Why?"},
        ],
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": "look_up",
                    "description": "Returns what a word means.",
                    "parameters": talk().tools[0].parameters,
                },
            }
        ],
        "max_tokens": 4096,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_without_tools_the_request_has_none_and_the_cap_has_the_endpoints_name(talk: Talk) -> None:
    endpoint = Endpoint("o", "openai", "", cap_field="max_completion_tokens", cap=9, stream=False)
    made = request_body(talk(tools=()), "m", endpoint)
    assert set(made) == {"model", "messages", "max_completion_tokens"}
    assert made["max_completion_tokens"] == 9


SCHEMA = {"type": "object", "properties": {"final": {"type": "string"}}}


@pytest.mark.parametrize(
    ("fields", "added"),
    [
        ({"stream": False}, {"stream": None, "stream_options": None}),
        ({"stream_usage": False}, {"stream_options": None}),
        ({"json": "object"}, {"response_format": {"type": "json_object"}}),
        (
            {"json": "schema"},
            {
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {"name": "reply", "strict": True, "schema": SCHEMA},
                }
            },
        ),
    ],
)
def test_a_field_of_the_endpoint_changes_its_own_field_of_the_request_and_no_other(
    talk: Talk, fields: dict[str, Any], added: dict[str, Any]
) -> None:
    conversation = replace(talk(), answer_schema=SCHEMA)
    plain = request_body(conversation, "m", ENDPOINT)
    made = request_body(conversation, "m", replace(ENDPOINT, **fields))
    assert made == {k: v for k, v in {**plain, **added}.items() if v is not None}


@pytest.mark.parametrize(
    ("received", "sent_ids"),
    [
        (["abcdefghi"], ["abcdefghi"]),
        (["call_1", "functions.add:0"], None),
    ],
)
def test_ids_are_nine_letters_and_digits_on_both_sides_where_the_endpoint_wants_them(
    talk: Talk, received: list[str], sent_ids: list[str] | None
) -> None:
    endpoint = replace(ENDPOINT, short_ids=True)
    reply = read_reply(body(tool_calls=[function(id) for id in received]), talk())
    told = [ToolResult(call.id, "x") for call in reply.calls]
    _, _, assistant, *results = request_body(talk(Question("Why?"), reply, *told), "m", endpoint)[
        "messages"
    ]
    ids = [call["id"] for call in assistant["tool_calls"]]
    assert ids == [message["tool_call_id"] for message in results]
    assert ids == (sent_ids or ids)
    assert all(len(id) == 9 and id.isalnum() for id in ids)
    assert len(set(ids)) == len(received)


def test_null_content_beside_calls_is_an_empty_text_where_the_endpoint_refuses_null(
    talk: Talk,
) -> None:
    reply = read_reply(body(content=None, tool_calls=[function("a")]), talk())
    made = request_body(talk(reply), "m", replace(ENDPOINT, null_content=False))
    assert made["messages"][1]["content"] == ""


def test_a_call_of_another_kind_is_kept_as_one_that_cannot_run(talk: Talk) -> None:
    custom = {"id": "x", "type": "custom", "custom": {"name": "sum", "input": "4 + 4"}}
    asked = read_reply(body(tool_calls=[custom, function("y")]), talk())
    assert [(c.id, c.name, c.arguments) for c in asked.calls] == [
        ("x", "sum", None),
        ("y", "look_up", {"word": "a"}),
    ]
    assert "only functions" in asked.calls[0].fault
    (assistant,) = sent(talk(asked))
    assert assistant["tool_calls"] == [custom, function("y")]


EARLIER = Reply("", (ToolCall("a", "look_up", {}), ToolCall("call_2", "look_up", {})), "tools")


@pytest.mark.parametrize(
    ("received", "unique"),
    [
        (["b", "c"], ["b", "c"]),
        (["", ""], ["call_3", "call_4"]),
        ([None, None], ["call_3", "call_4"]),
        (["b", "b", "b"], ["b", "b_2", "b_3"]),
        (["a"], ["a_2"]),
        (["b_2", "b", "b"], ["b_2", "b", "b_3"]),
    ],
)
def test_empty_and_repeated_ids_become_unique_and_stand_on_both_sides(
    talk: Talk, received: list[Any], unique: list[str]
) -> None:
    results = [ToolResult(call.id, "known") for call in EARLIER.calls]
    before = (Question("Why?"), EARLIER, *results)
    reply = read_reply(body(tool_calls=[function(id) for id in received]), talk(*before))
    assert [call.id for call in reply.calls] == unique
    after = sent(talk(*before, reply, *(ToolResult(call.id, "x") for call in reply.calls)))
    assert [call["id"] for call in after[4]["tool_calls"]] == unique
    assert [message["tool_call_id"] for message in after[5:]] == unique


def test_the_assistants_turn_goes_back_as_it_came(talk: Talk) -> None:
    message = {
        "role": "assistant",
        "content": "Wait.",
        "reasoning_content": "hm",
        "reasoning_details": [{"type": "reasoning.encrypted", "data": "xyz"}],
        "tool_calls": [
            {**function("a"), "extra_content": {"google": {"thought_signature": "sig"}}, "index": 0}
        ],
        "annotations": [],
        "some_new_field": {"deep": [1, None]},
    }
    reply = read_reply({"choices": [{"message": message}]}, talk())
    assert sent(talk(reply)) == [message]
    assert reply.raw == message


@pytest.mark.parametrize(
    ("message", "content", "has_calls"),
    [
        ({"content": None, "tool_calls": [function("a")]}, None, True),
        ({"content": "", "tool_calls": [function("a")]}, "", True),
        ({"content": None}, "", False),
        ({"content": None, "tool_calls": []}, "", False),
        ({"content": None, "tool_calls": None}, "", False),
        ({"content": "Yes.", "tool_calls": []}, "Yes.", False),
    ],
)
def test_content_is_null_only_beside_calls_and_an_empty_list_of_calls_is_not_sent(
    talk: Talk, message: dict[str, Any], content: Any, has_calls: bool
) -> None:
    (back,) = sent(talk(read_reply(body(**message), talk())))
    assert back["content"] == content
    assert ("tool_calls" in back) is has_calls


@pytest.mark.parametrize(
    ("arguments", "sent_back"),
    [
        ('{"word": "a"}', '{"word": "a"}'),
        (' { "word" : "\u00e9" } ', ' { "word" : "\u00e9" } '),
        ('{"word": "a', '{"received": "{\\"word\\": \\"a"}'),
        ("[1]", '{"received": "[1]"}'),
        ('{"word": NaN}', '{"word": "NaN"}'),
        ({"word": "a"}, '{"word": "a"}'),
        ("", "{}"),
        ("null", "{}"),
        (None, "{}"),
    ],
)
def test_arguments_go_back_as_a_json_object_that_any_endpoint_can_read(
    talk: Talk, arguments: Any, sent_back: str
) -> None:
    reply = read_reply(body("tool_calls", tool_calls=[function("a", arguments=arguments)]), talk())
    [call] = sent(talk(reply, ToolResult("a", "x")))[0]["tool_calls"]
    assert call["function"] == {"name": "look_up", "arguments": sent_back}


@pytest.mark.parametrize(
    ("name", "sent_back"),
    [("look_up", "look_up"), ("look up!", "look_up_"), ("", "unnamed"), ("a" * 70, "a" * 64)],
)
def test_a_name_that_is_none_goes_back_as_one_and_the_role_is_always_the_models(
    talk: Talk, name: str, sent_back: str
) -> None:
    calls = [function("a", name)]
    said = {**body("tool_calls", tool_calls=[None, *calls])}
    said["choices"][0]["message"]["role"] = ""
    reply = read_reply(said, talk())
    assert [call.name for call in reply.calls] == [name]
    message = sent(talk(reply, ToolResult("a", "x")))[0]
    assert message["role"] == "assistant"
    assert [call["function"]["name"] for call in message["tool_calls"]] == [sent_back]


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ([1, 2], None),
        ({"prompt_tokens": 9, "prompt_tokens_details": [{"cached_tokens": 3}]}, 9),
        ({"prompt_tokens": 9.0}, 9),
        ({"prompt_tokens": 2**64 - 1}, None),
        ({"prompt_tokens": 10**400}, None),
    ],
)
def test_odd_counts_cost_no_answer(talk: Talk, usage: Any, tokens: int | None) -> None:
    reply = read_reply(body(usage=usage, content="Yes."), talk())
    assert (reply.text, reply.usage.tokens_in) == ("Yes.", tokens)


def test_a_turn_that_came_over_no_wire_is_written_in_the_wires_form(talk: Talk) -> None:
    calls = (ToolCall("a", "look_up", {"word": "é"}), ToolCall("b", "look_up", None, "{bad"))
    assert sent(talk(Reply("", calls, "tools"), Reply("Done."))) == [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                function("a", arguments='{"word": "\\u00e9"}'),
                function("b", arguments='{"received": "{bad"}'),
            ],
        },
        {"role": "assistant", "content": "Done."},
    ]


def test_parallel_results_follow_their_calls_with_nothing_between(talk: Talk) -> None:
    calls = tuple(ToolCall(id, "look_up", {}) for id in "abc")
    told = [
        ToolResult("a", "1"),
        Notice("The index changed."),
        ToolResult("b", "failed", failed=True),
        ToolResult("c", "3"),
        Question("And then?"),
    ]
    assert sent(talk(Reply("", calls, "tools"), *told))[1:] == [
        {"role": "tool", "tool_call_id": "a", "content": "1"},
        {"role": "tool", "tool_call_id": "b", "content": "failed"},
        {"role": "tool", "tool_call_id": "c", "content": "3"},
        {"role": "user", "content": "The index changed."},
        {"role": "user", "content": "And then?"},
    ]


def test_a_longer_conversation_only_adds_to_the_body(talk: Talk) -> None:
    told: list[Any] = [Question("Why?")]
    for n in range(3):
        before = json.dumps(sent(talk(*told)))
        told.append(read_reply(body(tool_calls=[function("")]), talk(*told)))
        told += [ToolResult(told[-1].calls[0].id, f"result {n}"), Notice("Hurry.")]
        assert json.dumps(sent(talk(*told))).startswith(before[:-1])
