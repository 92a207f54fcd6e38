"""Ollama's own wire: what is sent is what its client would send, and asks for the whole prompt."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import ollama as client
import pytest
from answers import answer, as_stream, endpoint_of
from hypothesis import given
from hypothesis import strategies as st

from lab.messages import Conversation, Question, Reply, ToolCall, ToolResult
from lab.models import ollama
from lab.models.endpoints import Endpoint
from lab.models.hosted import HostedModel
from lab.models.json_lines import objects

if TYPE_CHECKING:
    from tests.conftest import Loopback

Talk = Callable[..., Conversation]
ENDPOINT = Endpoint("mine", "ollama", "http://h", json="schema", context=8192)
CALLS = [("look_up", {"word": "cache"}), ("look_up", {"word": "key"})]
KEPT_WHOLE = {"truncate", "shift"}
"""What the client has no words for, and the server knows."""


def read(body: Any, conversation: Conversation) -> Reply:
    return ollama.read_reply(body, conversation)


@pytest.fixture
def called(talk: Talk) -> Conversation:
    """A conversation with two calls and their results."""
    first = talk()
    reply = read(answer("ollama", "I look.", CALLS), first)
    results = [ToolResult(call.id, f"It is {n}.") for n, call in enumerate(reply.calls)]
    return replace(first, messages=(*first.messages, reply, *results), answer_schema={"a": 1})


@pytest.mark.parametrize("stream", [True, False])
def test_a_body_is_what_ollamas_own_client_sends_but_that_nothing_may_be_cut(
    stream: bool, called: Conversation, loopback: Loopback
) -> None:
    body = ollama.request_body(called, "m", replace(ENDPOINT, stream=stream))
    loopback.json(answer("ollama", "Yes."))
    with client.Client(host=loopback.url) as asked:
        sent = asked.chat(**{key: body[key] for key in body.keys() - KEPT_WHOLE})
        list(sent) if stream else None
    [received] = loopback.received
    assert received.path == ollama.PATH
    assert received.json == {key: body[key] for key in body.keys() - KEPT_WHOLE}
    assert [body[key] for key in sorted(KEPT_WHOLE)] == [False, False]
    assert body["options"] == {"num_predict": 4096, "num_ctx": 8192}


def test_what_is_played_is_what_ollamas_client_reads() -> None:
    for played in (answer("ollama", "Yes."), answer("ollama", "I look.", CALLS)):
        for line in as_stream(played):
            client.ChatResponse.model_validate_json(line)
        assert client.ChatResponse.model_validate(played).message.content


def test_a_context_that_is_not_asked_for_is_the_servers_own(talk: Talk) -> None:
    body = ollama.request_body(talk(), "m", replace(ENDPOINT, context=0))
    assert "num_ctx" not in body["options"]


@pytest.mark.parametrize(("kind", "sent"), [("schema", {"a": 1}), ("object", "json"), ("", None)])
def test_an_answer_is_kept_to_json_as_the_entry_says(
    kind: Any, sent: Any, called: Conversation
) -> None:
    assert ollama.request_body(called, "m", replace(ENDPOINT, json=kind)).get("format") == sent


def test_a_turn_goes_back_as_it_came_and_each_result_names_its_tool(called: Conversation) -> None:
    body = ollama.request_body(called, "m", ENDPOINT)
    assert body["messages"][2] == answer("ollama", "I look.", CALLS)["message"]
    assert body["messages"][3:] == [
        {"role": "tool", "content": "It is 0.", "tool_name": "look_up"},
        {"role": "tool", "content": "It is 1.", "tool_name": "look_up"},
    ]


def test_an_id_that_came_with_a_call_is_on_its_result_and_made_unique(talk: Talk) -> None:
    body = answer("ollama", "", CALLS)
    for call in body["message"]["tool_calls"]:
        call["id"] = "call_x"
    conversation = talk()
    reply = read(body, conversation)
    results = [ToolResult(call.id, "So.") for call in reply.calls]
    told = replace(conversation, messages=(*conversation.messages, reply, *results))
    messages = ollama.request_body(told, "m", ENDPOINT)["messages"]
    ids = [call["id"] for call in messages[2]["tool_calls"]]
    assert ids == ["call_x", "call_x_2"] == [m["tool_call_id"] for m in messages[3:]]


def test_a_turn_of_no_wire_is_written_with_its_arguments_as_an_object(talk: Talk) -> None:
    for arguments in ({"word": "x"}, None):
        reply = Reply("I look.", (ToolCall("c", "look_up", arguments, "{"),))
        told = talk(Question("Why?"), reply, ToolResult("c", "So."))
        [_, _, turn, result] = ollama.request_body(told, "m", ENDPOINT)["messages"]
        [call] = turn["tool_calls"]
        assert call["function"] == {"name": "look_up", "arguments": arguments or {}}
        assert result["tool_name"] == "look_up"


@pytest.mark.parametrize(
    ("reason", "calls", "stop"),
    [
        ("stop", [], "answer"),
        ("", [], "answer"),
        ("stop", CALLS, "tools"),
        ("length", [], "cut"),
        ("length", CALLS, "cut"),
        ("load", [], "unknown"),
    ],
)
def test_why_it_stopped_is_read_by_its_calls_unless_it_was_cut(
    reason: str, calls: Any, stop: str, talk: Talk
) -> None:
    reply = read({**answer("ollama", "Yes.", calls), "done_reason": reason}, talk())
    assert (reply.stop, reply.stop_raw) == (stop, reason)


@given(st.data())
def test_any_split_of_the_bytes_gives_the_body_of_the_whole_answer(data: st.DataObject) -> None:
    body = answer("ollama", "Größe \u2028 😀", CALLS)
    whole = b"".join(as_stream(body))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=9)))
    pieces = [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    assembly, shown = ollama.assembly(), ""
    for found in objects(pieces, ollama.ends):
        shown += "".join(assembly.add(found))
    assert assembly.body() == body
    assert shown == "hm" + body["message"]["content"]


def test_counts_that_are_not_there_are_unknown(talk: Talk) -> None:
    body = answer("ollama", "Yes.")
    del body["prompt_eval_count"]
    for counts in ({}, {"prompt_eval_count": 0}):
        usage = read(body | counts, talk()).usage
        assert (usage.tokens_in, usage.tokens_out) == (None, 10)


def test_a_prompt_that_does_not_fit_is_refused_in_a_line_that_says_what_to_do(
    loopback: Loopback, talk: Talk, watch: Any
) -> None:
    loopback.json({"error": "the input length exceeds the context length"}, 400)
    model = HostedModel(endpoint_of("ollama", loopback.url), "m")
    with pytest.raises(Exception, match=r"exceeds the context length.*Ask for less"):
        model.reply(talk(), watch)
    assert loopback.received[0].json["options"]["num_ctx"] == endpoint_of("ollama", "").context
    assert json.loads(loopback.received[0].body)["truncate"] is False
