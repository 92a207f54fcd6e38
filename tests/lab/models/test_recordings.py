"""Recorded answers of real endpoints, served over loopback and read through the real SDKs.

The recordings are no part of the repository: LAB_WIRE_DIR names their folder.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from lab.messages import Conversation
from lab.models.endpoints import Endpoint
from lab.models.hosted import HostedModel
from lab.models.model import ModelError, Watch

if TYPE_CHECKING:
    from tests.conftest import Loopback

BESIDE = Path(__file__).parents[4] / "shared" / "wire"
FOLDER = Path(os.environ.get("LAB_WIRE_DIR") or BESIDE)
FILES = sorted(FOLDER.glob("*.json"))
if not FILES:
    pytest.skip(f"no recordings in {FOLDER}; LAB_WIRE_DIR names them", allow_module_level=True)

WHOLE = {
    file.stem: recording
    for file in FILES
    if (recording := json.loads(file.read_text("utf-8")))["response"].get("body") is not None
}
REPLIES = {name: r for name, r in WHOLE.items() if r["expected"]["error"] is None}
ERRORS = {name: r for name, r in WHOLE.items() if r["expected"]["error"] is not None}


def played(recording: dict[str, Any], loopback: Loopback) -> HostedModel:
    """A model whose endpoint answers as the recorded one did."""
    response = recording["response"]
    loopback.raw(json.dumps(response["body"]), response["status"], **response["headers"])
    endpoint = Endpoint(recording["endpoint"], recording["wire"], loopback.url)
    return HostedModel(endpoint, "recorded", "key-of-a-test")


@pytest.mark.parametrize("name", REPLIES)
def test_a_recorded_reply_is_read_as_it_was_meant(
    name: str, loopback: Loopback, talk: Callable[..., Conversation], watch: Watch
) -> None:
    recording = REPLIES[name]
    expected = recording["expected"]
    reply, exchange = played(recording, loopback).reply(talk(), watch)
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
    assert json.loads(exchange.response) == recording["response"]["body"]


@pytest.mark.parametrize("name", ERRORS)
def test_a_recorded_error_is_a_failure_in_one_line(
    name: str, loopback: Loopback, talk: Callable[..., Conversation], watch: Watch
) -> None:
    recording = ERRORS[name]
    with pytest.raises(ModelError) as caught:
        played(recording, loopback).reply(talk(), watch)
    status = recording["response"]["status"]
    said = str(caught.value)
    assert said.startswith(f"{recording['endpoint']}/recorded at {loopback.url}: ")
    assert f"Status {status}" in said
    assert "\n" not in said
    assert "{" not in said
    assert [attempt.status for attempt in caught.value.exchange.attempts] == [status]
