"""Ollama's own wire, /api/chat: pure functions for both directions, one call that does I/O.

Behind /v1 Ollama drops the front of a prompt that is longer than its context, and says nothing.
Here a context is asked for by its size, and a prompt that does not fit is refused. It has no SDK of
the two; what is sent goes out through that of the Chat Completions wire.

Source: Ollama's docs/openapi.yaml and docs/capabilities/tool-calling.mdx; `truncate` and `shift`
as its server reads them (ollama/ollama#17944).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from lab.messages import Conversation, Json, Reply, Stop, ToolCall, ToolResult, Usage
from lab.models import openai
from lab.models.capture import Capture
from lab.models.endpoints import Endpoint
from lab.models.json_lines import objects
from lab.models.openai import open_client
from lab.models.sdk import answered
from lab.models.turns import (
    call_ids,
    count,
    fault_of,
    prompt_count,
    read_call,
    text,
    turns,
    with_unique_ids,
)

__all__ = ["PATH", "assembly", "chunks", "names", "open_client", "read_reply", "request_body"]

PATH = "/api/chat"
"""Where a request goes, after the server's root."""

JOINED = ("content", "thinking")
"""Fields of a message that come in pieces."""


def request_body(conversation: Conversation, model: str, endpoint: Endpoint) -> Json:
    """The body of one request: same conversation, same body, byte for byte."""
    body: Json = {"model": model, "messages": list(messages(conversation))}
    if conversation.tools:
        body["tools"] = [openai.tool_json(tool, endpoint.schema) for tool in conversation.tools]
    if conversation.answer_schema and endpoint.json:
        body["format"] = conversation.answer_schema if endpoint.json == "schema" else "json"
    options = {"num_predict": endpoint.cap}
    if endpoint.context:
        options["num_ctx"] = endpoint.context
    # Neither may a prompt be cut, nor the front of it make room for a long answer.
    return body | {"options": options, "stream": endpoint.stream, "truncate": False, "shift": False}


def messages(conversation: Conversation) -> Iterator[Json]:
    """System message, then every turn; each tool result a message of its own, in call order."""
    yield {"role": "system", "content": conversation.system}
    called: dict[str, Json] = {}
    for turn in turns(conversation.messages):
        if isinstance(turn, Reply):
            message = assistant(turn)
            sent = message.get("tool_calls") or []
            called |= {call.id: item for call, item in zip(turn.calls, sent, strict=False)}
            yield message
            continue
        for told in turn:
            if isinstance(told, ToolResult):
                yield result(told, called.get(told.call_id) or {})
            else:
                yield {"role": "user", "content": told.text}


def assistant(reply: Reply) -> Json:
    """The model's turn as it came, with unique ids where it gave its calls any."""
    if reply.raw is None:
        message: Json = {"role": "assistant", "content": reply.text}
        received = [
            {"function": {"name": c.name, "arguments": c.arguments or {}}} for c in reply.calls
        ]
    else:
        message = dict(reply.raw)
        received = message.pop("tool_calls", None) or []
    calls = [
        {**item, "id": call.id} if item.get("id") else item
        for item, call in zip(received, reply.calls, strict=False)
    ]
    return {**message, "tool_calls": calls} if calls else message


def result(told: ToolResult, call: Json) -> Json:
    """A tool's result; it names the tool, and the call where that has an id."""
    name = text((call.get("function") or {}).get("name"))
    message: Json = {"role": "tool", "content": told.content, "tool_name": name}
    return {**message, "tool_call_id": call["id"]} if call.get("id") else message


def read_reply(body: Json, conversation: Conversation) -> Reply:
    """The message of a whole response body. KeyError or TypeError where it has none."""
    message: Json = body["message"]
    items = message.get("tool_calls") or []
    calls = with_unique_ids(map(read_item, items), call_ids(conversation.messages))
    thinking, said = openai.split_thinking(text(message.get("content")))
    why = text(body.get("done_reason"))
    reply = Reply(
        text=said,
        calls=calls,
        stop=stop_of(why, bool(calls)),
        raw=message,
        thinking=text(message.get("thinking")) or thinking,
        usage=Usage(prompt_count(body.get("prompt_eval_count")), count(body.get("eval_count"))),
        stop_raw=why,
    )
    return replace(reply, fault=fault_of(reply))


def read_item(item: Json) -> ToolCall:
    """One entry of `tool_calls`."""
    function = item["function"]
    return read_call(text(item.get("id")), text(function.get("name")), function.get("arguments"))


def stop_of(why: str, has_calls: bool) -> Stop:
    """Calls decide, except where the reply was cut."""
    if why == "length":
        return "cut"
    if has_calls:
        return "tools"
    return "answer" if why in ("stop", "") else "unknown"


class Assembly:
    """Collects the objects of one streamed answer."""

    def __init__(self) -> None:
        self._body: Json = {}
        self._message: Json = {}

    def add(self, chunk: Json) -> Iterator[str]:
        """Take an object in; yields the text and the reasoning in it, for display.

        KeyError for one that holds no message.
        """
        self._body |= chunk
        for key, value in chunk["message"].items():
            if key == "tool_calls":
                self._message[key] = [*self._message.get(key, []), *(value or [])]
            elif key in JOINED and isinstance(value, str):
                self._message[key] = self._message.get(key, "") + value
                yield value
            else:
                self._message[key] = value

    def body(self) -> Json:
        """The body an answer that was not streamed would have had."""
        return {**self._body, "message": self._message}


def assembly() -> Assembly:
    """What puts a streamed answer together."""
    return Assembly()


def chunks(body: Json, client: Any, capture: Capture) -> Iterator[Json]:
    """Send a request; yields the objects of a streamed answer, or the one body of another."""
    return answered(client, PATH, body, capture, partial(objects, ends=ends))


def ends(chunk: Json) -> bool:
    """True for the object that ends an answer."""
    return bool(chunk.get("done"))


def names(client: Any) -> Iterator[Any]:
    """The names of the models that the server has."""
    return (model["name"] for model in client.get("/api/tags", cast_to=object)["models"])
