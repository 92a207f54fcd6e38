"""What a fork may change of a run, and the one event that comes of it. Pure."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TypeAlias

from lab.errors import LabError
from lab.events import ModelReplied, ToolFinished
from lab.messages import Cost, Exchange, Json, Reply, ToolCall, Usage
from lab.models.estimates import tokens_said
from lab.models.plain import plain
from lab.models.turns import sendable

RESULT_CHARACTERS = 40_000
"""A result that a person wrote may have so many; a tool's own may have half of them."""

BY_HAND = Cost(0.0, "free: a person wrote this reply")


@dataclass(frozen=True, slots=True)
class NewResult:
    """Another result of a tool that ran."""

    text: str
    failed: bool = False
    """True where it is an error the model can act on."""


@dataclass(frozen=True, slots=True)
class NewQuestion:
    """Another question."""

    text: str


@dataclass(frozen=True, slots=True)
class NewArguments:
    """Other arguments of one call of a reply."""

    arguments: str
    """A JSON object, as text."""
    call_id: str = ""
    """May be empty where the reply makes one call only."""


@dataclass(frozen=True, slots=True)
class NewAnswer:
    """Another answer in place of the model's."""

    text: str


@dataclass(frozen=True, slots=True)
class NewSystem:
    """Another system prompt; empty for the lab's own."""

    text: str


@dataclass(frozen=True, slots=True)
class NewDescription:
    """Another description of a tool."""

    tool: str
    text: str


@dataclass(frozen=True, slots=True)
class NewModel:
    """Another model from here on."""

    model: str
    protocol: str = "auto"
    base_url: str = ""
    """Empty for the run's own address where the endpoint stays, else for the endpoint's."""


Edit: TypeAlias = (
    NewResult | NewQuestion | NewArguments | NewAnswer | NewSystem | NewDescription | NewModel
)


class EditError(LabError):
    """A change cannot be made. One line: what is wrong with it, and what is accepted."""


def with_result(event: ToolFinished, edit: NewResult) -> ToolFinished:
    """The end of a tool with that text as its result."""
    text = edit.text or "(no output)"
    if len(text) > RESULT_CHARACTERS:
        raise EditError(
            f"The result has {len(text):,} characters; at most {RESULT_CHARACTERS:,} are "
            "accepted, since it is sent again with every further step."
        )
    return replace(event, content=sendable(text), failed=edit.failed)


def with_arguments(event: ModelReplied, edit: NewArguments, protocol: str) -> ModelReplied:
    """The reply with other arguments of one of its calls."""
    chosen = chosen_call(event.reply, edit.call_id)
    arguments = read_object(edit.arguments)
    if arguments == chosen.arguments:
        return event
    calls = tuple(
        ToolCall(call.id, call.name, arguments) if call.id == chosen.id else call
        for call in event.reply.calls
    )
    return by_hand(event, Reply(event.reply.text, calls, stop="tools"), protocol)


def with_answer(event: ModelReplied, edit: NewAnswer, protocol: str) -> ModelReplied:
    """The reply with another answer."""
    text = sendable(edit.text.strip())
    if not text:
        raise EditError("The answer is empty. Write what the model should have answered.")
    return event if text == event.reply.text else by_hand(event, Reply(text), protocol)


def by_hand(event: ModelReplied, reply: Reply, protocol: str) -> ModelReplied:
    """A reply that a person wrote in place of the model's; it claims no response and no cost."""
    usage = Usage(event.reply.usage.tokens_in, tokens_said(reply), estimated=True)
    written = plain(replace(reply, usage=usage), protocol)
    return ModelReplied(event.step, written, Exchange(cost=BY_HAND))


def chosen_call(reply: Reply, id: str) -> ToolCall:
    """The call of that id; without one, the only call."""
    found = [call for call in reply.calls if id in (call.id, "")]
    if len(found) != 1:
        raise EditError(
            f"The reply makes the calls {', '.join(call.id for call in reply.calls)}; "
            f"{f'{id!r} is none of them' if id else 'say which one is meant'}."
        )
    return found[0]


def read_object(text: str) -> Json:
    """Arguments as a person writes them."""
    try:
        read = sendable(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise EditError(f"The arguments are not valid JSON: {error}.") from error
    if not isinstance(read, dict):
        raise EditError('The arguments are not a JSON object, such as {"query": "cache size"}.')
    return read
