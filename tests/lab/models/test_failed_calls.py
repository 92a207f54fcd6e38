"""Calls that bring no reply, over real HTTP through the real SDKs: one clear line, and go on."""

from __future__ import annotations

import json
import socket
import ssl
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import conftest
import pytest
import trustme
from answers import answer, as_stream, sse

from indexer.index import Index
from lab.cli.follow import EXIT
from lab.events import ModelFailed, Noticed, Reopened
from lab.loop import advance
from lab.messages import Conversation
from lab.models import capture, sdk
from lab.models.endpoints import Endpoint
from lab.models.hosted import HostedModel
from lab.models.model import ModelError
from lab.run import Run
from lab.settings import Limits
from lab.tools.site import site_tools

if TYPE_CHECKING:
    from tests.conftest import Loopback

TRIES = 3

AUTH, NAME, LATER = "Check the key", "Check the model's name", "try again later"
ADDRESS = "Is the base address that of a model API?"
TRUST = "SSL_CERT_FILE names the file of the certificates to trust."

FAILURES: dict[str, tuple[int, str | bytes, int, list[str]]] = {
    "401": (401, '{"error": {"message": "Incorrect API key"}}', 1, ["Incorrect API key", AUTH]),
    "403": (403, '{"detail": "not allowed"}', 1, ["not allowed", "(status 403)", AUTH]),
    "404": (404, '{"error": "no such model"}', 1, ["no such model", NAME]),
    "413": (413, '{"error": {"message": "big"}}', 1, ["big", "Ask for less"]),
    "400": (400, '{"message": "what is this"}', 1, ["what is this", "(status 400)", "refuses"]),
    "400 too long": (400, '{"message": "prompt is too long"}', 1, ["too long", "Ask for less"]),
    "408": (408, "{}", TRIES, ["(status 408)"]),
    "409": (409, "{}", TRIES, ["(status 409)"]),
    "429": (429, '{"error": {"message": "slow\\ndown"}}', TRIES, ["slow down", "(status 429)"]),
    "500 html": (500, "<html>\n<h1>Internal Error</h1>", TRIES, ["Internal Error", LATER]),
    "529": (529, '{"error": {"message": "Overloaded"}}', TRIES, ["Overloaded", "(status 529)"]),
    "empty 503": (503, "", TRIES, ["(status 503)", LATER]),
    "302": (302, "", 1, ["(status 302)", "if you trust it"]),
    "html": (200, "<html>Welcome\n</html>", 1, ["not of the expected form", "<html>", ADDRESS]),
    "empty": (200, "", 1, ["empty", ADDRESS]),
    "a list": (200, "[]", 1, ["not of the expected form", "'[]'"]),
    "another form": (200, '{"hello": "world"}', 1, ["not of the expected form"]),
    "null content": (200, '{"content": null, "choices": null}', 1, ["not of the expected form"]),
    "no choice": (200, '{"content": 5, "choices": []}', 1, ["not of the expected form"]),
    "not UTF-8": (200, b"\xff\xfe\x00", 1, ["the answer", ADDRESS]),
    "an error as 200": (200, '{"error": {"message": "no credit"}}', 1, ["no credit"]),
    "a 502 as 200": (200, '{"error": {"code": 502, "message": "up"}}', TRIES, ["up", LATER]),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_call_without_a_reply_fails_in_one_clear_line_and_is_tried_again_only_where_it_may_help(
    name: str,
    loopback: Loopback,
    hosted: HostedModel,
    play: Callable[..., Run],
    waits: list[float],
) -> None:
    status, body, tries, mentions = FAILURES[name]
    for _ in range(TRIES):
        loopback.raw(body, status)
    run = play(hosted)
    failed = failure(run)
    assert [part for part in mentions if part not in failed.error] == []
    assert failed.error.startswith(hosted.where)
    assert loopback.url in failed.error
    assert [attempt.status for attempt in failed.exchange.attempts] == [status] * tries
    assert len(loopback.received) == tries + (status == 404)  # it is asked what it has
    notices = [event.about for event in run.events if isinstance(event, Noticed)]
    assert notices == ["retry"] * (tries - 1)


def failure(run: Run) -> ModelFailed:
    """The one failed call of a run, which ended with it."""
    (failed,) = [event for event in run.events if isinstance(event, ModelFailed)]
    assert "\n" not in failed.error
    assert len(failed.error) < 600
    end = run.end()
    assert end is not None
    assert (end.reason, EXIT[end.reason], end.detail) == ("failed", 5, failed.error)
    return failed


def test_a_run_that_failed_is_resumed_and_answers(
    wire: str, loopback: Loopback, hosted: HostedModel, play: Callable[..., Run], sample: Index
) -> None:
    loopback.raw("<html>", 200)
    run = play(hosted)
    failure(run)
    run.record(Reopened())
    loopback.say(wire, "It is back.")
    for _ in advance(run, hosted, site_tools(sample), Limits()):
        pass
    end = run.end()
    assert end is not None
    assert (end.reason, end.answer) == ("answered", "It is back.")
    first, second = loopback.received
    assert second.body == first.body


@pytest.fixture
def nobody() -> str:
    """An address at which nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"


def test_a_refused_connection_says_where_and_asks_whether_it_runs(
    wire: Any, nobody: str, play: Callable[..., Run], waits: list[float]
) -> None:
    error = failure(play(HostedModel(Endpoint("mine", wire, nobody), "m"))).error
    assert error.startswith(f"mine/m at {nobody}: ")
    assert "refused" in error
    assert error.endswith("Is it running, and is the base address right?")


def test_an_address_that_is_none_is_a_failure_that_names_it(
    wire: Any, talk: Callable[..., Conversation], watch: Any, waits: list[float]
) -> None:
    model = HostedModel(Endpoint("mine", wire, "http://"), "m")
    with pytest.raises(ModelError, match=r"^mine/m at http://: "):
        model.reply(talk(), watch)


def test_a_plain_server_at_an_https_address_is_a_tls_fault_that_is_told(
    wire: Any, loopback: Loopback, play: Callable[..., Run], waits: list[float]
) -> None:
    address = loopback.url.replace("http:", "https:")
    error = failure(play(HostedModel(Endpoint("mine", wire, address), "m"))).error
    assert error.startswith(f"mine/m at {address}: ")
    assert "SSL" in error
    assert "base address" in error


@pytest.fixture
def authority() -> trustme.CA:
    """Signs certificates, as a company's own authority does."""
    return trustme.CA()


@pytest.fixture
def secured(authority: trustme.CA) -> Iterator[Loopback]:
    """A server with a certificate of that authority."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    server = conftest.Loopback(context)
    sdk.trusted.cache_clear()
    yield server
    server.close()
    sdk.trusted.cache_clear()


@pytest.fixture
def named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that the environment names for what is trusted; it is not there yet."""
    monkeypatch.delenv("SSL_CERT_DIR", raising=False)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    return tmp_path / "ca.pem"


def test_a_certificate_that_is_not_trusted_is_told_with_where_to_name_it(
    wire: Any, secured: Loopback, play: Callable[..., Run]
) -> None:
    failed = failure(play(HostedModel(Endpoint("mine", wire, secured.url), "m")))
    assert "certificate verify failed" in failed.error
    assert failed.error.endswith(TRUST)
    assert len(failed.exchange.attempts) == 1


def test_a_certificate_of_an_authority_that_is_named_is_trusted(
    wire: Any, authority: trustme.CA, secured: Loopback, named: Path, play: Callable[..., Run]
) -> None:
    authority.cert_pem.write_to_path(str(named))
    secured.say(wire, "It is here.")
    run = play(HostedModel(Endpoint("mine", wire, secured.url), "m"))
    assert (end := run.end()) is not None
    assert end.answer == "It is here."


@pytest.mark.parametrize("written", ["", "no certificate"])
def test_certificates_that_cannot_be_read_are_told_by_the_variable_that_names_them(
    written: str, wire: Any, secured: Loopback, named: Path, play: Callable[..., Run]
) -> None:
    if written:
        named.write_text(written, encoding="utf-8")
    error = failure(play(HostedModel(Endpoint("mine", wire, secured.url), "m"))).error
    assert "the certificates that SSL_CERT_FILE names cannot be read: " in error
    assert error.endswith(TRUST)


def test_a_redirect_is_not_followed_and_says_where_it_leads(
    loopback: Loopback, hosted: HostedModel, play: Callable[..., Run]
) -> None:
    for code in (301, 302, 307, 308):
        loopback.raw("", code, location="https://elsewhere.example/v1")
        error = failure(play(hosted)).error
        assert "https://elsewhere.example/v1" in error
        assert f"(status {code})" in error
        assert "resume" not in error
    assert len(loopback.received) == 4


def test_an_answer_that_never_begins_is_given_up_after_the_idle_time(
    loopback: Loopback,
    hosted: HostedModel,
    play: Callable[..., Run],
    waits: list[float],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sdk, "IDLE_SECONDS", 0.1)
    monkeypatch.setattr(sdk, "WHOLE_SECONDS", 0.1)
    for _ in range(TRIES):
        loopback.raw("{}").late(30)
    failed = failure(play(hosted))
    assert "timed out" in failed.error
    assert "Is it running" in failed.error
    assert [attempt.status for attempt in failed.exchange.attempts] == [None] * TRIES


def pieces(wire: str, text: str = "It is here.") -> list[bytes]:
    return as_stream(answer(wire, text))


@pytest.fixture
def streaming(wire: Any, loopback: Loopback) -> HostedModel:
    return HostedModel(Endpoint("mine", wire, loopback.url, free=True), "m")


def test_a_stream_that_stalls_is_given_up_after_the_idle_time_with_what_came(
    wire: str,
    loopback: Loopback,
    streaming: HostedModel,
    play: Callable[..., Run],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sdk, "IDLE_SECONDS", 0.2)

    def stalling() -> Iterator[bytes]:
        yield from pieces(wire)[:4]
        loopback.closing.wait(30)

    loopback.stream(stalling())
    failed = failure(play(streaming))
    assert "broke off" in failed.error
    assert "resume" in failed.error
    assert failed.exchange.response == b"".join(pieces(wire)[:4]).decode()
    assert len(loopback.received) == 1


def test_a_stream_whose_connection_breaks_keeps_what_came(
    wire: str, loopback: Loopback, streaming: HostedModel, play: Callable[..., Run]
) -> None:
    def breaking() -> Iterator[bytes]:
        yield from pieces(wire)[:4]
        raise ConnectionError

    loopback.stream(breaking())
    failed = failure(play(streaming))
    assert "broke off" in failed.error
    assert failed.exchange.response == b"".join(pieces(wire)[:4]).decode()


def test_a_stream_that_ends_before_the_answer_does_is_no_answer(
    wire: str, loopback: Loopback, streaming: HostedModel, play: Callable[..., Run]
) -> None:
    loopback.stream(pieces(wire)[:4])
    assert "the stream ended before the answer did" in failure(play(streaming)).error


def test_bytes_that_are_not_utf_8_in_a_stream_are_told(
    wire: str, loopback: Loopback, streaming: HostedModel, play: Callable[..., Run]
) -> None:
    whole = b"".join(pieces(wire, "mark"))
    loopback.stream([whole.replace(b"mark", b"m\xffrk")])
    assert "bytes that are not UTF-8" in failure(play(streaming)).error


def test_an_event_that_is_not_json_is_told(
    loopback: Loopback, streaming: HostedModel, play: Callable[..., Run]
) -> None:
    loopback.stream([b"data: {broken\n\n"])
    assert "not of the expected form" in failure(play(streaming)).error


ERROR_EVENTS: dict[str, tuple[Any, int, str]] = {
    "of no kind": ({"error": {"message": "it broke"}}, 1, "it broke"),
    "as text": ({"error": "it broke"}, 1, "it broke"),
    "overloaded": (
        {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
        TRIES,
        "Overloaded",
    ),
    "a code": ({"error": {"code": 503, "message": "upstream"}}, TRIES, "upstream"),
    "a rate": ({"error": {"type": "rate_limit_error", "message": "slow"}}, TRIES, "slow"),
}


@pytest.mark.parametrize("name", ERROR_EVENTS)
def test_an_error_inside_a_stream_is_a_failure_with_what_came_before_as_evidence(
    name: str,
    loopback: Loopback,
    streaming: HostedModel,
    play: Callable[..., Run],
    waits: list[float],
) -> None:
    data, tries, said = ERROR_EVENTS[name]
    wire = streaming.endpoint.wire
    error = f"{json.dumps(data)}\n".encode() if wire == "ollama" else sse(data, "error")
    sent = [*pieces(wire)[:4], error]
    for _ in range(TRIES):
        loopback.stream(sent)
    failed = failure(play(streaming))
    assert said in failed.error
    assert failed.exchange.response == b"".join(sent).decode()
    assert [attempt.status for attempt in failed.exchange.attempts] == [200] * tries


def test_an_answer_larger_than_any_model_gives_is_given_up(
    wire: Any, streamed: bool, loopback: Loopback, play: Callable[..., Run]
) -> None:
    sent = 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        while True:
            sent += 1_000_000
            yield b" " * 999_999 + b"\n"

    loopback.stream(endless())
    endpoint = Endpoint("mine", wire, loopback.url, free=True, stream=streamed)
    failed = failure(play(HostedModel(endpoint, "m")))
    assert "over 20,000,000 bytes" in failed.error
    assert capture.MOST_BYTES < sent < 2 * capture.MOST_BYTES
    assert len(failed.exchange.attempts) == 1


def test_where_nothing_is_sent_a_model_without_a_key_variable_needs_none(
    wire: Any, loopback: Loopback, talk: Callable[..., Conversation], watch: Any
) -> None:
    endpoint = replace(Endpoint("mine", wire, loopback.url, free=True), key="")
    loopback.say(wire, "Yes.")
    assert HostedModel(endpoint, "m").reply(talk(), watch)[0].text == "Yes."
