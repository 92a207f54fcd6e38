"""The table of endpoints: the shipped one is sound, and a faulty one names what is wrong where."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from lab.models.endpoints import Endpoint, EndpointError, endpoints, read_endpoints
from lab.models.hosted import WIRES

NAMES = [
    *("anthropic", "openai", "deepseek", "gemini", "mistral", "groq", "openrouter"),
    *("ollama", "vllm", "lmstudio", "llamacpp"),
]


def test_the_shipped_table_has_every_endpoint_that_is_promised() -> None:
    assert sorted(endpoints()) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_entry_is_hosted_with_https_and_a_key_or_local_and_free(name: str) -> None:
    entry = endpoints()[name]
    assert entry.name == name
    assert entry.wire in WIRES
    assert (entry.wire == "anthropic") == (name == "anthropic")
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
        ('[mine]\nwire = "openai"\nbase_url = "http://h"\ncap = "9"', ["[mine]", "cap = '9'"]),
        ('[mine]\nwire = "openai"\nbase_url = "h"\nfree = 1', ["[mine]", "free = '1'"]),
        ('[mine]\nwire = "openai"\nbase_url = "h"\nmodels = "a"', ["[mine]", "models"]),
        ('[mine]\nwire = "openai"\nbase_url = "h"\nmodels = [5]', ["[mine]", "models.0"]),
        ('[mine]\nwire = "openai"\nbase_url = "h"\ncap_field = "cap"', ["[mine]", "cap_field"]),
        ('[mine]\nwire = "openai"\nbase_url = "h"\nbase = "x"', ["[mine]", "'base'", "base_url"]),
        (
            '[good]\nwire = "openai"\nbase_url = "h"\n[bad]\nwire = "x"',
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
