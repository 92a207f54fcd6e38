"""The HTTP clients of the SDKs: no redirects, no proxy on this machine, bounded idling."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from lab.messages import Conversation
from lab.models.endpoints import Endpoint
from lab.models.hosted import HostedModel
from lab.models.lines import Hooks
from lab.models.model import ModelError
from lab.models.proxies import proxy_variable
from lab.models.sdk import CONNECT_SECONDS, IDLE_SECONDS, WHOLE_SECONDS, http_options

if TYPE_CHECKING:
    from tests.conftest import Loopback

Talk = Callable[..., Conversation]
NO_HOOKS: Hooks = {}
PROXIES = ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy")


def proxied(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment that names a proxy for everything."""
    for name in ("NO_PROXY", "no_proxy", *PROXIES):
        monkeypatch.delenv(name, raising=False)
    for name in PROXIES:
        monkeypatch.setenv(name, address)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_this_machine_is_reached_without_the_proxy_of_the_environment(
    host: str, loopback: Loopback, talk: Talk, watch: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxied("http://127.0.0.1:9", monkeypatch)
    loopback.say("openai", "Yes.")
    address = loopback.url.replace("127.0.0.1", host)
    model = HostedModel(Endpoint("mine", "openai", address, free=True), "m")
    assert model.reply(talk(), watch)[0].text == "Yes."


def test_another_host_is_reached_through_the_proxy_of_the_environment(
    wire: Any, loopback: Loopback, talk: Talk, watch: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxied(loopback.url, monkeypatch)
    loopback.say(wire, "By proxy.")
    model = HostedModel(Endpoint("mine", wire, "http://models.example/v1", free=True), "m")
    assert model.reply(talk(), watch)[0].text == "By proxy."
    (received,) = loopback.received
    assert received.headers["host"] == "models.example"


def test_a_proxy_that_is_not_there_is_told_by_the_variable_that_names_it(
    wire: Any, talk: Talk, watch: Any, monkeypatch: pytest.MonkeyPatch, waits: list[float]
) -> None:
    proxied("http://me:secret@127.0.0.1:9", monkeypatch)
    model = HostedModel(Endpoint("mine", wire, "http://models.example/v1", free=True), "m")
    with pytest.raises(ModelError, match="refused, through the proxy that http_proxy names") as no:
        model.reply(talk(), watch)
    assert "secret" not in str(no.value)
    monkeypatch.setenv("no_proxy", "models.example")
    assert proxy_variable("http://models.example/v1") == ""
    assert proxy_variable("http://127.0.0.1:80/v1") == ""
    assert proxy_variable("https://other.example/v1") == "all_proxy"


def test_a_redirect_leads_the_key_nowhere(
    wire: Any, loopback: Loopback, talk: Talk, watch: Any
) -> None:
    loopback.raw("", 307, location=f"{loopback.url}/elsewhere")
    model = HostedModel(Endpoint("mine", wire, loopback.url, free=True), "m", "sk-some-key")
    with pytest.raises(ModelError, match="it redirects to"):
        model.reply(talk(), watch)
    assert len(loopback.received) == 1


@pytest.mark.parametrize(("streamed", "idle"), [(True, IDLE_SECONDS), (False, WHOLE_SECONDS)])
def test_idling_is_bounded_and_a_whole_answer_may_take_longer(streamed: bool, idle: float) -> None:
    timeout = http_options("http://h", NO_HOOKS, streamed)["timeout"]
    assert (timeout.read, timeout.connect) == (idle, CONNECT_SECONDS)
    assert IDLE_SECONDS < WHOLE_SECONDS


@pytest.mark.parametrize(
    ("address", "trusts"),
    [
        ("http://127.0.0.1:1/v1", False),
        ("http://localhost/v1", False),
        ("http://[::1]:1/v1", False),
        ("https://api.example/v1", True),
        ("http://127.0.0.1.example/v1", True),
    ],
)
def test_only_this_machine_is_reached_without_the_environment(address: str, trusts: bool) -> None:
    options = http_options(address, NO_HOOKS, True)
    assert options["trust_env"] is trusts
    assert options["follow_redirects"] is False
    assert bool(options["verify"]) is address.startswith("https:")
