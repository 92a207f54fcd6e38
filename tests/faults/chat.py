"""A played turn as Chat Completions write it: one body, or the chunks of a stream."""

from __future__ import annotations

import json

from faults.said import Call, Json, Said, pieces

PATH = "/chat/completions"

STOPS = {"done": "stop", "calls": "tool_calls", "cut": "length", "refused": "content_filter"}

HEAD: Json = {"id": "chatcmpl-1", "created": 0, "model": "played"}


def stop_of(said: Said) -> str:
    """The finish reason."""
    stop = said.stop or ("calls" if said.calls else "done")
    return STOPS.get(stop, stop)


def usage(said: Said, counted: int) -> Json | None:
    """Token counts; `prompt_tokens` includes what the cache held."""
    if said.tokens_in is None:
        return None
    read = said.tokens_in or counted
    counts: Json = {
        "prompt_tokens": read,
        "completion_tokens": said.tokens_out,
        "total_tokens": read + said.tokens_out,
    }
    if said.cached:
        parts = {"cached_tokens": said.cached, "cache_write_tokens": said.cached}
        counts["prompt_tokens_details"] = parts
    return counts


def call_json(call: Call, arguments: str) -> Json:
    """A call with its arguments, or with the first piece of them."""
    function = {"name": call.name, "arguments": arguments}
    return {"id": call.id, "type": "function", "function": function, **call.extra}


def body(said: Said, counted: int) -> Json:
    """The whole answer."""
    message: Json = {"role": "assistant", "content": said.text or None, **said.fields}
    if said.calls:
        message["tool_calls"] = [call_json(call, call.arguments) for call in said.calls]
    choice = {"index": 0, "message": message, "finish_reason": stop_of(said)}
    whole: Json = {**HEAD, "object": "chat.completion", "choices": [choice]}
    counts = usage(said, counted)
    return {**whole, "usage": counts} if counts else whole


def stream(said: Said, counted: int) -> list[str]:
    """The same answer as lines of server-sent events."""
    deltas: list[Json] = [{"role": "assistant", "content": None}]
    deltas += [{key: value} for key, value in said.fields.items()]
    deltas += [{"content": piece} for piece in pieces(said.text, said.piece)]
    for number, call in enumerate(said.calls):
        index = 0 if said.same_index else number
        deltas.append({"tool_calls": [{"index": index, **call_json(call, "")}]})
        deltas += [
            {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}
            for piece in pieces(call.arguments, said.piece)
        ]
    chunks = [chunk(delta) for delta in deltas]
    last, counts = chunk({}, stop_of(said)), usage(said, counted)
    if counts and said.usage_apart:
        chunks += [last, {**chunk({}), "choices": [], "usage": counts}]
    else:
        chunks.append({**last, "usage": counts} if counts else last)
    return [f"data: {json.dumps(c)}\n\n" for c in chunks] + ["data: [DONE]\n\n"]


def chunk(delta: Json, finish: str | None = None) -> Json:
    """One chunk of a stream."""
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {**HEAD, "object": "chat.completion.chunk", "choices": [choice]}
