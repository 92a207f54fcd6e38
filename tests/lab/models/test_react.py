"""Tool calls as JSON text: what is read as a call, what as an answer, and what goes back."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from lab.events import ModelAsked, Noticed
from lab.messages import Conversation, Question, Reply, ToolCall, ToolResult
from lab.models import anthropic
from lab.models.endpoints import Endpoint
from lab.models.hosted import HostedModel
from lab.models.model import Watch
from lab.models.react import React, as_text, read
from lab.models.scripted import Scripted
from lab.run import Run

if TYPE_CHECKING:
    from tests.conftest import Loopback

CALL = '{"thought": "hm", "action": "look_up", "input": {"word": "a"}}'
ARGUMENTS = {"word": "a"}


@pytest.mark.parametrize(
    "text",
    [
        CALL,
        '{"action": "look_up", "input": {"word": "a"}}',
        '{"tool": "look_up", "args": {"word": "a"}}',
        '{"action": "look_up", "input": "{\\"word\\": \\"a\\"}"}',
        f"I will look it up.\n{CALL}\nThen I answer.",
        f"```json\n{CALL}\n```",
        f"Here:\n```\n{CALL}\n```\nDone {{really}}.",
        f"{CALL}\n{CALL}",
        f'{{"note": 1}} {CALL}',
        '{"thought": "two\nlines", "action": "look_up", "input": {"word": "a"}}',
        '{"thought": ["hm"], "action": "look_up", "input": {"word": "a"}}',
        '{"thought": "t", "tool": "look_up", "args": {"word": "a"}, "final": null}',
        '{"tool": "look_up", "args": {"word": "a"}, "final": false}',
        '{"action": "look_up", "action_input": {"word": "a"}}',
    ],
)
def test_both_shapes_are_read_with_a_fence_or_prose_around(
    talk: Callable[..., Conversation], text: str
) -> None:
    reply = read(Reply(text), talk())
    assert [(c.name, c.arguments) for c in reply.calls] == [("look_up", ARGUMENTS)]
    assert (reply.stop, reply.fault) == ("tools", "")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('{"action": "final", "input": "Yes."}', "Yes."),
        ('{"action": "Final_Answer", "input": "Yes."}', "Yes."),
        ('{"final": "Yes."}', "Yes."),
        ('{"tool": "final", "args": "Yes."}', "Yes."),
        ('{"thought": "t", "action": "final", "answer": "Yes."}', "Yes."),
        ('{"action": "final_answer", "action_input": "Yes."}', "Yes."),
        ('{"tool": null, "args": null, "final": "Yes."}', "Yes."),
        ('{"thought": "hm", "final": {"bytes": 5}}', '{"bytes": 5}'),
        ('```json\n{"final": "Yes {or} no."}\n```', "Yes {or} no."),
        ('{"final": "So:\n```python\nx = {}\n```\nDone."}', "So:\n```python\nx = {}\n```\nDone."),
    ],
)
def test_an_answer_is_read_in_both_shapes(
    talk: Callable[..., Conversation], text: str, answer: str
) -> None:
    reply = read(Reply(text), talk())
    assert (reply.text, reply.calls, reply.stop, reply.fault) == (answer, (), "answer", "")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Yes.", "holds no JSON object"),
        ("", "is empty"),
        ("{", "holds no JSON object"),
        ('{"action": "look_up", "input": {"word"', "holds no JSON object"),
        ('{"word": "a"}', "holds no JSON object"),
        ('{"action": 5, "input": {}}', "holds no JSON object"),
        ("[1, 2]", "holds no JSON object"),
        (f'{CALL} {{"final": "Yes."}}', "2 different objects"),
        (f'{CALL} {{"tool": "look_up", "args": {{"word": "b"}}}}', "2 different objects"),
        ('{"final": ""}', "is empty"),
        ("{" * 100_000, "holds no JSON object"),
        ('{"a":' * 100_000, "holds no JSON object"),
    ],
    ids=lambda text: text[:30],
)
def test_what_is_no_single_step_is_a_fault_that_shows_the_form(
    talk: Callable[..., Conversation], text: str, fault: str
) -> None:
    reply = read(Reply(text), talk())
    assert reply.calls == ()
    assert fault in reply.fault


@pytest.mark.parametrize(
    ("step", "arguments", "fault"),
    [
        ('{"action": "look_up"}', {}, ""),
        ('{"action": "look_up", "input": null}', {}, ""),
        ('{"action": "look_up", "input": "a"}', None, "not valid JSON"),
        ('{"action": "look_up", "input": ["a"]}', None, "a list"),
        ('{"action": "look_up", "input": 5}', None, "a number"),
    ],
)
def test_an_input_that_is_no_object_is_kept_as_a_call_that_cannot_run(
    talk: Callable[..., Conversation], step: str, arguments: Any, fault: str
) -> None:
    (call,) = read(Reply(step), talk()).calls
    assert call.arguments == arguments
    assert (fault in call.fault) if fault else call.fault == ""


@pytest.mark.parametrize(
    ("written", "read_as"),
    [(r'"half \ud83d"', "half ?"), ("NaN", "NaN"), ("-1e999", "-Infinity"), ("1e9", 1e9)],
)
def test_an_input_that_nothing_could_send_on_is_told_in_words(
    talk: Callable[..., Conversation], written: str, read_as: object
) -> None:
    step = f'{{"action": "look_up", "input": {{"word": [{written}]}}}}'
    (call,) = read(Reply(step), talk()).calls
    assert call.arguments == {"word": [read_as]}


def test_an_unknown_tool_is_a_call_all_the_same_so_that_its_error_names_the_tools(
    talk: Callable[..., Conversation],
) -> None:
    (call,) = read(Reply('{"action": "browse", "input": {}}'), talk()).calls
    assert call.name == "browse"


@pytest.mark.parametrize("stop", ["cut", "refused"])
def test_a_reply_that_was_cut_or_refused_is_not_searched_for_calls(
    talk: Callable[..., Conversation], stop: Any
) -> None:
    reply = read(Reply(CALL, stop=stop), talk())
    assert (reply.calls, reply.stop, reply.fault) == ((), stop, "")


def test_a_call_within_the_thinking_is_not_made(
    loopback: Loopback, talk: Callable[..., Conversation], watch: Watch
) -> None:
    loopback.chat(f'<think>{CALL}</think>\n{{"final": "Yes."}}').chat(f"hm {CALL}\n</think>")
    model = React(HostedModel(Endpoint("local", "openai", loopback.url), "m"))
    assert model.reply(talk(), watch)[0].text == "Yes."
    assert model.reply(talk(), watch)[0].calls == ()


def test_tools_stand_in_the_prompt_and_results_go_back_as_observations(
    talk: Callable[..., Conversation],
) -> None:
    asked = Reply("hm", (ToolCall("c1", "look_up", {}), ToolCall("c2", "look_up", {})), "tools")
    told = as_text(
        talk(Question("Why?"), asked, ToolResult("c1", "it"), ToolResult("c2", "no", failed=True))
    )
    assert told.tools == ()
    assert told.system.startswith("Answer in words.")
    assert "look_up: Returns what a word means." in told.system
    assert json.dumps(talk().tools[0].parameters) in told.system
    question, reply, first, second = told.messages
    assert question == Question("Why?")
    assert isinstance(reply, Reply)
    assert reply.calls == ()
    assert [m.text for m in (first, second) if not isinstance(m, Reply | ToolResult)] == [
        "Observation from look_up:\nit",
        "Error from look_up:\nno",
    ]


def test_a_real_tool_call_that_was_not_taken_up_is_not_sent_back(
    talk: Callable[..., Conversation],
) -> None:
    block = {"type": "tool_use", "id": "t", "name": "look_up", "input": {}}
    said = [{"type": "text", "text": CALL}, block]
    body = {"content": said, "stop_reason": "tool_use"}
    reply = read(anthropic.read_reply(body, talk()), talk())
    sent = anthropic.request_body(as_text(talk(reply)), "m", Endpoint("a", "anthropic", ""))
    assert sent["messages"] == [{"role": "assistant", "content": said[:1]}]


STEPS = (
    "I think I should add.",
    '{"thought": "add", "action": "add", "input": {"a": 2, "b": 3}}',
    '{"tool": "add", "args": {"a": "x"}}',
    '```json\n{"final": "It is 5."}\n```',
)


@pytest.fixture
def model(loopback: Loopback) -> React:
    return React(HostedModel(Endpoint("local", "openai", loopback.url, free=True), "m"))


def test_a_run_recovers_from_a_bad_format_and_answers(
    loopback: Loopback,
    model: React,
    begun: Callable[..., Run],
    drive: Callable[..., Run],
    small_tools: Callable[..., Any],
) -> None:
    for step in STEPS:
        loopback.chat(step)
    run = drive(begun(), model, small_tools())
    end = run.end()
    assert end is not None
    assert (end.reason, end.answer) == ("answered", "It is 5.")
    assert sum(isinstance(event, Noticed) for event in run.events) == 1
    bodies = [received.json for received in loopback.received]
    assert all("tools" not in body for body in bodies)
    roles = [message["role"] for message in bodies[-1]["messages"]]
    assert roles == ["system", *["user", "assistant"] * 3, "user"]
    said = [m["content"] for m in bodies[-1]["messages"]]
    assert [said[2], said[4], said[6]] == list(STEPS[:3])
    assert "holds no JSON object" in said[3]
    assert said[5] == "Observation from add:\n5"
    assert said[7].startswith("Error from add:\nadd was not run: ")
    asked = [event.request.body for event in run.events if isinstance(event, ModelAsked)]
    assert [body.encode() for body in asked] == [r.body for r in loopback.received]


def test_three_bad_formats_in_a_row_end_the_run_as_format(
    begun: Callable[..., Run], drive: Callable[..., Run], small_tools: Callable[..., Any]
) -> None:
    texts = ["no", STEPS[1], "no", "no", "no", STEPS[3]]
    run = drive(begun(), React(Scripted([Reply(text) for text in texts])), small_tools())
    end = run.end()
    assert end is not None
    assert end.reason == "format"
    assert "3 unusable replies in a row" in end.detail
    assert run.totals().steps == 5
