"""A model behind an HTTP endpoint, hosted or local: any wire, any provider of the table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from urllib.parse import urlsplit

from lab.messages import Attempt, Conversation, Cost, Exchange, Json, Reply, Usage
from lab.models.call import call_model
from lab.models.capture import Capture, hidden
from lab.models.endpoints import Endpoint
from lab.models.estimates import estimated_tokens
from lab.models.model import ModelError, Watch
from lab.models.near import near_names
from lab.models.prompt_cut import signs_of_a_cut
from lab.models.repairs import repaired
from lab.models.sse import ErrorEvent, NoEvents
from lab.models.turns import cut_where_broken, sendable
from lab.models.wires import WIRES, lines_to
from lab.places import LOOPBACK
from lab.prices import FREE, cost_of
from lab.waiting import GivenUp

MOST_REPAIRS = 3
"""So many times a refused request is changed and sent again."""


class HostedModel:
    """One model at one endpoint. The key lives in this object and nowhere else."""

    def __init__(self, endpoint: Endpoint, model: str, key: str = "") -> None:
        self._model, self._key = model, key.strip()
        self._wire = WIRES[endpoint.wire]
        self._use(endpoint)
        self.where = f"{endpoint.name}/{model} at {endpoint.base_url}"

    def _use(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._lines = lines_to(endpoint, self._key)

    @property
    def endpoint(self) -> Endpoint:
        """The endpoint, as it is known by now: what it refused is no longer sent."""
        return self._endpoint

    def load(self) -> None:
        """Load the wire's SDK; see `Loading`."""
        self._lines.open()

    def reply(self, conversation: Conversation, watch: Watch) -> tuple[Reply, Exchange]:
        """Ask once, with retries; see `Model`."""
        if self._key and in_the_clear(self._endpoint.base_url):
            watch.noticed("plain http", f"The key goes to {self._endpoint.base_url} unencrypted.")
        refused: tuple[Attempt, ...] = ()
        for repairs_left in reversed(range(MOST_REPAIRS + 1)):
            try:
                reply, exchange = self._ask(conversation, watch)
                return reply, replace(exchange, attempts=refused + exchange.attempts)
            except ModelError as error:
                refused += error.exchange.attempts
                error.exchange = replace(error.exchange, attempts=refused)
                mendable = repairs_left and error.kind == "bad_request"
                body_for = partial(self._wire.request_body, conversation, self._model)
                changed = repaired(self._endpoint, error, body_for) if mendable else None
                if changed is None:
                    raise
                self._use(changed[0])
                watch.noticed("repair", f"{self.where}: {changed[1]}")
        raise AssertionError("the last try either returns or raises")

    def _ask(self, conversation: Conversation, watch: Watch) -> tuple[Reply, Exchange]:
        body = self._wire.request_body(conversation, self._model, self._endpoint)
        characters = len(json.dumps(body, ensure_ascii=False))
        likely = Usage(estimated_tokens(characters), self._endpoint.cap, estimated=True)
        watch.about_to_send(likely, self._cost(self._model, likely))

        def send(capture: Capture) -> tuple[Reply, Json]:
            read = sendable(self._answer(body, capture, watch))
            reply = self._wire.read_reply(read, conversation)
            return cut_where_broken(reply, self._endpoint.cap), read

        try:
            (reply, read), exchange = call_model(send, self.where, watch, self._key)
        except ModelError as error:
            cost = FREE if self._endpoint.free else error.exchange.cost
            near = self._near(watch) if error.kind == "not_found" else ""
            exchange = replace(error.exchange, cost=cost)
            raise ModelError(f"{error}{near}", exchange, error.kind, error.reason) from None
        if sign := signs_of_a_cut(conversation, characters, reply.usage):
            watch.noticed("prompt cut", sign)
        named = read.get("model")
        model = named if isinstance(named, str) and named else self._model
        cost = self._cost(model, reply.usage)
        if cost.usd is None:  # it may answer under a name of its own that has no price
            cost = self._cost(self._model, reply.usage)
        return reply, replace(exchange, model=model, cost=cost)

    def _answer(self, body: Json, capture: Capture, watch: Watch) -> Json:
        """The response body of one attempt, put together if it was streamed, without the key."""
        with self._lines.lent(capture) as client:
            return self._received(body, self._wire.chunks(body, client, capture), capture, watch)

    def _received(self, body: Json, chunks: Iterator[Json], capture: Capture, watch: Watch) -> Json:
        if not body.get("stream"):
            return self._shown(whole(next(chunks)))
        assembly = self._wire.assembly()
        watch.streaming()
        try:
            for chunk in chunks:
                capture.heard()
                for piece in assembly.add(chunk):
                    watch.streamed(piece)
                if why := watch.give_up():
                    raise GivenUp(why)  # half an answer is none
        except NoEvents:  # asked for a stream, it sent a whole answer
            return self._shown(whole(capture.json()))
        return self._shown(assembly.body())

    def _shown(self, body: Json) -> Json:
        shown: Json = hidden(self._key, body)
        return shown

    def _near(self, watch: Watch) -> str:
        return near_names(self._model, self._endpoint, self._key, watch)

    def _cost(self, model: str, usage: Usage) -> Cost:
        return FREE if self._endpoint.free else cost_of(self._endpoint.name, model, usage)


def in_the_clear(address: str) -> bool:
    """True for an address that anybody on the way can listen to."""
    parts = urlsplit(address)
    return parts.scheme == "http" and parts.hostname not in LOOPBACK


def whole(body: Json) -> Json:
    """The body of an answer that was not streamed; ErrorEvent where it reports an error.

    Some gateways do so under status 200.
    """
    if body.get("error"):
        raise ErrorEvent(json.dumps(body))
    return body
