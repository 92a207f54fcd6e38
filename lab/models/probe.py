"""Find out what a model at an endpoint can do by asking it: some calls, bounded in cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime

from lab.messages import (
    Conversation,
    Cost,
    Exchange,
    Json,
    Question,
    Reply,
    Request,
    ToolSchema,
    Usage,
)
from lab.models.aside import Aside
from lab.models.card import Card
from lab.models.declared import declared_context
from lab.models.endpoints import Endpoint
from lab.models.hosted import HostedModel
from lab.models.model import ModelError
from lab.models.react import objects

SMALLEST, LARGEST = 1_000, 32_000
"""Tokens of the smallest and, if not told otherwise, the largest prompt that is tried."""

MOST_SAID = 400
"""Output tokens of a reply at most: a word is asked for, but some models think first, and the
smallest talk on and on."""
MOST_REPLIES = 20

WORDS_PER_TOKEN = 0.75
"""Of the filler text, about, until a prompt has shown what the endpoint counts."""

MOST_HALVINGS = 6
"""Prompts tried between the largest that was taken and the smallest that was not."""

FILLER = "The ferry crosses the quiet harbour and the gulls follow it home . "
WORDS = len(FILLER.split())
SYSTEM = "You are being tested. Do exactly what is asked, in as few words as possible."
ADD = ToolSchema(
    "add",
    "Returns the sum of two numbers.",
    {
        "type": "object",
        "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
        "required": ["a", "b"],
        "additionalProperties": False,
    },
)
COLOUR: Json = {
    "type": "object",
    "properties": {"colour": {"type": "string", "enum": ["red", "green", "blue"]}},
    "required": ["colour"],
    "additionalProperties": False,
}

REFUSALS = ("bad_request", "no_tools", "not_found", "too_large")
"""Kinds of failure that are an answer to what was asked; any other may pass."""

Told = Callable[[str], None]


@dataclass
class ProbeWatch:
    """Watches the calls of a probe: nothing is recorded, what is noticed is kept."""

    give_up: Callable[[], str] = lambda: ""
    noticed_texts: list[str] = field(default_factory=list)
    cut: bool = False

    def sent(self, request: Request) -> None:
        """Nothing to record."""

    def noticed(self, about: str, text: str) -> None:
        self.cut = self.cut or about == "prompt cut"
        self.noticed_texts.append(f"{about}: {text}")

    def about_to_send(self, likely: Usage, cost: Cost) -> None:
        """A probe is bounded by its number of calls."""

    def streaming(self) -> None:
        """Nothing is shown."""

    def streamed(self, text: str) -> None:
        """Nothing is shown."""

    def seconds_left(self) -> float | None:
        return None


class Probe:
    """Asks one model, and keeps count."""

    def __init__(self, name: str, endpoint: Endpoint, key: str, watch: ProbeWatch) -> None:
        self._name, self._key, self._watch = name, key, watch
        self._model = name.partition("/")[2]
        self._endpoint = replace(endpoint, cap=min(endpoint.cap, MOST_SAID))
        self._hosted = HostedModel(self._endpoint, self._model, key)
        self._costs: list[float | None] = []
        self._words_per_token = WORDS_PER_TOKEN

    def card(self, largest: int, tell: Told) -> Card:
        """Ask everything; `largest` bounds the prompts of the search for the context."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        card = Card(self._name, self._endpoint.base_url, now, reachable=False)
        tell("Is it there?")
        try:
            reply = self._ask("Reply with the one word: ready")
        except ModelError as error:
            return self._closed(replace(card, said=str(error)))
        card = replace(card, reachable=True, said=reply.text[:200].strip())
        card = replace(card, token_counts=reply.usage.tokens_in is not None)
        for about, look in (
            ("Does it call tools?", self._calls),
            ("Can its output be kept to JSON?", self._json),
        ):
            tell(about)
            with suppress(ModelError):  # what was not answered stays unknown
                card = look(card)
        return self._closed(self._context(self._declared(card), largest, tell))

    def _calls(self, card: Card) -> Card:
        one = self._try("Use the tool add to add 17 and 25.", tools=(ADD,))
        two = self._try("Use the tool add twice at once: 1 and 2, and 3 and 4.", tools=(ADD,))
        if one is None and two is None:
            return replace(card, native_calls=False, parallel_calls=False)
        made = [c for reply in (one, two) if reply for c in reply.calls if c.name == "add"]
        return replace(
            card,
            native_calls=bool(made),
            parallel_calls=bool(two and len(two.calls) > 1),
            ids=made[0].id if made else "",
        )

    def _json(self, card: Card) -> Card:
        for kind in ("schema", "object"):
            endpoint = replace(self._hosted.endpoint, json=kind)
            asked = HostedModel(endpoint, self._model, self._key)
            reply = self._try('Name a colour as JSON, like {"colour": …}.', COLOUR, hosted=asked)
            kept = asked.endpoint.json == kind
            if reply and kept and any(self._fits(found, kind) for found in objects(reply.text)):
                return replace(card, json=kind)
        return replace(card, json="")

    def _fits(self, found: Json, kind: str) -> bool:
        return kind == "object" or found.get("colour") in COLOUR["properties"]["colour"]["enum"]

    def _declared(self, card: Card) -> Card:
        """What a server of one's own says; a hosted endpoint has no such address."""
        if not self._endpoint.free:
            return card
        aside = Aside(self._watch)
        tokens, _ = declared_context(self._endpoint, self._model, self._key, aside)
        return replace(card, declared=tokens or None)

    def _context(self, card: Card, largest: int, tell: Told) -> Card:
        """Search for the largest prompt that is taken uncut, halving what is between."""
        if not card.token_counts:
            return card
        for size in sizes(largest, card.declared):
            tell(f"Does it take {size:,} tokens?")
            card, taken = self._takes(card, size)
            if not taken:
                break
        for _ in range(MOST_HALVINGS):
            between = narrow(card)
            if between is None:
                break
            tell(f"Does it take {between:,} tokens?")
            before, (card, _) = card, self._takes(card, between)
            if card == before:
                break
        return card

    def _takes(self, card: Card, size: int) -> tuple[Card, bool]:
        word = f"plum{size % 97}"
        times = round(size * self._words_per_token / WORDS)
        filler = FILLER * times
        self._watch.cut = False
        try:
            reply = self._try(f"The secret word is {word}. {filler} What is the secret word?")
        except ModelError:
            return card, False
        count = reply.usage.tokens_in if reply else None
        grown = count is not None and count > (card.context or 0)
        if reply is None or count is None or self._watch.cut or not grown:
            return replace(card, context_refused=min(size, card.context_refused or size)), False
        self._words_per_token = times * WORDS / count
        if word in reply.text:
            card = replace(card, recall=max(count, card.recall or 0))
        return replace(card, context=max(count, card.context or 0)), True

    def _try(
        self,
        question: str,
        schema: Json | None = None,
        tools: tuple[ToolSchema, ...] = (),
        hosted: HostedModel | None = None,
    ) -> Reply | None:
        """The reply; None where the request was refused. ModelError where nobody answered it."""
        try:
            return self._ask(question, schema, tools, hosted)
        except ModelError as error:
            refused = error.kind in REFUSALS
            self._watch.noticed("refused" if refused else "not answered", str(error))
            if not refused:
                raise
            return None

    def _ask(
        self,
        question: str,
        schema: Json | None = None,
        tools: tuple[ToolSchema, ...] = (),
        hosted: HostedModel | None = None,
    ) -> Reply:
        asked = Conversation(SYSTEM, tools, (Question(question),), schema)
        exchange: Exchange
        try:
            reply, exchange = (hosted or self._hosted).reply(asked, self._watch)
        except ModelError as error:
            self._costs.append(error.exchange.cost.usd)
            raise
        self._costs.append(exchange.cost.usd)
        return reply

    def _closed(self, card: Card) -> Card:
        """The card with what the calls were, and what follows for the protocol."""
        known = [cost for cost in self._costs if cost is not None]
        protocol = {True: "native", False: "react", None: ""}[card.native_calls]
        return replace(
            card,
            refused=tuple(changed(self._endpoint, self._hosted.endpoint)),
            calls=len(self._costs),
            usd=sum(known) if len(known) == len(self._costs) else None,
            protocol=protocol if card.reachable else "",
            notes=tuple(dict.fromkeys(self._watch.noticed_texts)),
        )


BELOW, ABOVE = 0.93, 1.06
"""Of a declared context: so near to it that no halving is needed between them."""


def sizes(largest: int, declared: int | None = None) -> Iterator[int]:
    """Prompts to try in turn: just below and above what is declared, or else doubling."""
    size = SMALLEST
    if declared and size < declared < largest:
        yield from (size, round(declared * BELOW), round(declared * ABOVE))
        return
    while size < largest:
        yield size
        size *= 2
    yield largest


def narrow(card: Card) -> int | None:
    """A size between what was taken and what was not; None where they are close enough."""
    taken, refused = card.context, card.context_refused
    if not taken or not refused or refused < taken * 1.15:
        return None
    return (taken + refused) // 2


def most_used(largest: int) -> Usage:
    """The tokens of all calls together, at most: what a probe may cost is reckoned from it."""
    return Usage(sum(sizes(largest)) + 5 * largest, MOST_REPLIES * MOST_SAID)


def changed(before: Endpoint, after: Endpoint) -> Iterator[str]:
    """Fields of an endpoint that it turned out not to accept."""
    for each in fields(Endpoint):
        if getattr(before, each.name) != getattr(after, each.name):
            yield each.name
