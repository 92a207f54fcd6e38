"""The wire formats, and what whoever calls a model may expect of each."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Protocol

from lab.messages import Conversation, Json, Reply
from lab.models import anthropic, ollama, openai
from lab.models.capture import Capture
from lab.models.endpoints import Endpoint
from lab.models.lines import Hooks, Lines, Opened


class Assembly(Protocol):
    """Puts a streamed answer together."""

    def add(self, chunk: Json, /) -> Iterator[str]:
        """Take a chunk in; yields what of it may be shown."""

    def body(self) -> Json:
        """The body an unstreamed answer would have had."""


class Wire(Protocol):
    """A wire format: what a conversation looks like in it, and how it is sent."""

    PATH: str

    def request_body(self, conversation: Conversation, model: str, endpoint: Endpoint, /) -> Json:
        """The body of one request."""

    def read_reply(self, body: Json, conversation: Conversation, /) -> Reply:
        """The reply in a response body; LookupError, TypeError or AttributeError for another."""

    def assembly(self) -> Assembly:
        """What puts a streamed answer together."""

    def open_client(self, endpoint: Endpoint, key: str, hooks: Hooks, /) -> Opened:
        """The vendor's SDK's client, and what closes its connections."""

    def chunks(self, body: Json, client: Any, capture: Capture, /) -> Iterator[Json]:
        """Send it through that client; what comes, piece by piece."""

    def names(self, client: Any, /) -> Iterator[Any]:
        """The models that there are, by name."""


WIRES: dict[str, Wire] = {"anthropic": anthropic, "openai": openai, "ollama": ollama}


def lines_to(endpoint: Endpoint, key: str) -> Lines:
    """Lines to an endpoint, over its wire and with that key."""
    return Lines(partial(WIRES[endpoint.wire].open_client, endpoint, key))
