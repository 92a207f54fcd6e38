"""Hosted models through the real SDKs against a server on loopback: what leaves, what comes."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from answers import answer, as_stream, names_of

from indexer.index import Index
from lab.cli.follow import EXIT
from lab.events import ModelAsked, ModelFailed, ModelReplied, StopAsked, ToolFinished
from lab.messages import Conversation
from lab.models.endpoints import Endpoint
from lab.models.hosted import HostedModel, in_the_clear
from lab.models.model import ModelError, Watch
from lab.prepare import Choice, settings_for, start
from lab.run import Run
from lab.runner import Runner
from lab.settings import Limits
from lab.store import Store
from lab.tools.site import site_tools

if TYPE_CHECKING:
    from tests.conftest import Loopback

PASSAGE = "kv-cache-sizing#bytes-per-token-for-known-models"

THREE_STEPS: tuple[Any, ...] = (
    [("search_site", {"query": "cache é"}), ("search_site", {"query": "head size"})],
    [("read_passage", {"id": PASSAGE}), ("calculate", {"expression": "2*32*8*128*2"})],
    f"131,072 bytes [{PASSAGE}].",
)


def test_three_steps_run_and_what_is_recorded_is_what_the_server_received(
    loopback: Loopback, wire: str, hosted: HostedModel, play: Callable[..., Run]
) -> None:
    loopback.say(wire, *THREE_STEPS)
    run = play(hosted)
    end = run.end()
    assert end is not None
    assert (end.reason, end.answer) == ("answered", f"131,072 bytes [{PASSAGE}].")
    asked = [event.request for event in run.events if isinstance(event, ModelAsked)]
    assert len(asked) == len(loopback.received) == 3
    for request, received in zip(asked, loopback.received, strict=True):
        assert request.body.encode() == received.body
        assert request.method == received.method == "POST"
        assert request.url == loopback.url + received.path
        assert request.sent
        for name, value in request.headers.items():
            assert received.headers[name] == value
    results = [event for event in run.events if isinstance(event, ToolFinished)]
    assert [result.failed for result in results] == [False] * 4
    assert results[3].content == "131072"


def test_the_response_kept_is_the_bytes_that_came(
    loopback: Loopback, wire: str, streamed: bool, hosted: HostedModel, play: Callable[..., Run]
) -> None:
    loopback.say(wire, *THREE_STEPS)
    replied = [event for event in play(hosted).events if isinstance(event, ModelReplied)]
    for n, event in enumerate(replied):
        step = THREE_STEPS[n]
        calls = () if isinstance(step, str) else step
        body = answer(wire, "I look." if calls else step, calls, n)
        came = b"".join(as_stream(body)).decode() if streamed else json.dumps(body)
        assert event.exchange.response == came
        assert (event.exchange.first_token is not None) == streamed
        assert event.reply.thinking == ("" if wire == "anthropic" else "hm")


def test_every_request_begins_with_the_one_before(
    loopback: Loopback, wire: str, hosted: HostedModel, play: Callable[..., Run]
) -> None:
    loopback.say(wire, *THREE_STEPS)
    play(hosted)
    bodies = [received.json for received in loopback.received]
    for before, after in pairwise(bodies):
        assert after["messages"][: len(before["messages"])] == before["messages"]
        assert {**after, "messages": []} == {**before, "messages": []}


def test_all_results_of_a_turn_go_back_in_the_very_next_request(
    loopback: Loopback, wire: str, hosted: HostedModel, play: Callable[..., Run]
) -> None:
    loopback.say(wire, *THREE_STEPS)
    play(hosted)
    messages = loopback.received[1].json["messages"]
    if wire == "anthropic":
        assert [message["role"] for message in messages] == ["user", "assistant", "user"]
        assert messages[1]["content"][0] == {
            "type": "thinking",
            "thinking": "",
            "signature": "sig0",
        }
        assert [b["tool_use_id"] for b in messages[2]["content"]] == ["toolu_00", "toolu_01"]
        return
    roles = ["system", "user", "assistant", "tool", "tool"]
    assert [message["role"] for message in messages] == roles
    if wire == "openai":
        assert messages[2]["reasoning_content"] == "hm"
        assert [m["tool_call_id"] for m in messages[3:]] == ["call_00", "call_01"]
    else:
        assert messages[2]["thinking"] == "hm"
        called = [call["function"]["name"] for call in messages[2]["tool_calls"]]
        assert [m["tool_name"] for m in messages[3:]] == called


def test_tokens_cost_model_and_raw_response_are_kept(
    loopback: Loopback, wire: str, hosted: HostedModel, play: Callable[..., Run]
) -> None:
    loopback.say(wire, "Yes.")
    run = play(hosted)
    (replied,) = [event for event in run.events if isinstance(event, ModelReplied)]
    assert (replied.reply.usage.tokens_in, replied.reply.usage.tokens_out) == (1000, 10)
    assert "1000" in replied.exchange.response
    assert replied.exchange.model in ("claude-haiku-4-5", "gpt-5", "llama3.1:8b")
    assert ((replied.exchange.cost.usd or 0) > 0) == (wire != "ollama")  # which is free
    assert 0 < replied.exchange.seconds < 5


def test_an_answer_later_than_the_time_limit_ends_as_time_limit_within_a_second_of_it(
    loopback: Loopback, wire: str, hosted: HostedModel, play: Callable[..., Run]
) -> None:
    loopback.say(wire, "Too late.")
    loopback.late(30)
    started = time.monotonic()
    run = play(hosted, Limits(seconds=0.5))
    assert 0.4 < time.monotonic() - started < 1.5
    end = run.end()
    assert end is not None
    assert (end.reason, EXIT[end.reason]) == ("time limit", 3)


def test_the_sdk_does_not_end_a_call_before_the_watch_does(
    loopback: Loopback,
    wire: str,
    hosted: HostedModel,
    talk: Callable[..., Conversation],
    watch: Any,
) -> None:
    loopback.say(wire, "Just in time.")
    loopback.late(0.4)
    watch.seconds_left = lambda: 0.1
    assert hosted.reply(talk(), watch)[0].text == "Just in time."


def test_stop_while_the_model_is_awaited_ends_within_a_second_and_can_be_resumed(
    loopback: Loopback, wire: str, hosted: HostedModel, store: Store, sample: Index
) -> None:
    loopback.say(wire, "Too late.")
    loopback.late(30)
    tools = site_tools(sample)
    settings = settings_for(Choice(), sample, tools.schemas())
    run = start(store, settings, "Why?")
    runner = Runner(run, hosted, tools, settings.limits)
    while not loopback.received:
        run.wait(len(run), 0.05)
    stopped = time.monotonic()
    runner.stop()
    runner.join(5)
    assert time.monotonic() - stopped < 1
    assert not runner.working
    assert runner.error is None
    end = run.end()
    assert end is not None
    assert end.reason == "stopped"
    assert sum(isinstance(event, StopAsked) for event in run.events) == 1
    (failed,) = [event for event in run.events if isinstance(event, ModelFailed)]
    assert failed.error.endswith("stopped by the person.")


def test_half_a_character_in_a_reply_does_not_keep_the_next_request_from_being_sent(
    loopback: Loopback, talk: Callable[..., Conversation], watch: Watch
) -> None:
    model = HostedModel(Endpoint("mine", "openai", loopback.url), "m")
    loopback.calling("look_up", word="half \ud83d").chat("Half \ud83d").chat("Whole 👩‍🔬")
    told: list[Any] = []
    for _ in range(3):
        told.append(model.reply(talk(*told), watch)[0])
    assert [reply.text for reply in told] == ["", "Half ?", "Whole 👩‍🔬"]
    assert told[0].calls[0].arguments == {"word": "half ?"}


@pytest.mark.parametrize(
    ("written", "stop"),
    [
        (('{"word": "ca', 9), "cut"),
        (('{"word": "ca', 8), "tools"),
        (('{"word": "ca', None), "tools"),
        (('{"word": "cat"}', 9), "tools"),
    ],
)
def test_broken_arguments_are_cut_off_where_the_output_limit_is_used_up_whatever_was_said(
    written: tuple[str, int | None],
    stop: str,
    loopback: Loopback,
    talk: Callable[..., Conversation],
    watch: Any,
) -> None:
    arguments, spent = written
    call = {"id": "c", "type": "function", "function": {"name": "look_up", "arguments": arguments}}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
    usage = {"prompt_tokens": 900, "completion_tokens": spent}
    loopback.reply({"choices": [choice], "usage": usage})
    model = HostedModel(Endpoint("mine", "openai", loopback.url, cap=9, free=True), "m")
    assert model.reply(talk(), watch)[0].stop == stop


def test_an_unknown_model_is_told_with_near_names(
    loopback: Loopback, talk: Callable[..., Conversation], watch: Watch
) -> None:
    loopback.json({"error": {"message": "no such model"}}, status=404)
    known = ("llama3.1:8b", "qwen3:8b")
    endpoint = Endpoint("ollama", "openai", loopback.url, models=known, free=True)
    with pytest.raises(ModelError, match=r"no such model .* Near names: llama3\.1:8b\.") as error:
        HostedModel(endpoint, "llama3:8b").reply(talk(), watch)
    assert error.value.exchange.cost.usd == 0


def test_names_near_an_unknown_one_come_from_the_endpoints_own_list(
    wire: Any, loopback: Loopback, talk: Callable[..., Conversation], watch: Any
) -> None:
    loopback.json({"error": {"message": "no such model"}}, status=404)
    loopback.json(names_of(wire, "tiny-chat-2", "other"))
    model = HostedModel(Endpoint("mine", wire, loopback.url, free=True), "tiny-chat-1")
    with pytest.raises(ModelError, match=r"Near names: tiny-chat-2\."):
        model.reply(talk(), watch)
    asked, listing = loopback.received
    assert (listing.method, listing.path.endswith(("/models", "/tags"))) == ("GET", True)
    assert [request.url for request in watch.requests] == [f"{loopback.url}{asked.path}"]


@pytest.mark.parametrize(
    ("address", "open_to_all"),
    [
        ("http://example.com/v1", True),
        ("https://example.com/v1", False),
        ("http://127.0.0.1:8080/v1", False),
        ("http://localhost/v1", False),
    ],
)
def test_a_key_that_travels_unencrypted_is_warned_of(address: str, open_to_all: bool) -> None:
    assert in_the_clear(address) == open_to_all
