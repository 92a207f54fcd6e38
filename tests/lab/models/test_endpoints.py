"""The table of endpoints: the shipped one is sound, and a faulty one names what is wrong where."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from answers import CANARY

from lab.messages import Conversation
from lab.models.catalog import open_model
from lab.models.endpoints import Endpoint, EndpointError, endpoints, read_endpoints, shipped
from lab.models.hosted import WIRES

if TYPE_CHECKING:
    from tests.conftest import Loopback

NAMES = [
    *("anthropic", "openai", "deepseek", "gemini", "mistral", "groq", "openrouter"),
    *("ollama", "ollama-native", "vllm", "lmstudio", "llamacpp"),
]


def test_the_shipped_table_has_every_endpoint_that_is_promised() -> None:
    assert sorted(endpoints()) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_entry_is_hosted_with_https_and_a_key_or_local_and_free(name: str) -> None:
    entry = endpoints()[name]
    assert entry.name == name
    assert entry.wire in WIRES
    assert entry.wire == {"anthropic": "anthropic", "ollama-native": "ollama"}.get(name, "openai")
    address = urlsplit(entry.base_url)
    assert not address.query
    if address.hostname == "127.0.0.1":
        assert (address.scheme, entry.key, entry.free) == ("http", "", True)
    else:
        assert address.scheme == "https"
        assert entry.key == f"{name.upper()}_API_KEY"
        assert not entry.free
        assert entry.models
    assert (entry.cap_field == "max_completion_tokens") == (name == "openai")
    assert entry.cap > 0


@pytest.mark.parametrize(
    ("field", "names"),
    [
        ("short_ids", ["mistral"]),
        ("cache", []),
        ("thinking", ["anthropic"]),
        ("free", ["llamacpp", "lmstudio", "ollama", "ollama-native", "vllm"]),
        ("context", ["ollama-native"]),
    ],
)
def test_what_an_endpoint_needs_is_said_of_it_and_of_no_other(field: str, names: list[str]) -> None:
    assert sorted(n for n in NAMES if getattr(endpoints()[n], field)) == names


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table of the user's own."""
    file = tmp_path / "mine.toml"
    monkeypatch.setenv("LAB_ENDPOINTS", str(file))
    return file


def test_a_provider_is_added_by_an_entry_alone(
    own: Path, loopback: Loopback, talk: Callable[..., Conversation], watch: Any
) -> None:
    fields = 'wire = "openai"\nkey = "NEW_KEY"\ncap_field = "max_completion_tokens"\ncap = 9'
    own.write_text(f'[new]\nbase_url = "{loopback.url}/v9"\n{fields}\nstream = false\n')
    loopback.say("openai", "Yes.")
    model = open_model("new/some/model", {"NEW_KEY": "sk-of-the-new-one"})
    assert model.reply(talk(), watch)[0].text == "Yes."
    (received,) = loopback.received
    assert received.path == "/v9/chat/completions"
    assert received.headers["authorization"] == "Bearer sk-of-the-new-one"
    assert received.json["model"] == "some/model"
    assert received.json["max_completion_tokens"] == 9
    assert "stream" not in received.json
    assert set(endpoints()) == {*NAMES, "new"}


def test_a_users_entry_replaces_the_shipped_one_of_its_name(own: Path) -> None:
    own.write_text('[ollama]\nwire = "openai"\nbase_url = "http://10.0.0.5:11434/v1"\n')
    table = endpoints()
    assert table["ollama"].base_url == "http://10.0.0.5:11434/v1"
    assert {n: e for n, e in table.items() if n != "ollama"} == {
        n: e for n, e in shipped().items() if n != "ollama"
    }


def test_a_file_that_is_named_but_not_there_or_faulty_is_told_by_its_path(own: Path) -> None:
    with pytest.raises(EndpointError, match=r"mine\.toml cannot be read"):
        endpoints()
    own.write_bytes(b"\xff")
    with pytest.raises(EndpointError, match=r"mine\.toml cannot be read"):
        endpoints()
    own.write_text('[new]\nwire = "soap"\nbase_url = "http://h"\n')
    with pytest.raises(EndpointError, match=r"mine.toml: \[new\] .*wire = 'soap'"):
        endpoints()


def test_an_entry_needs_only_a_wire_and_an_address() -> None:
    table = read_endpoints('[mine]\nwire = "openai"\nbase_url = "http://h/v1"', "mine.toml")
    assert table == {"mine": Endpoint("mine", "openai", "http://h/v1")}


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        ("[mine", ["not valid TOML"]),
        ("mine = 5", ["mine is not a table"]),
        ('[mine]\nwire = "openai"', ["[mine]", "base_url", "missing"]),
        ('[mine]\nbase_url = "http://h"', ["[mine]", "wire", "missing"]),
        ('[mine]\nwire = "soap"\nbase_url = "http://h"', ["[mine]", "wire = 'soap'", "anthropic"]),
        ('[mine]\nwire = "openai"\nbase_url = 5', ["[mine]", "base_url = '5'"]),
        ('[mine]\nwire = "openai"\nbase_url = ""', ["[mine] base_url", "begins with http"]),
        ('[mine]\nwire = "openai"\nbase_url = "127.0.0.1:80/v1"', ["base_url", "begins with http"]),
        (
            '[mine]\nwire = "openai"\nbase_url = "http://u:p@h"',
            ["base_url", "a user or a password"],
        ),
        ('[mine]\nwire = "openai"\nbase_url = "http://h/v1?key=x"', ["base_url", "no ? and no #"]),
        ('[mine]\nwire = "openai"\nbase_url = "http://h"\ncap = "9"', ["[mine]", "cap = '9'"]),
        ('[mine]\nwire = "openai"\nbase_url = "http://h"\nfree = 1', ["[mine]", "free = '1'"]),
        ('[mine]\nwire = "openai"\nbase_url = "http://h"\nmodels = "a"', ["[mine]", "models"]),
        ('[mine]\nwire = "openai"\nbase_url = "http://h"\nmodels = [5]', ["[mine]", "models.0"]),
        (
            '[mine]\nwire = "openai"\nbase_url = "http://h"\ncap_field = "cap"',
            ["[mine]", "cap_field"],
        ),
        (
            '[mine]\nwire = "openai"\nbase_url = "http://h"\nbase = "x"',
            ["[mine]", "'base'", "base_url"],
        ),
        (
            '[mine]\nwire = "openai"\nbase_url = "http://h"\ncap = 0',
            ["[mine]", "cap = 0", "1 token"],
        ),
        (
            '[mine]\nwire = "ollama"\nbase_url = "http://h"\ncontext = -1',
            ["[mine]", "context = -1"],
        ),
        (
            '[mine]\nwire = "openai"\nbase_url = "http://h"\ncontext = 9',
            ["[mine]", "context", "ollama only"],
        ),
        (
            '[good]\nwire = "openai"\nbase_url = "http://h"\n[bad]\nwire = "x"',
            ["[bad]", "base_url", "wire = 'x'"],
        ),
    ],
)
def test_a_faulty_table_names_source_entry_and_field(text: str, mentions: list[str]) -> None:
    with pytest.raises(EndpointError) as caught:
        read_endpoints(text, "mine.toml")
    said = str(caught.value)
    assert said.startswith("mine.toml")
    assert [part for part in mentions if part not in said] == []
    assert "\n" not in said


def test_a_key_pasted_into_the_table_is_refused_and_not_shown() -> None:
    text = f'[mine]\nwire = "openai"\nbase_url = "http://h"\nkey = "{CANARY}"'
    with pytest.raises(EndpointError, match=r"\[mine\] key must name an environment") as caught:
        read_endpoints(text, "mine.toml")
    assert CANARY not in str(caught.value)
