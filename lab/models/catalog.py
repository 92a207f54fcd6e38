"""From a model's name to the model: ENDPOINT/MODEL, `demo`, `scripted:FILE`, or one elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from lab.messages import Usage
from lab.models.card import Card, kept
from lab.models.demo import Demo
from lab.models.endpoints import Endpoint, EndpointError, checked_address, endpoints
from lab.models.model import Model
from lab.models.scripted import SHIPPED, read_script
from lab.prices import cost_of

PROTOCOLS = ("auto", "native", "react")
"""How a model calls tools: through its wire, or as JSON text; `auto` takes what it can do."""

SCRIPT = "scripted:"
LOCAL = "local/"
PERSON = "person"
BROWSER = "browser/built-in"

ELSEWHERE = {
    PERSON: "person is you: reply on the page Be the model (`lab app`).",
    BROWSER: f"{BROWSER} is the model of a visitor's own browser, and runs on the page alone "
    "(`lab app`).",
}
"""Models that answer where the lab cannot call them, and where they can be had."""


def open_model(
    name: str,
    keys: Mapping[str, str],
    base_url: str = "",
    protocol: str = "native",
    cache: bool = False,
) -> Model:
    """The model of that name. `keys` holds keys by the name of their environment variable.

    Raises a LabError where the name, the address or the key does not do.
    """
    if protocol not in PROTOCOLS:
        raise EndpointError(f"Unknown protocol {protocol!r}. Choose: {', '.join(PROTOCOLS)}.")
    if name in ELSEWHERE:
        raise EndpointError(ELSEWHERE[name])
    if is_standin(name) and (base_url or protocol == "react"):
        raise EndpointError(
            f"{name} is no model behind an address: it takes no base address, and plays native "
            "tool calls only."
        )
    if name == "demo":
        return Demo()
    if name.startswith(SCRIPT):
        return read_script(name.removeprefix(SCRIPT))
    return _called(name, keys, base_url, protocol, cache)


def _called(name: str, keys: Mapping[str, str], base_url: str, protocol: str, cache: bool) -> Model:
    # Imported here: the models that are none do not wait for what calls one.
    from lab.models.hosted import HostedModel  # noqa: PLC0415
    from lab.models.local import LocalModel  # noqa: PLC0415
    from lab.models.react import React  # noqa: PLC0415

    if name.startswith(LOCAL):
        return React(LocalModel(name.removeprefix(LOCAL)))
    endpoint, model = find(name)
    if base_url:
        endpoint = replace(endpoint, base_url=checked_address(base_url))
    hosted = HostedModel(replace(endpoint, cache=cache), model, key_for(endpoint, keys))
    return React(hosted) if protocol_for(name, protocol, base_url) == "react" else hosted


def protocol_for(name: str, asked: str, base_url: str = "") -> str:
    """The protocol in force, `native` or `react`: as asked, or what the model is known to do."""
    if needs_no_endpoint(name):
        return "react"
    if is_standin(name):
        return "native"
    if asked != "auto":
        return asked
    endpoint, _ = find(name)
    card = kept(name, base_url or endpoint.base_url)
    advised = card.protocol if card else ""
    return "react" if not endpoint.tools else advised or "native"


def is_standin(name: str) -> bool:
    """True for a name behind which no model is called."""
    return name in ("demo", PERSON) or name.startswith(SCRIPT)


def needs_no_endpoint(name: str) -> bool:
    """True for a small model that runs in this process or in the visitor's browser."""
    return name.startswith(LOCAL) or name == BROWSER


def standin_note(name: str) -> str:
    """What to know of an answer that no model gave."""
    if name.startswith(SCRIPT):
        return (
            "No model is called: a script written beforehand plays it, whatever is asked. "
            "The tools run for real."
        )
    if name == PERSON:
        return "No model is called: a person plays it. The tools run for real."
    return (
        "No model is called: a stand-in plays it, which only matches words. The tools run for real."
    )


def settled(name: str) -> str:
    """The name as it means the same from any folder."""
    file = name.removeprefix(SCRIPT)
    if name.startswith(SCRIPT) and file not in SHIPPED and file:
        return SCRIPT + str(Path(file).resolve())
    return name


def has_price(name: str) -> bool:
    """True where the cost of a call can be known."""
    if is_standin(name) or needs_no_endpoint(name):
        return True
    endpoint, model = find(name)
    return endpoint.free or cost_of(endpoint.name, model, Usage(1, 1)).usd is not None


def card_of(name: str, base_url: str) -> Card | None:
    """What a probe found out about the model that a run uses; None where none was made."""
    return kept(name, base_url) if base_url else None


def find(name: str) -> tuple[Endpoint, str]:
    """The endpoint and the model that ENDPOINT/MODEL means, split at the first slash."""
    prefix, _, model = name.partition("/")
    endpoint = endpoints().get(prefix)
    if endpoint is None or not model:
        scripts = ", ".join(SCRIPT + script for script in SHIPPED)
        raise EndpointError(
            f"Unknown model {name!r}. Give ENDPOINT/MODEL, such as anthropic/claude-sonnet-5, "
            f"with one of the endpoints {', '.join(endpoints())}; or demo, {scripts}, "
            f"{SCRIPT}FILE."
        )
    return endpoint, model


def address_of(name: str, base_url: str = "") -> str:
    """Where a model is reached; empty for one that is no model behind HTTP."""
    if is_standin(name) or needs_no_endpoint(name):
        return ""
    return base_url or find(name)[0].base_url


def key_for(endpoint: Endpoint, keys: Mapping[str, str]) -> str:
    """The endpoint's key; empty where it needs none. EndpointError where it is missing."""
    key = keys.get(endpoint.key, "").strip() if endpoint.key else ""
    if endpoint.key and not key:
        raise EndpointError(
            f"{endpoint.name} needs a key: set {endpoint.key} in the environment. "
            "Without a key, the models demo, scripted:careful and scripted:hasty run."
        )
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise EndpointError(
            f"{endpoint.key} holds blanks or characters that no key has. Copy the key once more."
        )
    return key
