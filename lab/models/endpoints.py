"""The table of endpoints: where each is reached, which wire it speaks, what it accepts."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal
from urllib.parse import urlsplit

from lab import places
from lab.checking import CLOSED, MisfitError, checked
from lab.errors import LabError

_VARIABLE = re.compile("([A-Z][A-Z0-9_]*)?")


class EndpointError(LabError):
    """An endpoint or model cannot be used as named. One line for the person."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One entry of the table."""

    __pydantic_config__ = CLOSED

    name: str
    wire: Literal["anthropic", "openai", "ollama"]
    base_url: str
    key: str = ""
    """Environment variable that holds the key; empty where none is needed."""
    models: tuple[str, ...] = ()
    """Models to suggest."""
    free: bool = False
    """True where a call costs nothing, by declaration."""
    cap_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """The field that limits output tokens."""
    cap: int = 4096
    """Output tokens a reply may have."""
    context: int = 0
    """Tokens of context that are asked for, over the wire `ollama`; 0 for what the server has."""
    stream: bool = True
    """Whether answers are streamed."""
    stream_usage: bool = True
    """Whether a streamed answer is asked for its token counts."""
    tools: bool = True
    """Whether models call tools natively; where not, the text protocol is advised."""
    schema: Literal["plain", "strict", "gemini"] = "plain"
    """The dialect of JSON Schema that describes tools."""
    json: Literal["", "object", "schema"] = ""
    """How output can be kept to JSON: not at all, to some object, to a schema."""
    null_content: bool = True
    """Whether a turn that only calls tools may have null content; else it is an empty text."""
    empty_content: bool = True
    """Whether a text may be empty; else it says that there is none."""
    short_ids: bool = False
    """Whether ids of calls must be nine letters and digits."""
    thinking: tuple[str, ...] = ()
    """Beginnings of the names of models that are asked to think adaptively and to show it."""
    cache: bool = False
    """Whether the prompt cache is asked for."""


def endpoints() -> dict[str, Endpoint]:
    """The shipped table and the user's own, by name. The user's entries add or replace.

    The user's file is LAB_ENDPOINTS, or `endpoints.toml` in the user configuration folder.
    Raises EndpointError naming the file, the entry and the field.
    """
    own = places.config_file("endpoints.toml", "LAB_ENDPOINTS")
    if own is None:
        return shipped()
    try:
        text = own.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise EndpointError(f"{own} cannot be read: {error}.") from error
    return shipped() | read_endpoints(text, str(own))


@cache
def shipped() -> dict[str, Endpoint]:
    """The table that comes with the lab."""
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
    if not _VARIABLE.fullmatch(str(entry.get("key", ""))):  # not quoted: it may be a key itself
        raise EndpointError(
            f"{source}: [{name}] key must name an environment variable, such as MINE_API_KEY; "
            "the key itself has no place in this file."
        )
    try:
        endpoint = checked(Endpoint, {**entry, "name": name})
    except MisfitError as error:
        raise EndpointError(f"{source}: [{name}] {error}.") from None
    if wrong := misfit_in(endpoint):
        raise EndpointError(f"{source}: [{name}] {wrong}.")
    try:
        checked_address(endpoint.base_url)
    except EndpointError as error:
        raise EndpointError(f"{source}: [{name}] base_url: {error}") from None
    return endpoint


def misfit_in(endpoint: Endpoint) -> str:
    """What of an entry cannot be meant, though each field is of its kind; empty where all can."""
    if endpoint.cap < 1:
        return f"cap = {endpoint.cap}: a reply may have 1 token or more"
    if endpoint.context < 0:
        return f"context = {endpoint.context}: 0 for what the server has, or more"
    if endpoint.context and endpoint.wire != "ollama":
        return f"context can be asked for over the wire ollama only, not over {endpoint.wire}"
    return ""


def checked_address(base_url: str) -> str:
    """The address, if it can be one. It is stored and shown, so it must hold no password."""
    try:
        parts = urlsplit(base_url)
        held = "@" in parts.netloc
        fine = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        held, fine = "@" in base_url, False
    if held:
        raise EndpointError(
            "The base address must not hold a user or a password: it is stored with the run. "
            "A key comes from the endpoint's environment variable."
        )
    if not base_url.isprintable() or any(sign in base_url for sign in " ?#\\"):
        raise EndpointError(
            "The base address must hold no ? and no #, no blank and no \\: it ends with a path, "
            "and is stored with the run. A key comes from the endpoint's environment variable."
        )
    if not fine:
        raise EndpointError(
            f"The base address {base_url!r} is none: it begins with http:// or https:// and names "
            "a host, such as http://127.0.0.1:8080/v1."
        )
    return base_url
