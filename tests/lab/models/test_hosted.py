"""Hosted models through the real SDKs against a server on loopback: what leaves, what comes."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from indexer.index import Index
from lab.cli.follow import EXIT, json_line
from lab.events import ModelAsked, ModelFailed, ModelReplied, StopAsked, ToolFinished
from lab.loop import advance
from lab.messages import Conversation
from lab.models.endpoints import Endpoint, endpoints
from lab.models.hosted import HostedModel
from lab.models.model import Model, ModelError, Watch
from lab.prepare import Choice, settings_for, start
from lab.run import Run
from lab.runner import Runner
from lab.settings import Limits
from lab.store import Store
from lab.tools.site import site_tools

if TYPE_CHECKING:
    from tests.conftest import Loopback

CANARY = "sk-canary-4f1c8e7720b95d"
PASSAGE = "kv-cache-sizing#bytes-per-token-for-known-models"


@pytest.fixture(params=["openai", "anthropic"])
def wire(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def hosted(wire: str, loopback: Loopback) -> HostedModel:
    """A model at the loopback server, called with the canary key."""
    base = {"openai": "/v1", "anthropic": ""}[wire]
    endpoint = replace(endpoints()[wire], base_url=loopback.url + base)
    return HostedModel(endpoint, "claude-haiku-4-5" if wire == "anthropic" else "gpt-5", CANARY)


@pytest.fixture
def play(store: Store, sample: Index) -> Callable[..., Run]:
    """Ask a question of a model and follow the run to its end."""

    def played(model: Model, limits: Limits | None = None) -> Run:
        tools = site_tools(sample)
        settings = settings_for(Choice(limits=limits or Limits()), sample, tools.schemas())
        run = start(store, settings, "How large is the KV cache?")
        for _ in advance(run, model, tools, settings.limits):
            pass
        return run

    return played


def queue(loopback: Loopback, wire: str, *replies: str | list[tuple[str, dict[str, Any]]]) -> None:
    """Queue replies in the form of a wire: texts, or calls by name and arguments."""
    for n, reply in enumerate(replies):
        said = reply if isinstance(reply, str) else "I look."
        calls = [] if isinstance(reply, str) else reply
        if wire == "anthropic":
            blocks: list[Any] = [
                {"type": "thinking", "thinking": "", "signature": f"sig{n}"},
                {"type": "text", "text": said},
            ]
            blocks += [
                {"type": "tool_use", "id": f"toolu_{n}{i}", "name": name, "input": arguments}
                for i, (name, arguments) in enumerate(calls)
            ]
            loopback.json(
                {
                    "id": "msg_1",
                    "type": "message",
                    "role": "assistant",
                    "model": "claude-haiku-4-5",
                    "content": blocks,
                    "stop_reason": "tool_use" if calls else "end_turn",
                    "usage": {"input_tokens": 100, "output_tokens": 10},
                }
            )
            continue
        items = [
            {
                "id": f"call_{n}{i}",
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(arguments)},
            }
            for i, (name, arguments) in enumerate(calls)
        ]
        loopback.chat(said, **({"tool_calls": items} if items else {}), reasoning_content="hm")


THREE_STEPS: tuple[Any, ...] = (
    [("search_site", {"query": "cache é"}), ("search_site", {"query": "head size"})],
    [("read_passage", {"id": PASSAGE}), ("calculate", {"expression": "2*32*8*128*2"})],
    f"131,072 bytes [{PASSAGE}].",
)


def test_three_steps_run_and_what_is_recorded_is_what_the_server_received(
    loopback: Loopback, wire: str, hosted: HostedModel, play: Callable[..., Run]
) -> None:
    queue(loopback, wire, *THREE_STEPS)
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


def test_the_key_is_sent_in_one_header_and_nowhere_else(
    loopback: Loopback, wire: str, hosted: HostedModel, play: Callable[..., Run]
) -> None:
    queue(loopback, wire, "Yes.")
    play(hosted)
    (received,) = loopback.received
    holding = [name for name, value in received.headers.items() if CANARY in value]
    assert holding in (["authorization"], ["x-api-key"])
    assert CANARY.encode() not in received.body
    assert CANARY not in received.path


def test_every_request_begins_with_the_one_before(
    loopback: Loopback, wire: str, hosted: HostedModel, play: Callable[..., Run]
) -> None:
    queue(loopback, wire, *THREE_STEPS)
    play(hosted)
    bodies = [received.json for received in loopback.received]
    for before, after in pairwise(bodies):
        assert after["messages"][: len(before["messages"])] == before["messages"]
        assert {**after, "messages": []} == {**before, "messages": []}


def test_all_results_of_a_turn_go_back_in_the_very_next_request(
    loopback: Loopback, wire: str, hosted: HostedModel, play: Callable[..., Run]
) -> None:
    queue(loopback, wire, *THREE_STEPS)
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
    else:
        roles = ["system", "user", "assistant", "tool", "tool"]
        assert [message["role"] for message in messages] == roles
        assert messages[2]["reasoning_content"] == "hm"
        assert [m["tool_call_id"] for m in messages[3:]] == ["call_00", "call_01"]


def test_tokens_cost_model_and_raw_response_are_kept(
    loopback: Loopback, wire: str, hosted: HostedModel, play: Callable[..., Run]
) -> None:
    queue(loopback, wire, "Yes.")
    run = play(hosted)
    (replied,) = [event for event in run.events if isinstance(event, ModelReplied)]
    assert (replied.reply.usage.tokens_in, replied.reply.usage.tokens_out) == (100, 10)
    assert json.loads(replied.exchange.response)["usage"]
    assert replied.exchange.model in ("claude-haiku-4-5", "llama3.1:8b")
    cost = replied.exchange.cost
    assert (cost.usd or 0) > 0 if wire == "anthropic" else cost.usd is None
    assert 0 < replied.exchange.seconds < 5


FAILURES = {
    "401": (401, '{"error": {"message": "Incorrect API key"}}', ["Incorrect API key", "check the"]),
    "403": (403, '{"detail": "not allowed"}', ["not allowed", "403"]),
    "404": (404, '{"error": "no such model"}', ["no such model", "model's name"]),
    "400": (400, '{"message": "prompt too long"}', ["prompt too long", "Status 400"]),
    "429": (429, '{"error": {"message": "slow\\ndown"}}', ["slow down", "Status 429"]),
    "500 html": (500, "<html>\n<h1>Internal Server Error</h1>", ["Internal Server", "Status 500"]),
    "529": (529, '{"error": {"message": "Overloaded"}}', ["Overloaded", "Status 529"]),
    "empty 503": (503, "", ["Status 503"]),
    "302": (302, "", ["Status 302"]),
    "html": (200, "<html>Welcome\n</html>", ["no JSON object", "<html>", "base address"]),
    "empty": (200, "", ["no JSON object"]),
    "a list": (200, "[]", ["no JSON object"]),
    "another form": (200, '{"hello": "world"}', ["not of the expected form"]),
    "null content": (200, '{"content": null, "choices": null}', ["not of the expected form"]),
    "no choice": (200, '{"content": 5, "choices": []}', ["not of the expected form"]),
    "not UTF-8": (200, b"\xff\xfe\x00", ["no JSON object"]),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_call_without_a_reply_fails_once_in_one_clear_line(
    name: str, loopback: Loopback, hosted: HostedModel, play: Callable[..., Run]
) -> None:
    status, body, mentions = FAILURES[name]
    run = play_failing(loopback.raw(body, status), hosted, play)
    failed = failure(run)
    assert [part for part in mentions if part not in failed.error] == []
    assert loopback.url in failed.error
    assert [attempt.status for attempt in failed.exchange.attempts] == [status]
    assert len(loopback.received) == 1


def play_failing(loopback: Loopback, model: HostedModel, play: Callable[..., Run]) -> Run:
    run = play(model)
    end = run.end()
    assert end is not None
    assert EXIT[end.reason] == 5
    assert end.detail == failure(run).error
    return run


def failure(run: Run) -> ModelFailed:
    (failed,) = [event for event in run.events if isinstance(event, ModelFailed)]
    assert "\n" not in failed.error
    assert len(failed.error) < 600
    return failed


def test_a_refused_connection_says_where_and_asks_whether_it_runs(
    wire: str, play: Callable[..., Run]
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    run = play(HostedModel(Endpoint("mine", wire, address), "m"))  # type: ignore[arg-type]
    error = failure(run).error
    assert error.startswith(f"mine/m at {address}: ")
    assert "refused" in error
    assert error.endswith("Is it running, and is the base address right?")


ECHOES = {
    "401 that echoes the key": (401, f'{{"error": {{"message": "Bad key {CANARY}"}}}}'),
    "401 in plain text": (401, f"Authorization: Bearer {CANARY} is unknown"),
    "500 that echoes the headers": (500, f"<pre>x-api-key: {CANARY}</pre>"),
    "200 that is no JSON": (200, f"{CANARY} is not welcome here"),
    "200 of another form": (200, f'{{"your_key": "{CANARY}"}}'),
    "404": (404, "{}"),
}


@pytest.mark.parametrize("name", ECHOES)
def test_the_key_is_in_no_event_no_file_and_no_message_of_a_failed_call(
    name: str, loopback: Loopback, hosted: HostedModel, play: Callable[..., Run], tmp_path: Path
) -> None:
    status, body = ECHOES[name]
    run = play_failing(loopback.raw(body, status), hosted, play)
    assert_hidden(run, tmp_path)


def test_the_key_is_in_no_event_and_no_file_of_a_good_run(
    loopback: Loopback, wire: str, hosted: HostedModel, play: Callable[..., Run], tmp_path: Path
) -> None:
    queue(loopback, wire, THREE_STEPS[0], f"Your key is {CANARY}.")
    run = play(hosted)
    assert run.end() is not None
    assert_hidden(run, tmp_path)


def assert_hidden(run: Run, folder: Path) -> None:
    lines = [json_line(entry) for entry in run.recorded]
    files = [file.read_bytes() for file in folder.rglob("*") if file.is_file()]
    assert any(b"How large is the KV cache?" in content for content in files)
    assert [line for line in lines if CANARY in line] == []
    assert [content for content in files if CANARY.encode() in content] == []
    assert [event for event in run.events if CANARY in repr(event)] == []


def test_an_answer_later_than_the_time_limit_ends_as_time_limit_within_a_second_of_it(
    loopback: Loopback, wire: str, hosted: HostedModel, play: Callable[..., Run]
) -> None:
    queue(loopback, wire, "Too late.")
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
    queue(loopback, wire, "Just in time.")
    loopback.late(0.4)
    watch.seconds_left = lambda: 0.1
    assert hosted.reply(talk(), watch)[0].text == "Just in time."


def test_stop_while_the_model_is_awaited_ends_within_a_second_and_can_be_resumed(
    loopback: Loopback, wire: str, hosted: HostedModel, store: Store, sample: Index
) -> None:
    queue(loopback, wire, "Too late.")
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
    assert failure(run).error.endswith("stopped by the person.")


def test_two_runs_at_once_each_send_their_own_key(
    loopback: Loopback, wire: str, talk: Callable[..., Conversation], watch: Watch
) -> None:
    queue(loopback, wire, *["Yes."] * 8)
    endpoint = replace(endpoints()[wire], base_url=loopback.url)
    models = [HostedModel(endpoint, f"m{n}", f"key-of-person-{n}") for n in range(8)]
    threads = [threading.Thread(target=model.reply, args=(talk(), watch)) for model in models]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sent = {
        (r.json["model"], (r.headers.get("x-api-key") or r.headers["authorization"])[-1])
        for r in loopback.received
    }
    assert sent == {(f"m{n}", str(n)) for n in range(8)}


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


def test_an_address_that_is_none_is_a_failure_that_names_it(
    wire: str, talk: Callable[..., Conversation], watch: Watch
) -> None:
    model = HostedModel(Endpoint("mine", wire, "http://"), "m")  # type: ignore[arg-type]
    with pytest.raises(ModelError, match=r"^mine/m at http://: "):
        model.reply(talk(), watch)
