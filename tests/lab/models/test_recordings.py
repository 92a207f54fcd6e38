"""Recorded answers of real endpoints, served over loopback and read through the real SDKs.

The recordings are no part of the repository: LAB_WIRE_DIR names their folder.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from recordings import FOLDER, RECORDINGS, received

from lab.messages import Conversation, Reply
from lab.models.endpoints import Endpoint
from lab.models.hosted import HostedModel
from lab.models.model import ModelError

if TYPE_CHECKING:
    from tests.conftest import Loopback

if not RECORDINGS:
    pytest.skip(f"no recordings in {FOLDER}; LAB_WIRE_DIR names them", allow_module_level=True)

REPLIES = {name: r for name, r in RECORDINGS.items() if r["expected"]["error"] is None}
ERRORS = {name: r for name, r in RECORDINGS.items() if r["expected"]["error"] is not None}
WHOLE = {name: r for name, r in REPLIES.items() if r["response"].get("body") is not None}

TRIES = 3
"""How often a call is tried at most."""


def played(
    recording: dict[str, Any], loopback: Loopback, stream: bool | None = None
) -> HostedModel:
    """A model whose endpoint answers as the recorded one did."""
    response = recording["response"]
    for _ in range(TRIES):
        loopback.raw(received(recording), response["status"], **response["headers"])
    streamed = "sse" in response if stream is None else stream
    endpoint = Endpoint(
        recording["endpoint"], recording["wire"], loopback.url, stream=streamed, free=True
    )
    return HostedModel(endpoint, "recorded", "key-of-a-test")


@pytest.mark.parametrize("name", REPLIES)
def test_a_recorded_reply_is_read_as_it_was_meant(
    name: str, loopback: Loopback, talk: Callable[..., Conversation], watch: Any
) -> None:
    recording = REPLIES[name]
    reply, exchange = played(recording, loopback).reply(talk(), watch)
    assert_as_expected(reply, recording["expected"])
    assert exchange.response == received(recording)
    assert len(loopback.received) == 1
    streamed = "sse" in recording["response"]
    assert (exchange.first_token is not None) == streamed
    if streamed:
        assert reply.text in watch.shown or "<think>" in watch.shown


def assert_as_expected(reply: Reply, expected: dict[str, Any]) -> None:
    assert reply.text == expected.get("text_without_think", expected["text"])
    assert [(c.id, c.name, c.arguments) for c in reply.calls] == [
        (c["id"] or f"call_{n}", c["name"], c["args"]) for n, c in enumerate(expected["calls"], 1)
    ]
    for call, wanted in zip(reply.calls, expected["calls"], strict=True):
        assert call.raw == (wanted.get("args_raw", "") if wanted["args"] is None else "")
        assert bool(call.fault) == (wanted["args"] is None)
    assert reply.stop in (expected["stop"], expected.get("stop_also_ok"))
    assert reply.stop_raw == (expected["stop_raw"] or "")
    assert (reply.usage.tokens_in, reply.usage.tokens_out) == (
        expected["tokens_in"],
        expected["tokens_out"],
    )
    assert (reply.usage.cache_read or 0) == (expected["cached_read"] or 0)
    assert (reply.usage.cache_write or 0) == (expected["cached_write"] or 0)
    assert reply.detail == expected.get("refusal", "")
    assert reply.thinking.strip() == (expected.get("reasoning") or reply.thinking).strip()


@pytest.mark.parametrize("name", WHOLE)
def test_a_whole_answer_to_a_request_for_a_stream_is_read_all_the_same(
    name: str, loopback: Loopback, talk: Callable[..., Conversation], watch: Any
) -> None:
    reply, _ = played(WHOLE[name], loopback, stream=True).reply(talk(), watch)
    assert_as_expected(reply, WHOLE[name]["expected"])


@pytest.mark.parametrize("name", ERRORS)
def test_a_recorded_error_is_a_failure_of_its_kind_in_one_line(
    name: str,
    loopback: Loopback,
    talk: Callable[..., Conversation],
    watch: Any,
    waits: list[float],
) -> None:
    recording = ERRORS[name]
    expected = recording["expected"]["error"]
    with pytest.raises(ModelError) as caught:
        played(recording, loopback).reply(talk(), watch)
    said, exchange = str(caught.value), caught.value.exchange
    status = recording["response"]["status"]
    # What calls no tools refuses a request too, and says more.
    kind = caught.value.kind.replace("no_tools", "bad_request")
    assert kind in (expected["kind"], expected.get("also_ok"))
    assert said.startswith(f"{recording['endpoint']}/recorded at {loopback.url}: ")
    assert f"(status {status})" in said
    assert "\n" not in said
    assert "{" not in said
    assert exchange.response == received(recording)
    assert {attempt.status for attempt in exchange.attempts} == {status}
    assert len(exchange.attempts) == 1 + len(waits)
    if expected["retry_after_s"] is not None:
        assert waits == [expected["retry_after_s"]] * (TRIES - 1)
