"""A key is sent in one header, to its own endpoint, and found in nothing that is kept or shown."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from answers import CANARY, endpoint_of

from lab.codec import json_line
from lab.messages import Conversation
from lab.models.endpoints import endpoints
from lab.models.hosted import HostedModel
from lab.models.model import ModelError, Watch
from lab.run import Run

if TYPE_CHECKING:
    from tests.conftest import Loopback


def test_the_key_is_sent_in_one_header_and_nowhere_else(
    loopback: Loopback, wire: str, hosted: HostedModel, play: Callable[..., Run]
) -> None:
    loopback.say(wire, "Yes.")
    play(hosted)
    (received,) = loopback.received
    holding = [name for name, value in received.headers.items() if CANARY in value]
    assert holding in (["authorization"], ["x-api-key"])
    assert CANARY.encode() not in received.body
    assert CANARY not in received.path


@pytest.mark.parametrize("key", [f" {CANARY}", f"{CANARY}\n", f"\t{CANARY} \r\n"])
def test_blanks_and_line_ends_around_a_key_are_no_part_of_it(
    key: str, wire: str, loopback: Loopback, talk: Callable[..., Conversation], watch: Any
) -> None:
    endpoint = endpoint_of(wire, loopback.url)
    loopback.say(wire, "Yes.")
    HostedModel(endpoint, "m", key).reply(talk(), watch)
    headers = loopback.received[0].headers
    assert (headers.get("x-api-key") or headers["authorization"]).split()[-1] == CANARY


ECHOES = {
    "401 that echoes the key": (401, f'{{"error": {{"message": "Bad key {CANARY}"}}}}'),
    "401 in plain text": (401, f"Authorization: Bearer {CANARY} is unknown"),
    "500 that echoes the headers": (500, f"<pre>x-api-key: {CANARY}</pre>"),
    "200 that is no JSON": (200, f"{CANARY} is not welcome here"),
    "200 of another form": (200, f'{{"your_key": "{CANARY}"}}'),
    "404": (404, "{}"),
}


@pytest.mark.usefixtures("waits")
@pytest.mark.parametrize("name", ECHOES)
def test_the_key_is_in_no_event_no_file_and_no_message_of_a_failed_call(
    name: str,
    loopback: Loopback,
    hosted: HostedModel,
    play: Callable[..., Run],
    tmp_path: Path,
) -> None:
    status, body = ECHOES[name]
    for _ in range(3):
        loopback.raw(body, status)
    run = play(hosted)
    end = run.end()
    assert end is not None
    assert end.reason == "failed"
    assert_hidden(run, tmp_path)


def test_the_key_is_in_no_event_and_no_file_of_a_good_run(
    loopback: Loopback, wire: str, hosted: HostedModel, play: Callable[..., Run], tmp_path: Path
) -> None:
    loopback.say(wire, [("search_site", {"query": "cache"})], f"Your key is {CANARY}.")
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


KEYED = [name for name, endpoint in endpoints().items() if endpoint.key]


@pytest.mark.parametrize("name", KEYED)
@pytest.mark.parametrize("status", [200, 401])
def test_no_endpoints_key_is_in_the_error_or_traceback_of_a_call_it_echoed_it_in(
    name: str, status: int, loopback: Loopback, talk: Callable[..., Conversation], watch: Any
) -> None:
    loopback.json({"error": {"message": f"unknown key {CANARY}"}}, status)
    model = HostedModel(replace(endpoints()[name], base_url=loopback.url), "m", CANARY)
    with pytest.raises(ModelError) as caught:
        model.reply(talk(), watch)
    shown = "".join(traceback.format_exception(caught.value))
    assert "ModelError" in shown
    assert CANARY not in shown + repr(caught.value.exchange) + repr(watch.__dict__)


def test_two_runs_at_once_each_send_their_own_key(
    loopback: Loopback, wire: str, talk: Callable[..., Conversation], watch: Watch
) -> None:
    loopback.say(wire, *["Yes."] * 8)
    endpoint = endpoint_of(wire, loopback.url)
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
