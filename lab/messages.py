"""The values a conversation is made of. They know nothing of wires, models or storage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Json: TypeAlias = dict[str, Any]
"""A JSON object, as parsed."""

Stop: TypeAlias = Literal["answer", "tools", "cut", "refused", "paused", "unknown"]
"""Why a model stopped writing, in words that all wires share."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool the model asks for."""

    id: str
    """Unique within the run; pairs the call with its one result."""
    name: str
    """The tool's name as the model wrote it, which need not exist."""
    arguments: Json | None
    """The arguments; None where what came could not be read as a JSON object."""
    raw: str = ""
    """The arguments as received, kept where they could not be read."""
    fault: str = ""
    """Why `arguments` is None, written for the model."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts of one model call. None means that nobody said."""

    tokens_in: int | None = None
    """All input tokens, cache reads and writes included."""
    tokens_out: int | None = None
    """All output tokens as the endpoint counts them, reasoning included where it says so."""
    cache_read: int | None = None
    """The part of `tokens_in` that was read from the endpoint's prompt cache."""
    cache_write: int | None = None
    """The part of `tokens_in` that was written to it."""
    estimated: bool = False
    """True where the lab reckoned these counts from characters instead of being told."""


@dataclass(frozen=True, slots=True)
class Reply:
    """One assistant turn."""

    text: str
    """What the model says to the person; empty where it only calls tools."""
    calls: tuple[ToolCall, ...] = ()
    """The tools it asks for, in the order received."""
    stop: Stop = "answer"
    """Why it stopped."""
    raw: Json | None = None
    """The turn exactly as received; sent back as it is. None where no wire was used."""
    thinking: str = ""
    """Reasoning that came with it, for display only."""
    usage: Usage = Usage()
    """Token counts of the call."""
    fault: str = ""
    """Why this turn is neither an answer nor a call, written for the model; empty if it is fine."""
    stop_raw: str = ""
    """The stop or finish reason as sent."""
    detail: str = ""
    """What the endpoint explains of a refusal or an unknown stop, for the person."""


@dataclass(frozen=True, slots=True)
class Question:
    """What the person asks."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What came of a call."""

    call_id: str
    """The call it belongs to."""
    content: str
    """Text for the model; never empty."""
    failed: bool = False
    """True where the content is an error the model can act on."""


@dataclass(frozen=True, slots=True)
class Notice:
    """What the lab itself says to the model, always after everything sent before."""

    text: str


Message: TypeAlias = Question | Reply | ToolResult | Notice


@dataclass(frozen=True, slots=True)
class ToolSchema:
    """A tool as a model is told of it."""

    name: str
    description: str
    parameters: Json
    """JSON Schema of the arguments."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """All that a model is sent, in the order it is sent. Every next one only adds messages."""

    system: str
    tools: tuple[ToolSchema, ...]
    messages: tuple[Message, ...]
    answer_schema: Json | None = None
    """JSON Schema the reply's text should keep to; None for free text."""


@dataclass(frozen=True, slots=True)
class Request:
    """One HTTP request as it left, or would have left."""

    method: str
    url: str
    body: str
    """The body's bytes as UTF-8 text, unchanged."""
    headers: dict[str, str]
    """Only those on the adapter's allow-list; never a key."""
    sent: bool = True
    """False where no model was called: a stand-in read this instead."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try at a model call."""

    status: int | None
    """HTTP status; None where no answer came."""
    seconds: float
    """From sending until the answer was complete or given up."""
    waited: float = 0.0
    """Seconds waited before this try."""
    error: str = ""
    """What went wrong, in a few words; empty where it worked."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The price of one model call."""

    usd: float | None
    """US dollars; None where no price or no token count is known."""
    basis: str
    """The price row used, or why there is none."""


NOT_SENT = Cost(0.0, "nothing was sent")
"""Of a call that never left: it is no part of any sum, and says nothing of the endpoint's price."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """The evidence of one model call: what came back, and how long it took."""

    response: str = ""
    """The body as received; empty where none came or no wire was used."""
    attempts: tuple[Attempt, ...] = ()
    """Every try in order, the last one included."""
    first_token: float | None = None
    """Seconds until the first piece of a streamed answer; None where it was not streamed."""
    request_id: str = ""
    """The endpoint's own name for the call."""
    model: str = ""
    """The model the endpoint says has answered."""
    cost: Cost = Cost(None, "no price is known")
    """What the call cost."""

    @property
    def seconds(self) -> float:
        """Model time: all attempts, without the waits between them."""
        return sum(attempt.seconds for attempt in self.attempts)

    @property
    def waited(self) -> float:
        """Seconds spent waiting between attempts."""
        return sum(attempt.waited for attempt in self.attempts)
