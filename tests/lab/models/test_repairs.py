"""A refused field is dropped or renamed once, is told, and stays so; nothing goes on for ever."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from answers import answer

from lab.messages import Conversation, Exchange, Question, ToolResult, ToolSchema
from lab.models import openai
from lab.models.endpoints import Endpoint
from lab.models.hosted import MOST_REPAIRS, HostedModel
from lab.models.model import ModelError
from lab.models.repairs import repaired

if TYPE_CHECKING:
    from tests.conftest import Answer, Loopback, Received

Talk = Callable[..., Conversation]

FULL: dict[str, Any] = {
    "openai": {"schema": "strict", "json": "schema"},
    "anthropic": {"schema": "strict", "json": "schema", "thinking": ("m",), "cache": True},
    "ollama": {"schema": "strict", "json": "schema"},
}
"""Fields that make a request hold everything that may be refused."""

LESS: dict[str, Any] = {
    "strict": {"json": ""},
    "additionalProperties": {"schema": "plain", "json": ""},
}
"""Fields that would hold the refused thing too, left out for its case."""

CLOSED = ToolSchema(
    "look_up", "Look up.", {"type": "object", "properties": {}, "additionalProperties": False}
)

REFUSALS: dict[str, tuple[str, str, str]] = {
    "max_tokens": ("openai", "max_tokens", "Unsupported parameter: 'max_tokens'"),
    "stream_options": ("openai", "stream_options", "stream_options is not supported"),
    "response_format": ("openai", "response_format", "response_format is not available"),
    "strict": ("openai", '"strict": true', "tools[0].function.strict: unknown field"),
    "additionalProperties": (
        "openai",
        "additionalProperties",
        'Unknown name "additionalProperties": Cannot find field.',
    ),
    "null content": ("openai", '"content": null', "messages[2].content must not be null"),
    "stream": ("openai", '"stream": true', "stream is not supported for this model"),
    "output_config": (
        "anthropic",
        "output_config",
        "output_config: Extra inputs",
    ),
    "thinking": ("anthropic", '"thinking"', "thinking: adaptive is not supported"),
    "cache_control": ("anthropic", "cache_control", "cache_control: Extra inputs"),
    "strict tools": ("anthropic", '"strict": true', "tools.0.strict: not supported"),
}
"""Which wire, what the server looks for in the body, what it says of it."""


def refusing(wire: str, found: str, said: str, loopback: Loopback) -> None:
    """Queue answers of a server that refuses bodies with something in them."""

    def judge(request: Received) -> Answer:
        if found in json.dumps(request.json):
            body: Any = {"error": {"message": said, "type": "invalid_request_error"}}
            return 400, {}, json.dumps(body).encode()
        return 200, {"content-type": "application/json"}, json.dumps(answer(wire, "Yes.")).encode()

    for _ in range(9):
        loopback.given(judge)


def asked_before(talk: Talk) -> Conversation:
    """A conversation with a call and its result in it, as the second step of a run has."""
    call = {"id": "c", "type": "function", "function": {"name": "look_up", "arguments": "{}"}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    reply = openai.read_reply({"choices": [{"message": message}]}, talk())
    told = (Question("Why?"), reply, ToolResult("c", "x"))
    return talk(*told, tools=(CLOSED,))


@pytest.mark.parametrize("name", REFUSALS)
def test_a_refused_field_is_repaired_once_noticed_and_stays_so(
    name: str, loopback: Loopback, talk: Talk, watch: Any
) -> None:
    wire, found, said = REFUSALS[name]
    refusing(wire, found, said, loopback)
    endpoint = Endpoint("mine", wire, loopback.url, free=True, **FULL[wire])  # type: ignore[arg-type]
    model = HostedModel(replace(endpoint, **LESS.get(name, {})), "m")
    conversation = talk(tools=(CLOSED,)) if wire == "anthropic" else asked_before(talk)
    conversation = replace(conversation, answer_schema={"type": "object"})
    assert model.reply(conversation, watch)[0].text == "Yes."
    assert len(loopback.received) == 2
    assert found in json.dumps(loopback.received[0].json)
    assert [about for about, _ in watch.notices] == ["repair"]
    assert watch.notices[0][1].startswith(f"{model.where}: ")
    assert model.reply(conversation, watch)[0].text == "Yes."
    assert len(loopback.received) == 3
    assert [about for about, _ in watch.notices] == ["repair"]


def test_the_cap_field_changes_to_its_other_name_and_not_back_and_forth(
    loopback: Loopback, talk: Talk, watch: Any
) -> None:
    refusing("openai", "max_", "Unsupported parameter: max_completion_tokens", loopback)
    model = HostedModel(Endpoint("mine", "openai", loopback.url, free=True), "m")
    with pytest.raises(ModelError):
        model.reply(talk(), watch)
    assert len(loopback.received) <= 1 + MOST_REPAIRS


def test_endless_refusals_end_as_the_refusal(
    loopback: Loopback, talk: Talk, watch: Any, wire: str
) -> None:
    everything = (
        "stream stream_options strict format content thinking cache_control max_tokens schema"
    )
    refusing(wire, "model", f"I refuse {everything}", loopback)
    endpoint = Endpoint("mine", wire, loopback.url, free=True, **FULL[wire])  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="I refuse") as caught:
        HostedModel(endpoint, "m").reply(talk(), watch)
    assert caught.value.kind == "bad_request"
    sent = [request.body for request in loopback.received]
    assert 1 < len(sent) == len(set(sent)) <= 1 + MOST_REPAIRS
    assert [about for about, _ in watch.notices] == ["repair"] * (len(sent) - 1)


@pytest.mark.parametrize(
    "said",
    [
        "what is this",
        "Invalid value for temperature",
        "tool_use_failed: parameters did not match schema: additionalProperties 'x' not allowed",
        "messages.0.content: at least one message is required",
        "the upstream model could not be reached",
        "Your thinking budget",
        "Upstream error from provider: bad input",
        "This account is restricted.",
        "Wrong format of messages[1]",
        "wishful thinking",
        "max_tokens is too large: 4096. This model supports at most 2048 completion tokens.",
        "max_completion_tokens must not exceed 2048",
    ],
)
def test_what_names_nothing_of_ours_is_repaired_by_nothing(said: str, talk: Talk) -> None:
    refusal = ModelError(said, Exchange(said), "bad_request")
    endpoint = Endpoint("mine", "openai", "", schema="strict")
    assert repaired(endpoint, refusal, partial(openai.request_body, talk(), "m")) is None


@pytest.mark.parametrize("status", [401, 403, 404, 413])
def test_only_a_bad_request_is_repaired(
    status: int, loopback: Loopback, talk: Talk, watch: Any
) -> None:
    loopback.json({"error": {"message": "stream"}}, status)
    with pytest.raises(ModelError):
        HostedModel(Endpoint("mine", "openai", loopback.url, free=True), "m").reply(talk(), watch)
    assert [request.method for request in loopback.received].count("POST") == 1
    assert watch.notices == []
