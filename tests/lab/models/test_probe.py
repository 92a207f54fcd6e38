"""A probe against servers that can and cannot do things: what its card says of each."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest
from answers import as_stream

from lab.models.card import Card, keep, kept
from lab.models.catalog import open_model, protocol_for
from lab.models.endpoints import Endpoint
from lab.models.probe import MOST_REPLIES, MOST_SAID, Probe, ProbeWatch, changed, sizes
from lab.models.react import React

Loopback = Any
LARGEST = 8_000


@dataclass(frozen=True)
class Server:
    """What a played server can do."""

    tools: bool = True
    json: str = "schema"
    context: int = 100_000
    """Tokens of four characters."""
    cuts: bool = False
    """Whether it drops what is too long, instead of refusing it."""
    counts: bool = True
    says: Mapping[str, object] = field(default_factory=dict)
    """What stands at addresses beside the API."""

    def answer(self, request: Any) -> tuple[int, dict[str, str], Any]:
        if request.method == "GET":
            found = request.path in self.says
            return (200 if found else 404), {}, json.dumps(self.says.get(request.path)).encode()
        body = request.json
        text = body["messages"][-1]["content"]
        count = len(request.body) // 4
        if "response_format" in body and body["response_format"]["type"] not in self.takes():
            return refused("response_format is not supported")
        if count > self.context and not self.cuts:
            return refused("the prompt is too long: exceeded max context length")
        message: dict[str, Any] = {"role": "assistant", "content": self.said(text)}
        if body.get("tools") and self.tools:
            numbers = [(17, 25)] if "17" in text else [(1, 2), (3, 4)]
            message["tool_calls"] = [
                {
                    "id": f"call-{n}",
                    "type": "function",
                    "function": {"name": "add", "arguments": json.dumps({"a": a, "b": b})},
                }
                for n, (a, b) in enumerate(numbers)
            ]
        usage = {"prompt_tokens": min(count, self.context), "completion_tokens": 3}
        whole = {
            "id": "x",
            "object": "chat.completion",
            "created": 1,
            "model": "m",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": usage if self.counts else None,
        }
        return 200, {"content-type": "text/event-stream"}, as_stream(whole)

    def takes(self) -> tuple[str, ...]:
        return {"schema": ("json_schema", "json_object"), "object": ("json_object",)}.get(
            self.json, ()
        )

    def said(self, text: str) -> str:
        if "colour" in text:
            return '{"colour": "red"}' if self.json else "red"
        secret = re.search(r"secret word is (\w+)", text)
        return secret[1] if secret else "ready"


def refused(said: str) -> tuple[int, dict[str, str], bytes]:
    return 400, {"content-type": "application/json"}, json.dumps({"error": said}).encode()


@pytest.fixture
def probed(loopback: Loopback) -> Callable[[Server], Card]:
    """The card of a server."""

    def probe(server: Server) -> Card:
        for _ in range(60):
            loopback.given(server.answer)
        endpoint = Endpoint("ollama", "openai", loopback.url, free=True, json="schema")
        return Probe("ollama/m", endpoint, "", ProbeWatch()).card(LARGEST, lambda doing: None)

    return probe


@pytest.mark.parametrize(
    ("server", "found"),
    [
        (Server(), {"native_calls": True, "parallel_calls": True, "json": "schema"}),
        (Server(tools=False), {"native_calls": False, "protocol": "react"}),
        (Server(), {"protocol": "native", "ids": "call-0", "usd": 0}),
        (Server(json="object"), {"json": "object"}),
        (Server(json=""), {"json": ""}),
        (Server(counts=False), {"token_counts": False, "context": None}),
        (Server(), {"token_counts": True, "context_refused": None}),
    ],
)
def test_a_card_says_what_the_server_can_do(
    server: Server, found: dict[str, object], probed: Callable[[Server], Card]
) -> None:
    card = probed(server)
    assert card.reachable
    assert {name: getattr(card, name) for name in found} == found


@pytest.mark.parametrize(
    ("failing", "unknown"),
    [
        (range(1, 99), ["native_calls", "parallel_calls", "json", "context"]),
        (range(1, 2), ["native_calls", "parallel_calls"]),
        (range(3, 4), ["json"]),
    ],
)
def test_what_nobody_answered_stays_unknown(
    failing: range, unknown: list[str], loopback: Loopback
) -> None:
    server, asked = Server(), count()

    def answer(request: Any) -> tuple[int, dict[str, str], Any]:
        if request.method == "POST" and next(asked) in failing:
            return 429, {"retry-after": "61"}, b'{"error": "Too many requests"}'
        return server.answer(request)

    for _ in range(60):
        loopback.given(answer)
    endpoint = Endpoint("ollama", "openai", loopback.url, free=True, json="schema")
    card = Probe("ollama/m", endpoint, "", ProbeWatch()).card(LARGEST, lambda doing: None)
    assert card.reachable
    asked_for = ("native_calls", "parallel_calls", "json", "context")
    assert [name for name in asked_for if getattr(card, name) is None] == unknown
    assert card.context_refused is None
    assert card.protocol == ("" if card.native_calls is None else "native")
    assert any(note.startswith("not answered: ") for note in card.notes)


@pytest.mark.parametrize("cuts", [False, True], ids=["refuses", "cuts silently"])
def test_the_context_found_is_near_the_true_one_whether_it_is_refused_or_cut(
    cuts: bool, probed: Callable[[Server], Card]
) -> None:
    card = probed(Server(context=4_096, cuts=cuts))
    assert card.context
    assert card.context_refused
    assert 3_000 < card.context <= 4_096
    assert card.recall
    assert card.calls < 30


def test_a_server_that_is_not_there_gives_a_card_that_says_so() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{free.getsockname()[1]}"
    endpoint = Endpoint("ollama", "openai", closed, free=True)
    card = Probe("ollama/m", endpoint, "", ProbeWatch()).card(LARGEST, lambda doing: None)
    assert not card.reachable
    assert "Is it running" in card.said
    assert card.protocol == ""


def test_a_card_is_kept_and_decides_what_auto_means(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAB_HOME", str(tmp_path))
    address = "http://127.0.0.1:11434/v1"
    assert protocol_for("ollama/m", "auto") == "native"
    card = Card("ollama/m", address, "2026-11-29T00:00:00+00:00", True, protocol="react")
    keep(card)
    assert kept("ollama/m", address) == card
    assert protocol_for("ollama/m", "auto") == "react"
    assert protocol_for("ollama/m", "native") == "native"
    assert isinstance(open_model("ollama/m", {}, protocol="auto"), React)
    assert protocol_for("ollama/other", "auto") == "native"


def test_a_damaged_card_counts_as_none(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAB_HOME", str(tmp_path))
    path = keep(Card("ollama/m", "http://x", "2026-11-29T00:00:00+00:00", True))
    path.write_text('{"model": 5}')
    assert kept("ollama/m", "http://x") is None


def test_sizes_double_up_to_the_largest() -> None:
    assert list(sizes(8_000)) == [1_000, 2_000, 4_000, 8_000]
    assert list(sizes(1_000)) == [1_000]


def test_sizes_lie_close_around_a_declared_context() -> None:
    assert list(sizes(32_000, 8_000)) == [1_000, 7_440, 8_480]
    assert list(sizes(4_000, 8_000)) == list(sizes(4_000))


def test_what_changed_of_an_endpoint_is_named() -> None:
    before = Endpoint("a", "openai", "http://x", schema="strict")
    after = Endpoint("a", "openai", "http://x", cap_field="max_completion_tokens")
    assert sorted(changed(before, after)) == ["cap_field", "schema"]


@pytest.mark.parametrize(
    ("path", "body", "declared"),
    [
        ("/props", {"default_generation_settings": {"n_ctx": 8192}}, 8192),
        ("/v1/models", {"data": [{"id": "other"}, {"id": "m", "max_model_len": 8192}]}, 8192),
        ("/api/ps", {"models": [{"name": "m", "context_length": 8192}]}, 8192),
        ("/api/v0/models", {"data": [{"id": "m", "loaded_context_length": 8192}]}, 8192),
        ("/props", {"default_generation_settings": {}}, None),
        ("/props", [1], None),
        ("/v1/models", {"data": [{"id": "other", "max_model_len": 8192}]}, None),
        ("/api/ps", {"models": [{"name": "m", "context_length": "many"}]}, None),
    ],
)
def test_a_server_of_ones_own_is_asked_what_context_it_declares(
    path: str, body: Any, declared: int | None, probed: Callable[[Server], Card]
) -> None:
    assert probed(Server(context=5_000, says={path: body})).declared == declared


@pytest.mark.parametrize("context", [3_000, 5_500, 9_000])
def test_a_declared_context_is_tried_at_its_edge_and_found_out_where_it_is_not_true(
    context: int, probed: Callable[[Server], Card]
) -> None:
    declaring = {"/props": {"default_generation_settings": {"n_ctx": 5_500}}}
    told = probed(Server(context=context, says=declaring))
    assert told.declared == 5_500
    assert told.context
    assert abs(told.context - min(context, 5_500)) < 0.1 * context


def test_a_probe_asks_for_short_replies_only(loopback: Loopback) -> None:
    for _ in range(60):
        loopback.given(Server().answer)
    endpoint = Endpoint("ollama", "openai", loopback.url, free=True, cap=4096)
    Probe("ollama/m", endpoint, "", ProbeWatch()).card(LARGEST, lambda doing: None)
    caps = [r.json["max_tokens"] for r in loopback.received if r.method == "POST"]
    assert max(caps) == MOST_SAID
    assert len(caps) <= MOST_REPLIES
