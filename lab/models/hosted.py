"""A model behind an HTTP endpoint, hosted or local: any wire, any provider of the table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Protocol

from lab.messages import Conversation, Exchange, Json, Reply
from lab.models import anthropic, openai
from lab.models.call import Capture, exchanged, parsed, unreadable
from lab.models.endpoints import Endpoint
from lab.models.model import Watch
from lab.prices import FREE, cost_of


class Wire(Protocol):
    """A wire format: what a conversation looks like in it, and how it is sent."""

    PATH: str

    def request_body(self, conversation: Conversation, model: str, endpoint: Endpoint, /) -> Json:
        """The body of one request."""

    def read_reply(self, body: Json, conversation: Conversation, /) -> Reply:
        """The reply in a response body; LookupError, TypeError or AttributeError for another."""

    def create(
        self, body: Json, endpoint: Endpoint, key: str, capture: Capture, timeout: float | None, /
    ) -> Any:
        """Send it through the vendor's SDK."""


WIRES: dict[str, Wire] = {"anthropic": anthropic, "openai": openai}

GRACE_SECONDS = 1.0


class HostedModel:
    """One model at one endpoint. The key lives in this object and nowhere else."""

    def __init__(self, endpoint: Endpoint, model: str, key: str = "") -> None:
        self._endpoint, self._model, self._key = endpoint, model, key.strip()
        self._wire = WIRES[endpoint.wire]

    def reply(self, conversation: Conversation, watch: Watch) -> tuple[Reply, Exchange]:
        """Ask once; see `Model`."""
        endpoint, wire = self._endpoint, self._wire
        where = f"{endpoint.name}/{self._model} at {endpoint.base_url}"
        body = wire.request_body(conversation, self._model, endpoint)
        left = watch.seconds_left()
        # The watch keeps the time limit; the SDK's own only ends what was given up.
        timeout = None if left is None else left + GRACE_SECONDS
        text, exchange = exchanged(
            lambda capture: wire.create(body, endpoint, self._key, capture, timeout),
            where,
            watch,
            self._key,
        )
        read = parsed(text, where, exchange)
        try:
            reply = wire.read_reply(read, conversation)
        except (LookupError, TypeError, AttributeError) as error:
            raise unreadable(error, where, exchange) from error
        model = read.get("model") or self._model
        cost = FREE if endpoint.free else cost_of(endpoint.name, model, reply.usage)
        return reply, replace(exchange, model=model, cost=cost)
