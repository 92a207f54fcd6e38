"""A played turn as Anthropic Messages write it: one body, or the events of a stream."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from faults.said import Json, Said, pieces

PATH = "/v1/messages"

STOPS = {"done": "end_turn", "calls": "tool_use", "cut": "max_tokens", "refused": "refusal"}

PIECES = {"text": "text", "thinking": "thinking", "signature": "signature"}
"""Fields of a block that a stream sends in deltas, and the kind of delta."""


def stop_of(said: Said) -> str:
    """The stop reason."""
    stop = said.stop or ("calls" if said.calls else "done")
    return STOPS.get(stop, stop)


def usage(said: Said, counted: int) -> Json | None:
    """Token counts; `input_tokens` leaves out what the cache held."""
    if said.tokens_in is None:
        return None
    read = said.tokens_in or counted
    counts = {"input_tokens": read - 2 * said.cached, "output_tokens": said.tokens_out}
    if said.cached:
        counts["cache_read_input_tokens"] = said.cached
        counts["cache_creation_input_tokens"] = said.cached
    return counts


def content(said: Said) -> list[Json]:
    """The blocks of the turn."""
    blocks: list[Json] = list(said.blocks)
    if said.text:
        blocks.append({"type": "text", "text": said.text})
    for call in said.calls:
        given = as_input(call.arguments)
        blocks.append({"type": "tool_use", "id": call.id, "name": call.name, "input": given})
    return blocks


def as_input(arguments: str) -> Any:
    """Arguments as a value; what is no JSON stays the text it is."""
    try:
        return json.loads(arguments)
    except ValueError:
        return arguments


def body(said: Said, counted: int) -> Json:
    """The whole answer."""
    whole = {**head(), "content": content(said), **end(said)}
    counts = usage(said, counted)
    return {**whole, "usage": counts} if counts else whole


def head() -> Json:
    """What every answer begins with."""
    named = {"id": "msg_1", "type": "message", "role": "assistant", "model": "played"}
    return {**named, "content": [], "stop_reason": None, "stop_sequence": None}


def end(said: Said) -> Json:
    """How the turn ended."""
    ended: Json = {"stop_reason": stop_of(said), "stop_sequence": None}
    if said.why:
        ended["stop_details"] = {"type": "refusal", "category": "cyber", "explanation": said.why}
    return ended


def stream(said: Said, counted: int) -> list[str]:
    """The same answer as server-sent events."""
    return [f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events(said, counted)]


def events(said: Said, counted: int) -> Iterator[Json]:
    """The events of a stream: input tokens at its start, output tokens at its end."""
    counts = usage(said, counted)
    begun = {**counts, "output_tokens": 1} if counts else None
    yield {"type": "message_start", "message": {**head(), **({"usage": begun} if begun else {})}}
    written = iter(call.arguments for call in said.calls)
    for index, block in enumerate(content(said)):
        arguments = next(written) if block["type"] == "tool_use" else ""
        yield from block_events(index, block, arguments, said.piece)
    closing: Json = {"type": "message_delta", "delta": end(said)}
    yield {**closing, "usage": {"output_tokens": said.tokens_out}} if counts else closing
    yield {"type": "message_stop"}


def block_events(index: int, block: Json, arguments: str, size: int) -> Iterator[Json]:
    """One block: its start without what follows in pieces, the pieces, its end."""
    sent = {key: "" for key in PIECES if key in block}
    if block["type"] == "tool_use":
        sent["input"] = {}
    yield {"type": "content_block_start", "index": index, "content_block": {**block, **sent}}
    deltas = [
        {"type": f"{PIECES[key]}_delta", key: piece}
        for key in PIECES
        for piece in pieces(block.get(key, ""), size)
    ]
    deltas += [{"type": "input_json_delta", "partial_json": p} for p in pieces(arguments, size)]
    for delta in deltas:
        yield {"type": "content_block_delta", "index": index, "delta": delta}
    yield {"type": "content_block_stop", "index": index}
