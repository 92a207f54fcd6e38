"""The Chat Completions wire as pure functions: a conversation to a body, a body to a reply."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from lab.messages import Conversation, Notice, Question, Reply, ToolCall, ToolResult, Usage
from lab.models.endpoints import Endpoint
from lab.models.openai import read_reply, request_body, split_thinking

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
    }


def test_without_tools_the_request_has_none_and_the_cap_has_the_endpoints_name(talk: Talk) -> None:
    endpoint = Endpoint("o", "openai", "", cap_field="max_completion_tokens", cap=9)
    made = request_body(talk(tools=()), "m", endpoint)
    assert set(made) == {"model", "messages", "max_completion_tokens"}
    assert made["max_completion_tokens"] == 9


@pytest.mark.parametrize(
    ("message", "text", "thinking"),
    [
        ({"content": "Yes."}, "Yes.", ""),
        ({"content": None}, "", ""),
        ({}, "", ""),
        ({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, "ab", ""),
        (
            {
                "content": [
                    {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
                    {"type": "text", "text": "4"},
                ]
            },
            "4",
            "hm",
        ),
        ({"content": [{"type": "image"}, "x", None]}, "", ""),
        ({"content": "<think>hm</think>\n\n4"}, "4", "hm"),
        ({"content": "hm\n</think>\n4"}, "4", "hm"),
        ({"content": "  <think></think>4"}, "4", ""),
        ({"content": "4", "reasoning_content": "hm"}, "4", "hm"),
        ({"content": "4", "reasoning": "hm"}, "4", "hm"),
        ({"content": "4", "reasoning_content": None, "reasoning": "hm"}, "4", "hm"),
        ({"content": "Tags like <think> are text."}, "Tags like <think> are text.", ""),
    ],
)
def test_visible_text_and_reasoning_are_told_apart(
    talk: Talk, message: dict[str, Any], text: str, thinking: str
) -> None:
    reply = read_reply(body(**message), talk())
    assert (reply.text, reply.thinking) == (text, thinking)


def test_a_call_spoken_of_while_thinking_is_not_made(talk: Talk) -> None:
    said = '<think>I could call {"name": "look_up"}</think>No need.'
    reply = read_reply(body(content=said), talk())
    assert (reply.calls, reply.text, reply.stop) == ((), "No need.", "answer")


@pytest.mark.parametrize(
    ("text", "parts"),
    [("a", ("", "a")), ("a</think>b</think>c", ("a", "b</think>c")), ("", ("", ""))],
)
def test_thinking_ends_at_the_first_closing_tag(text: str, parts: tuple[str, str]) -> None:
    assert split_thinking(text) == parts


@pytest.mark.parametrize(
    ("finish", "message", "stop", "fault"),
    [
        ("stop", {"content": "Yes."}, "answer", ""),
        (None, {"content": "Yes."}, "answer", ""),
        ("", {"content": "Yes."}, "answer", ""),
        ("tool_calls", {"tool_calls": [function("a")]}, "tools", ""),
        ("stop", {"tool_calls": [function("a")]}, "tools", ""),
        ("", {"tool_calls": [function("a")]}, "tools", ""),
        ("odd", {"tool_calls": [function("a")]}, "tools", ""),
        ("length", {"content": "Ye"}, "cut", ""),
        ("length", {"content": ""}, "cut", ""),
        ("length", {"tool_calls": [function("a", arguments='{"wo')]}, "cut", ""),
        ("content_filter", {"content": ""}, "refused", ""),
        ("stop", {"content": None, "refusal": "I will not."}, "refused", ""),
        ("tool_calls", {"refusal": "No.", "tool_calls": [function("a")]}, "refused", ""),
        ("tool_calls", {"content": "", "tool_calls": []}, "tools", "holds no call"),
        ("tool_calls", {"content": None, "tool_calls": None}, "tools", "holds no call"),
        ("stop", {"content": "", "tool_calls": []}, "answer", "is empty"),
        ("stop", {"content": " \n"}, "answer", "is empty"),
        ("stop", {"content": "<think>hm</think>"}, "answer", "is empty"),
        ("insufficient_system_resource", {"content": "Ye"}, "unknown", ""),
    ],
)
def test_calls_decide_how_a_reply_stopped_unless_it_was_cut_or_refused(
    talk: Talk, finish: Any, message: dict[str, Any], stop: str, fault: str
) -> None:
    reply = read_reply(body(finish, **message), talk())
    assert reply.stop == stop
    assert reply.stop_raw == (finish or "")
    assert (fault in reply.fault) if fault else reply.fault == ""


def test_a_refusal_is_kept_as_its_explanation(talk: Talk) -> None:
    assert read_reply(body(refusal="I will not."), talk()).detail == "I will not."


def test_arguments_cut_by_length_are_not_whole_though_the_reason_says_tool_calls(
    talk: Talk,
) -> None:
    answered = body("tool_calls", tool_calls=[function("a", arguments='{"word": "caf')])
    answered["choices"][0]["native_finish_reason"] = "length"
    reply = read_reply(answered, talk())
    assert reply.stop == "cut"
    assert reply.calls[0].arguments is None


@pytest.mark.parametrize(
    ("arguments", "read", "fault"),
    [
        ('{"word": "a"}', {"word": "a"}, ""),
        ({"word": "a"}, {"word": "a"}, ""),
        ("", {}, ""),
        ("null", {}, ""),
        (None, {}, ""),
        ("{}", {}, ""),
        (' \n{ "word" :\n"a" }\n', {"word": "a"}, ""),
        ('{"word"', None, "not valid JSON"),
        ("[1]", None, "a list"),
        ('"a"', None, "a text"),
        ("[" * 100_000, None, "not valid JSON"),
        ([1], None, "a list"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_arguments_are_an_object_or_a_named_fault(
    talk: Talk, arguments: Any, read: Any, fault: str
) -> None:
    (call,) = read_reply(body(tool_calls=[function("a", arguments=arguments)]), talk()).calls
    assert call.arguments == read
    assert (fault in call.fault) if fault else call.fault == ""


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


def test_a_turn_that_came_over_no_wire_is_written_in_the_wires_form(talk: Talk) -> None:
    calls = (ToolCall("a", "look_up", {"word": "é"}), ToolCall("b", "look_up", None, "{bad"))
    assert sent(talk(Reply("", calls, "tools"), Reply("Done."))) == [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                function("a", arguments='{"word": "\\u00e9"}'),
                function("b", arguments="{bad"),
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


@pytest.mark.parametrize(
    ("usage", "read"),
    [
        (None, Usage()),
        ({}, Usage()),
        ({"prompt_tokens": 5, "completion_tokens": 2}, Usage(5, 2)),
        (
            {
                "prompt_tokens": 50,
                "completion_tokens": 2,
                "prompt_tokens_details": {"cached_tokens": 30, "cache_write_tokens": 10},
                "completion_tokens_details": {"reasoning_tokens": 1},
            },
            Usage(50, 2, cache_read=30, cache_write=10),
        ),
        ({"prompt_tokens": 5, "prompt_tokens_details": None}, Usage(5)),
        ({"prompt_tokens": "5", "completion_tokens": True}, Usage()),
    ],
)
def test_cached_tokens_are_a_part_of_the_input_and_unknown_is_none(
    talk: Talk, usage: Any, read: Usage
) -> None:
    assert read_reply(body(usage=usage, content="Yes."), talk()).usage == read


def test_a_longer_conversation_only_adds_to_the_body(talk: Talk) -> None:
    told: list[Any] = [Question("Why?")]
    for n in range(3):
        before = json.dumps(sent(talk(*told)))
        told.append(read_reply(body(tool_calls=[function("")]), talk(*told)))
        told += [ToolResult(told[-1].calls[0].id, f"result {n}"), Notice("Hurry.")]
        assert json.dumps(sent(talk(*told))).startswith(before[:-1])
