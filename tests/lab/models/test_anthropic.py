"""The Messages wire as pure functions: a conversation to a body, a body to a reply."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from lab.messages import Conversation, Notice, Question, Reply, ToolCall, ToolResult, Usage
from lab.models.anthropic import read_reply, request_body
from lab.models.endpoints import Endpoint, endpoints

ENDPOINT = Endpoint("anthropic", "anthropic", "http://127.0.0.1:1")
Talk = Callable[..., Conversation]


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


def use(id: Any, name: str = "look_up", **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": name, "input": arguments}


def body(*content: dict[str, Any], stop: Any = "end_turn", **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(content), "stop_reason": stop, **more}


def sent(conversation: Conversation) -> list[dict[str, Any]]:
    return request_body(conversation, "m", ENDPOINT)["messages"]  # type: ignore[no-any-return]


def test_a_request_has_system_and_tools_at_the_top_and_nothing_that_is_refused(talk: Talk) -> None:
    assert request_body(talk(), "m", ENDPOINT) == {
        "model": "m",
        "max_tokens": 4096,
        "system": "Answer in words.",
        "tools": [
            {
                "name": "look_up",
                "description": "Returns what a word means.",
                "input_schema": talk().tools[0].parameters,
            }
        ],
        "stream": True,
        "messages": [{"role": "user", "content": [text("Why?")]}],
    }
    assert "tools" not in request_body(talk(tools=()), "m", ENDPOINT)


@pytest.mark.parametrize(
    ("fields", "model", "added"),
    [
        ({"cap": 9}, "m", {"max_tokens": 9}),
        ({"stream": False}, "m", {"stream": None}),
        ({"cache": True}, "m", {"cache_control": {"type": "ephemeral"}}),
        (
            {"thinking": ("claude-sonnet-5",)},
            "claude-sonnet-5-5",
            {"thinking": {"type": "adaptive", "display": "summarized"}},
        ),
        ({"thinking": ("claude-sonnet-5",)}, "claude-haiku-4-5", {}),
        ({"json": "schema"}, "m", {}),
    ],
)
def test_a_field_of_the_endpoint_changes_its_own_field_of_the_request_and_no_other(
    talk: Talk, fields: dict[str, Any], model: str, added: dict[str, Any]
) -> None:
    plain = request_body(talk(), model, ENDPOINT)
    made = request_body(talk(), model, replace(ENDPOINT, **fields))
    assert made == {k: v for k, v in {**plain, **added}.items() if v is not None}


def test_tools_are_strict_where_the_endpoint_can_and_an_answer_keeps_to_its_schema(
    talk: Talk,
) -> None:
    made = request_body(talk(), "m", replace(ENDPOINT, schema="strict"))
    assert [tool["strict"] for tool in made["tools"]] == [True]
    schema = {"type": "object"}
    conversation = replace(talk(), answer_schema=schema)
    made = request_body(conversation, "m", replace(ENDPOINT, json="schema"))
    assert made["output_config"] == {"format": {"type": "json_schema", "schema": schema}}
    assert "output_config" not in request_body(conversation, "m", ENDPOINT)


@pytest.mark.parametrize(
    "refused", ["temperature", "top_p", "top_k", "tool_choice", "stop_sequences", "budget_tokens"]
)
def test_nothing_is_sent_that_newer_models_refuse(talk: Talk, refused: str) -> None:
    shipped = endpoints()["anthropic"]
    made = request_body(talk(Question("Why?")), "claude-sonnet-5-5", shipped)
    assert refused not in json.dumps(made)
    assert made["messages"][-1]["role"] == "user"


@pytest.mark.parametrize(
    ("raw", "content", "stop", "fault"),
    [
        ("end_turn", [text("Yes.")], "answer", ""),
        ("stop_sequence", [text("Yes.")], "answer", ""),
        ("end_turn", [text("Yes."), use("a")], "tools", ""),
        ("tool_use", [use("a")], "tools", ""),
        ("odd_new_reason", [use("a")], "tools", ""),
        ("max_tokens", [text("Ye")], "cut", ""),
        ("max_tokens", [use("a")], "cut", ""),
        ("model_context_window_exceeded", [text("Ye")], "cut", ""),
        ("refusal", [], "refused", ""),
        ("refusal", [text("I"), use("a")], "refused", ""),
        ("pause_turn", [text("Searching.")], "paused", ""),
        ("odd_new_reason", [text("Ye")], "unknown", ""),
        (None, [text("Ye")], "unknown", ""),
        ("end_turn", [], "answer", "is empty"),
        ("end_turn", [text(" ")], "answer", "is empty"),
        ("tool_use", [text("I call.")], "tools", "holds no call"),
    ],
)
def test_calls_decide_how_a_reply_stopped_unless_it_was_cut_refused_or_paused(
    talk: Talk, raw: Any, content: list[Any], stop: str, fault: str
) -> None:
    reply = read_reply(body(*content, stop=raw), talk())
    assert (reply.stop, reply.stop_raw) == (stop, raw or "")
    assert (fault in reply.fault) if fault else reply.fault == ""


@pytest.mark.parametrize(
    ("details", "detail"),
    [
        ({"type": "refusal", "category": "cyber", "explanation": "It harms."}, "cyber: It harms."),
        ({"category": None, "explanation": "It harms."}, "It harms."),
        (None, ""),
        ({}, ""),
    ],
)
def test_a_refusal_says_its_category_and_explanation(talk: Talk, details: Any, detail: str) -> None:
    reply = read_reply(body(stop="refusal", stop_details=details), talk())
    assert (reply.stop, reply.detail) == ("refused", detail)


def test_text_and_thinking_are_told_apart_and_server_tools_are_not_ours(talk: Talk) -> None:
    reply = read_reply(
        body(
            {"type": "thinking", "thinking": "hm", "signature": "s1"},
            {"type": "redacted_thinking", "data": "xyz"},
            text("One, "),
            {"type": "server_tool_use", "id": "srv", "name": "web_search", "input": {}},
            {"type": "web_search_tool_result", "tool_use_id": "srv", "content": []},
            text("two."),
            use("a", word="b"),
        ),
        talk(),
    )
    assert (reply.text, reply.thinking) == ("One, two.", "hm")
    assert reply.calls == (ToolCall("a", "look_up", {"word": "b"}),)


@pytest.mark.parametrize(
    ("given", "read", "fault"),
    [({"word": "a"}, {"word": "a"}, ""), ({}, {}, ""), (None, {}, ""), ([1], None, "a list")],
)
def test_arguments_are_an_object_or_a_named_fault(
    talk: Talk, given: Any, read: Any, fault: str
) -> None:
    (call,) = read_reply(body({**use("a"), "input": given}), talk()).calls
    assert call.arguments == read
    assert (fault in call.fault) if fault else call.fault == ""


def test_the_assistants_turn_goes_back_as_it_came(talk: Talk) -> None:
    blocks = [
        {"type": "thinking", "thinking": "", "signature": "of-empty-thinking"},
        {"type": "redacted_thinking", "data": "xyz"},
        {"type": "text", "text": "Wait.", "citations": None},
        {**use("a", word="b"), "caller": {"type": "direct"}},
        {"type": "some_new_block", "deep": [1, None]},
    ]
    reply = read_reply(body(*blocks), talk())
    assert sent(talk(reply)) == [{"role": "assistant", "content": blocks}]
    assert reply.raw == {"role": "assistant", "content": blocks}


def test_empty_text_is_dropped_and_a_turn_with_nothing_left_is_not_sent(talk: Talk) -> None:
    reply = read_reply(body(text(""), use("a"), text(" \n")), talk())
    assert sent(talk(reply)) == [{"role": "assistant", "content": [use("a")]}]
    for empty in (read_reply(body(text("")), talk()), read_reply(body(), talk()), Reply("")):
        assert [m["role"] for m in sent(talk(Question("Why?"), empty))] == ["user"]


EARLIER = Reply("", (ToolCall("a", "look_up", {}), ToolCall("call_2", "look_up", {})), "tools")


@pytest.mark.parametrize(
    ("received", "unique"),
    [
        (["b", "c"], ["b", "c"]),
        (["", None], ["call_3", "call_4"]),
        (["b", "b", "b"], ["b", "b_2", "b_3"]),
        (["a"], ["a_2"]),
    ],
)
def test_empty_and_repeated_ids_become_unique_and_stand_on_both_sides(
    talk: Talk, received: list[Any], unique: list[str]
) -> None:
    results = [ToolResult(call.id, "known") for call in EARLIER.calls]
    before = (Question("Why?"), EARLIER, *results)
    reply = read_reply(body(*(use(id) for id in received)), talk(*before))
    assert [call.id for call in reply.calls] == unique
    told = [ToolResult(call.id, "x") for call in reply.calls]
    *_, assistant, user = sent(talk(*before, reply, *told))
    assert [block["id"] for block in assistant["content"]] == unique
    assert [block["tool_use_id"] for block in user["content"]] == unique


@pytest.mark.parametrize("id", ["functions.look_up:0", "call é", "a" * 9])
def test_ids_and_names_of_another_wire_go_as_this_one_takes_them_on_both_sides(
    talk: Talk, id: str
) -> None:
    calls = (ToolCall(id, "look up", {}),)
    said, told = sent(talk(Reply("", calls, "tools"), ToolResult(id, "x")))
    [call], [result] = said["content"], told["content"]
    assert call["id"] == result["tool_use_id"]
    assert re.fullmatch("[A-Za-z0-9_-]+", call["id"])
    assert call["name"] == "look_up"


def test_parallel_results_stand_first_in_one_user_message(talk: Talk) -> None:
    calls = tuple(ToolCall(id, "look_up", {"word": id}) for id in "abc")
    told = [
        ToolResult("a", "1"),
        Notice("The index changed."),
        ToolResult("b", "broken", failed=True),
        ToolResult("c", "3"),
        Question("And then?"),
    ]
    assert sent(talk(Reply("Wait.", calls, "tools"), *told)) == [
        {
            "role": "assistant",
            "content": [text("Wait."), *(use(id, word=id) for id in "abc")],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": "1"},
                {"type": "tool_result", "tool_use_id": "b", "content": "broken", "is_error": True},
                {"type": "tool_result", "tool_use_id": "c", "content": "3"},
                text("The index changed."),
                text("And then?"),
            ],
        },
    ]


def test_a_paused_turn_is_sent_back_with_nothing_after_it(talk: Talk) -> None:
    paused = read_reply(body(text("Searching."), stop="pause_turn"), talk())
    assert [m["role"] for m in sent(talk(Question("Why?"), paused))] == ["user", "assistant"]


@pytest.mark.parametrize(
    ("usage", "read"),
    [
        (None, Usage()),
        ({"input_tokens": 0, "output_tokens": 2}, Usage(None, 2)),
        (
            {"input_tokens": 0, "cache_read_input_tokens": 9, "output_tokens": 2},
            Usage(9, 2, cache_read=9),
        ),
        ({"input_tokens": 5, "output_tokens": 2}, Usage(5, 2)),
        (
            {
                "input_tokens": 5,
                "cache_creation_input_tokens": 10,
                "cache_read_input_tokens": 100,
                "output_tokens": 2,
            },
            Usage(115, 2, cache_read=100, cache_write=10),
        ),
        ({"input_tokens": 5, "cache_read_input_tokens": None, "output_tokens": 2}, Usage(5, 2)),
        ({"input_tokens": None, "output_tokens": 2}, Usage(None, 2)),
        ({"output_tokens": 2, "cache_read_input_tokens": 3}, Usage(None, 2)),
        ({"input_tokens": "5"}, Usage()),
    ],
)
def test_the_input_is_the_uncached_part_with_cache_reads_and_writes(
    talk: Talk, usage: Any, read: Usage
) -> None:
    assert read_reply(body(text("Yes."), usage=usage), talk()).usage == read


def test_a_longer_conversation_only_adds_to_the_body(talk: Talk) -> None:
    told: list[Any] = [Question("Why?")]
    for n in range(3):
        before = json.dumps(sent(talk(*told)))
        told.append(read_reply(body(use("")), talk(*told)))
        told.append(ToolResult(told[-1].calls[0].id, f"result {n}"))
        assert json.dumps(sent(talk(*told))).startswith(before[:-1])
