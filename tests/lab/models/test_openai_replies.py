"""The Chat Completions wire as pure functions: what is read in a body that came."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from lab.messages import Conversation, Usage
from lab.models.openai import read_reply, split_thinking

Talk = Callable[..., Conversation]


def function(id: str | None, name: str = "look_up", arguments: Any = '{"word": "a"}') -> Any:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def body(finish: Any = "stop", usage: Any = None, **message: Any) -> dict[str, Any]:
    said = {"role": "assistant", **message}
    return {"choices": [{"index": 0, "message": said, "finish_reason": finish}], "usage": usage}


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
        ({"content": "<think>\nhm, so 4\n"}, "", "hm, so 4"),
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
        ("stop", {"content": "<think>hm, so 4"}, "answer", "is empty"),
        ("length", {"content": "<think>hm"}, "cut", ""),
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


@pytest.mark.parametrize(
    ("usage", "read"),
    [
        (None, Usage()),
        ({"prompt_tokens": 0, "completion_tokens": 0}, Usage(None, 0)),
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
