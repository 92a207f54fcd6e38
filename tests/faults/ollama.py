"""A played turn as Ollama's chat writes it: one body, or the lines of a stream."""

from __future__ import annotations

import json

from faults.said import Call, Json, Said, pieces

PATH = "/api/chat"

STOPS = {"done": "stop", "calls": "stop", "cut": "length"}

HEAD: Json = {"model": "played", "created_at": "2026-11-30T10:00:00Z"}


def end(said: Said, counted: int) -> Json:
    """How the turn ended, and what was counted."""
    stop = said.stop or ("calls" if said.calls else "done")
    ended: Json = {
        "done": True,
        "done_reason": STOPS.get(stop, stop),
        "eval_count": said.tokens_out,
    }
    if said.tokens_in is None:
        return ended
    return {**ended, "prompt_eval_count": said.tokens_in or counted}


def call_json(call: Call) -> Json:
    """A call; older servers give it no id."""
    function = {"name": call.name, "arguments": json.loads(call.arguments)}
    return {"id": call.id, "function": function} if call.id else {"function": function}


def body(said: Said, counted: int) -> Json:
    """The whole answer."""
    message: Json = {"role": "assistant", "content": said.text}
    if said.calls:
        message["tool_calls"] = [call_json(call) for call in said.calls]
    return {**HEAD, "message": message, **end(said, counted)}


def stream(said: Said, counted: int) -> list[str]:
    """The same answer as lines of JSON."""
    parts: list[Json] = [{"content": piece} for piece in pieces(said.text, said.piece)]
    parts += [{"content": "", "tool_calls": [call_json(call)]} for call in said.calls]
    lines = [{**HEAD, "message": {"role": "assistant", **part}, "done": False} for part in parts]
    last = {**HEAD, "message": {"role": "assistant", "content": ""}, **end(said, counted)}
    return [f"{json.dumps(line)}\n" for line in (*lines, last)]
