"""From a model's name to the model: what each name opens, and what a wrong one is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from lab.errors import LabError
from lab.messages import Conversation
from lab.models.catalog import (
    address_of,
    find,
    has_price,
    is_standin,
    open_model,
    protocol_for,
    settled,
)
from lab.models.demo import Demo
from lab.models.hosted import HostedModel
from lab.models.model import Watch
from lab.models.react import React
from lab.models.scripted import Scripted

if TYPE_CHECKING:
    from tests.conftest import Loopback


@pytest.mark.parametrize(
    ("name", "protocol", "kind"),
    [
        ("demo", "native", Demo),
        ("demo", "auto", Demo),
        ("scripted:careful", "native", Scripted),
        ("scripted:hasty", "native", Scripted),
        ("ollama/llama3.1:8b", "native", HostedModel),
        ("ollama/llama3.1:8b", "react", React),
    ],
)
def test_a_name_opens_its_kind_of_model(name: str, protocol: str, kind: type) -> None:
    assert type(open_model(name, {}, protocol=protocol)) is kind


@pytest.mark.parametrize(
    ("name", "endpoint", "model"),
    [
        ("anthropic/claude-sonnet-5", "anthropic", "claude-sonnet-5"),
        ("openrouter/qwen/qwen3-32b", "openrouter", "qwen/qwen3-32b"),
        ("ollama/llama3.1:8b", "ollama", "llama3.1:8b"),
    ],
)
def test_a_name_is_split_at_the_first_slash(name: str, endpoint: str, model: str) -> None:
    found, rest = find(name)
    assert (found.name, rest) == (endpoint, model)


@pytest.mark.parametrize(
    "name", ["", "gpt-5", "nowhere/gpt-5", "anthropic", "anthropic/", "/gpt-5", "Demo", "demo/x"]
)
def test_an_unknown_name_is_told_what_there_is(name: str) -> None:
    with pytest.raises(LabError, match=r"ENDPOINT/MODEL.*ollama.*demo.*scripted:careful"):
        open_model(name, {})


@pytest.mark.parametrize("keys", [{}, {"ANTHROPIC_API_KEY": ""}, {"ANTHROPIC_API_KEY": " \n"}])
def test_a_missing_key_is_named_with_what_runs_without_one(keys: dict[str, str]) -> None:
    with pytest.raises(LabError, match=r"set ANTHROPIC_API_KEY in the environment.*demo"):
        open_model("anthropic/claude-sonnet-5", keys)


@pytest.mark.parametrize("key", ["sk canary", "sk-canary\ndef", "sk-canäry", "sk\x00canary"])
def test_a_key_that_can_be_none_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(LabError, match="ANTHROPIC_API_KEY holds") as caught:
        open_model("anthropic/claude-sonnet-5", {"ANTHROPIC_API_KEY": key})
    assert "can" not in str(caught.value).replace("characters", "")


@pytest.mark.parametrize("address", ["127.0.0.1:11434", "ftp://h", "//h", "localhost"])
def test_an_address_without_http_is_refused(address: str) -> None:
    with pytest.raises(LabError, match="begins with http://"):
        open_model("ollama/m", {}, address)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("person", r"person is you: reply on the page Be the model \(`lab app`\)\."),
        ("browser/built-in", r"the model of a visitor's own browser, and runs on the page alone"),
    ],
)
def test_a_model_elsewhere_cannot_be_called_and_says_where_it_is(name: str, said: str) -> None:
    for protocol in ("auto", "native", "react"):
        with pytest.raises(LabError, match=said):
            open_model(name, {}, protocol=protocol)


@pytest.mark.parametrize(
    ("name", "protocol"), [("person", "native"), ("browser/built-in", "react")]
)
def test_a_model_elsewhere_has_its_protocol_no_address_and_costs_nothing(
    name: str, protocol: str
) -> None:
    assert {protocol_for(name, asked) for asked in ("auto", "native", "react")} == {protocol}
    assert address_of(name, "http://h/v1") == ""
    assert has_price(name)
    assert settled(name) == name
    assert is_standin(name) == (name == "person")


def test_an_unknown_protocol_is_told_the_known_ones() -> None:
    with pytest.raises(LabError, match="native, react"):
        open_model("ollama/m", {}, protocol="xml")


@pytest.mark.parametrize(
    ("name", "base_url", "address"),
    [
        ("demo", "", ""),
        ("scripted:careful", "http://h", ""),
        ("ollama/m", "", "http://127.0.0.1:11434/v1"),
        ("ollama/m", "http://h/v1", "http://h/v1"),
    ],
)
def test_the_address_of_a_model_is_the_one_it_is_reached_at(
    name: str, base_url: str, address: str
) -> None:
    assert address_of(name, base_url) == address


def test_blanks_around_a_key_are_no_part_of_it(
    loopback: Loopback, talk: Callable[..., Conversation], watch: Watch
) -> None:
    loopback.chat("Yes.")
    open_model("groq/m", {"GROQ_API_KEY": " sk-canary \n"}, loopback.url).reply(talk(), watch)
    assert loopback.received[0].headers["authorization"] == "Bearer sk-canary"


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("localhost:8080", "is none"),
        ("ftp://host/v1", "is none"),
        ("http://", "is none"),
        ("http://host:99999/v1", "is none"),
        ("https://me:secret@host/v1", "must not hold a user or a password"),
        ("https://host/v1?key=secret", r"must hold no \? and no #"),
        ("https://host/v1#secret", r"must hold no \? and no #"),
        ("https://host/v1 secret", "no blank"),
        ("https://host/v1\\secret", "no blank and no"),
    ],
)
def test_an_address_that_is_none_or_holds_a_password_is_refused(address: str, said: str) -> None:
    with pytest.raises(LabError, match=said) as error:
        open_model("ollama/m", {}, address)
    assert "secret" not in str(error.value)


def test_a_limit_on_money_needs_a_price() -> None:
    assert has_price("anthropic/claude-haiku-4-5")
    assert has_price("ollama/whatever")
    assert has_price("demo")
    assert not has_price("groq/nobody-knows-this-one")
