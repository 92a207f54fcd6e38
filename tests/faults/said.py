"""What the fault server plays, in words that all wires share. It knows no wire."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Literal, TypeAlias

Json: TypeAlias = dict[str, Any]

Wire: TypeAlias = Literal["openai", "anthropic", "ollama"]


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call as it stands on the wire."""

    name: str
    arguments: str
    """JSON text, or what passes for it."""
    id: str = "call_1"
    extra: Json = field(default_factory=dict)
    """Chat Completions only: further fields of the call."""


@dataclass(frozen=True, slots=True)
class Said:
    """One turn of the model that is played."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    stop: str = ""
    """`done`, `calls`, `cut`, `refused`, or the wire's own word; empty for the one that fits."""
    blocks: tuple[Json, ...] = ()
    """Messages only: content blocks before the text."""
    fields: Json = field(default_factory=dict)
    """Chat Completions only: further fields of the message."""
    why: str = ""
    """Messages only: the explanation of a refusal."""
    tokens_in: int | None = 0
    """What the server says it read; 0 for as much as there was, None where it does not say."""
    tokens_out: int = 10
    cached: int = 0
    """So many tokens of the request were read from the cache, and as many written to it."""
    piece: int = 16
    """Characters in a piece of a streamed text."""
    same_index: bool = False
    """Chat Completions only: every streamed call has the index 0."""
    usage_apart: bool = False
    """Chat Completions only: usage comes in a last chunk without choices."""
    sent: Literal["whole", "cut", "ended", "held"] = "whole"
    """What becomes of it on its way. Of all but `whole` only the first half is sent; then the
    connection breaks, or the stream ends as if that were all, or nothing more comes."""


@dataclass(frozen=True, slots=True)
class Failed:
    """An answer that is no turn of a model."""

    status: int
    body: str
    """`KEY` in it stands for the key that the request came with."""
    headers: dict[str, str | timedelta] = field(default_factory=dict)
    """A time from now is sent as its date."""


Act: TypeAlias = Said | Failed


def pieces(text: str, size: int) -> list[str]:
    """The text in pieces of that many characters."""
    return [text[at : at + size] for at in range(0, len(text), size)]


SEARCH = Call("search_site", '{"query": "cache"}', "call_a")
SUM = Call("calculate", '{"expression": "6 * 7"}', "call_b")
OTHER_SUM = Call("calculate", '{"expression": "2 ** 10"}', "call_c")
ANSWER = Said("The answer is 42.")
