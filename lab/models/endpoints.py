"""The table of endpoints: where each is reached, which wire it speaks, what it accepts."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar, Literal

from pydantic import ConfigDict

from lab.checking import MisfitError, checked
from lab.errors import LabError


class EndpointError(LabError):
    """An endpoint or model cannot be used as named. One line for the person."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One entry of the table."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    name: str
    wire: Literal["anthropic", "openai"]
    base_url: str
    key: str = ""
    """Environment variable that holds the key; empty where none is needed."""
    models: tuple[str, ...] = ()
    """Models to suggest."""
    cap_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """The field that limits output tokens."""
    cap: int = 4096
    """Output tokens a reply may have."""
    free: bool = False
    """True where a call costs nothing, by declaration."""


@cache
def endpoints() -> dict[str, Endpoint]:
    """The shipped table, by name."""
    text = files("lab.models").joinpath("endpoints.toml").read_text(encoding="utf-8")
    return read_endpoints(text, "endpoints.toml")


def read_endpoints(text: str, source: str) -> dict[str, Endpoint]:
    """Entries of a table. Raises EndpointError naming the source, the entry and the field."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise EndpointError(f"{source} is not valid TOML: {error}.") from error
    return {name: read_entry(name, entry, source) for name, entry in table.items()}


def read_entry(name: str, entry: Any, source: str) -> Endpoint:
    """One entry, checked field by field."""
    if not isinstance(entry, dict):
        raise EndpointError(f"{source}: {name} is not a table of fields.")
    try:
        return checked(Endpoint, {**entry, "name": name})
    except MisfitError as error:
        raise EndpointError(f"{source}: [{name}] {error}.") from None
