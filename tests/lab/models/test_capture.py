"""What is kept of a call is what went over the wire, seen at the HTTP client, without the key."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from answers import CANARY, answer, as_stream
from hypothesis import given
from hypothesis import strategies as st

from lab.messages import Conversation
from lab.models.capture import SHOWN_HEADERS, Capture, hidden, inflated, without
from lab.models.endpoints import Endpoint
from lab.models.hosted import HostedModel

if TYPE_CHECKING:
    from tests.conftest import Loopback

Talk = Callable[..., Conversation]


@pytest.fixture
def model(wire: Any, streamed: bool, loopback: Loopback) -> HostedModel:
    endpoint = Endpoint("mine", wire, loopback.url, stream=streamed, free=True)
    return HostedModel(endpoint, "m", CANARY)


def test_only_headers_of_the_allow_list_are_kept(
    wire: str, loopback: Loopback, model: HostedModel, talk: Talk, watch: Any
) -> None:
    loopback.say(wire, "Yes.")
    model.reply(talk(), watch)
    (request,), (received,) = watch.requests, loopback.received
    assert set(request.headers) <= set(SHOWN_HEADERS)
    assert request.headers.items() <= received.headers.items()
    assert request.headers["content-type"] == "application/json"


def in_bytes(model: HostedModel, text: str) -> tuple[bytes, str]:
    """An answer as the model's endpoint sends it, and its content type."""
    body = answer(model.endpoint.wire, text)
    if model.endpoint.stream:
        return b"".join(as_stream(body)), "text/event-stream"
    return json.dumps(body).encode(), "application/json"


@pytest.mark.parametrize("packed", ["gzip", "deflate"])
def test_a_packed_answer_is_read_and_kept_unpacked_though_none_was_asked_for(
    packed: str, loopback: Loopback, model: HostedModel, talk: Talk, watch: Any
) -> None:
    said, kind = in_bytes(model, "It is é.")
    pack = gzip.compress if packed == "gzip" else zlib.compress
    loopback.raw(pack(said), content_encoding=packed, content_type=kind)
    reply, exchange = model.reply(talk(), watch)
    assert loopback.received[0].headers["accept-encoding"] == "identity"
    assert reply.text == "It is é."
    assert exchange.response == said.decode()


def test_the_request_id_is_kept(
    loopback: Loopback, model: HostedModel, talk: Talk, watch: Any
) -> None:
    said, kind = in_bytes(model, "Yes.")
    for name in ("request_id", "x_request_id"):
        loopback.raw(said, content_type=kind, **{name: "req_1"})
        assert model.reply(talk(), watch)[1].request_id == "req_1"


def test_a_key_that_the_model_spells_out_is_hidden_in_whatever_pieces_it_comes(
    wire: str, loopback: Loopback, model: HostedModel, talk: Talk, watch: Any
) -> None:
    loopback.say(wire, f"Your key is {CANARY}, {CANARY}!")
    reply, exchange = model.reply(talk(), watch)
    assert reply.text == "Your key is [key], [key]!"
    assert CANARY not in repr(reply) + repr(exchange)


@pytest.mark.parametrize(
    ("key", "text", "shown"),
    [
        (CANARY, f"a {CANARY} b", "a [key] b"),
        ("", "nothing to hide", "nothing to hide"),
        ("none", "none at all", "none at all"),
        ("ollama", "ollama says", "ollama says"),
    ],
)
def test_a_key_is_put_out_of_sight_but_not_a_placeholder(key: str, text: str, shown: str) -> None:
    assert without(key, text) == shown
    assert hidden(key, {"a": [text], text: 1}) == {"a": [shown], shown: 1}


@pytest.mark.parametrize("echoed", [r"sk-CAN\/ARY\/1", "sk-CAN/ARY/1"])
def test_a_key_that_an_answer_writes_with_escapes_is_hidden_in_its_text(echoed: str) -> None:
    assert without("sk-CAN/ARY/1", f'{{"a": "{echoed}"}}') == '{"a": "[key]"}'


@given(st.text(alphabet='"\\/ab', min_size=8, max_size=12))
def test_a_key_with_signs_that_json_escapes_is_hidden_too(key: str) -> None:
    assert key not in hidden(key, {"a": f"x{key}y"})["a"]


@given(st.binary(max_size=200), st.integers(0, 300))
def test_what_is_unpacked_is_as_much_as_came(content: bytes, cut: int) -> None:
    packed = gzip.compress(content)
    assert inflated(packed) == content
    assert content.startswith(inflated(packed[:cut])) or cut < 10


def test_bytes_that_are_not_packed_as_they_claim_are_kept_as_they_are() -> None:
    assert inflated(b"plain") == b"plain"


def test_a_capture_without_a_request_took_no_time(watch: Any) -> None:
    empty = Capture(watch)
    assert (empty.seconds(), empty.text(), empty.status) == (0.0, "", None)
    empty.heard()
    assert empty.first_token == 0.0
