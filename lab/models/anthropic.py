"""The Anthropic Messages wire: pure functions for both directions, one call that does I/O.

The SDK is loaded only when the call is made.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from lab.messages import Conversation, Json, Reply, Stop, ToolCall, ToolResult, ToolSchema, Usage
from lab.models.anthropic_stream import Assembly
from lab.models.capture import Capture
from lab.models.endpoints import Endpoint
from lab.models.lines import Hooks, Opened
from lab.models.sdk import answered, http_options, model_names
from lab.models.sse import events
from lab.models.turns import (
    Turn,
    call_ids,
    count,
    fault_of,
    fields_of,
    fitting_id,
    items_of,
    prompt_count,
    read_call,
    sent_name,
    text,
    turns,
    with_unique_ids,
)

PATH = "/v1/messages"
"""Where a request goes, after the endpoint's base address."""

STOPS: dict[str, Stop] = {
    "end_turn": "answer",
    "stop_sequence": "answer",
    "tool_use": "tools",
    "max_tokens": "cut",
    "model_context_window_exceeded": "cut",
    "refusal": "refused",
    "pause_turn": "paused",
}


def request_body(conversation: Conversation, model: str, endpoint: Endpoint) -> Json:
    """The body of one request: same conversation, same body, byte for byte."""
    body: Json = {"model": model, "max_tokens": endpoint.cap, "system": conversation.system}
    if conversation.tools:
        strict = endpoint.schema == "strict"
        body["tools"] = [tool_json(tool, strict) for tool in conversation.tools]
    if conversation.answer_schema and endpoint.json == "schema":
        form = {"type": "json_schema", "schema": conversation.answer_schema}
        body["output_config"] = {"format": form}
    if model.startswith(endpoint.thinking):
        body["thinking"] = {"type": "adaptive", "display": "summarized"}
    if endpoint.cache:
        body["cache_control"] = {"type": "ephemeral"}
    if endpoint.stream:
        body["stream"] = True
    body["messages"] = [m for turn in turns(conversation.messages) if (m := message(turn))]
    return body


def message(turn: Turn) -> Json | None:
    """A turn as one message; None where nothing that may be sent is left of it."""
    if isinstance(turn, Reply):
        content = assistant_content(turn)
        return {"role": "assistant", "content": content} if content else None
    blocks = [
        result_json(told) if isinstance(told, ToolResult) else {"type": "text", "text": told.text}
        for told in turn
    ]
    return {"role": "user", "content": blocks}


def assistant_content(reply: Reply) -> list[Json]:
    """The blocks as they came, with the ids their results carry, without empty text.

    A call that was never taken up, as under the text protocol, has no result: it is left out.
    """
    if reply.raw is None:
        said = [{"type": "text", "text": reply.text}] if reply.text.strip() else []
        return said + [
            {
                "type": "tool_use",
                "id": sent_id(c.id),
                "name": sent_name(c.name),
                "input": c.arguments or {},
            }
            for c in reply.calls
        ]
    calls = iter(reply.calls)
    blocks = []
    for block in reply.raw["content"]:
        if block.get("type") == "tool_use":
            blocks += [with_sound_input(block, call) for call in islice(calls, 1)]
        elif block.get("type") != "text" or (block.get("text") or "").strip():
            blocks.append(block)
    return blocks


def with_sound_input(block: Json, call: ToolCall) -> Json:
    """A call as it may be sent back; an input that was cut off is no object."""
    given = block.get("input")
    sound = given if isinstance(given, dict) else {"received": given}
    return {**block, "id": sent_id(call.id), "name": sent_name(call.name), "input": sound}


def sent_id(id: str) -> str:
    """An id as this format takes it, also that of another."""
    return fitting_id(id, "[A-Za-z0-9_-]+")


def result_json(result: ToolResult) -> Json:
    """A tool result as a content block."""
    block: Json = {
        "type": "tool_result",
        "tool_use_id": sent_id(result.call_id),
        "content": result.content,
    }
    return {**block, "is_error": True} if result.failed else block


def tool_json(tool: ToolSchema, strict: bool = False) -> Json:
    """A tool as this format describes it."""
    described: Json = {
        "name": tool.name,
        "description": tool.description,
        "input_schema": tool.parameters,
    }
    return {**described, "strict": True} if strict else described


def read_reply(body: Json, conversation: Conversation) -> Reply:
    """The reply in a whole response body. KeyError or TypeError where it has no content."""
    blocks = items_of(body["content"])
    calls = with_unique_ids(
        (
            read_call(text(block.get("id")), text(block.get("name")), block.get("input"))
            for block in blocks
            if block.get("type") == "tool_use"
        ),
        call_ids(conversation.messages),
    )
    raw_stop = text(body.get("stop_reason"))
    reply = Reply(
        text="".join(text(b.get("text")) for b in blocks if b.get("type") == "text"),
        calls=calls,
        stop=stop_of(raw_stop, bool(calls)),
        raw={"role": "assistant", "content": blocks},
        thinking="\n".join(text(b["thinking"]) for b in blocks if b.get("thinking")),
        usage=read_usage(body.get("usage")),
        stop_raw=raw_stop,
        detail=refusal_text(body.get("stop_details")),
    )
    return replace(reply, fault=fault_of(reply))


def stop_of(raw: str, has_calls: bool) -> Stop:
    """The stop reason, where calls decide unless the reply was cut or refused."""
    stop = STOPS.get(raw, "unknown")
    return "tools" if has_calls and stop in ("answer", "unknown") else stop


def refusal_text(details: Json | None) -> str:
    """Category and explanation of a refusal, as far as they were sent."""
    parts = [text(fields_of(details).get(name)) for name in ("category", "explanation")]
    return ": ".join(part for part in parts if part)


def read_usage(usage: Json | None) -> Usage:
    """Counts as sent; input is uncached + written to the cache + read from it."""
    usage = fields_of(usage)
    uncached, out = count(usage.get("input_tokens")), count(usage.get("output_tokens"))
    if uncached is None:
        return Usage(tokens_out=out)
    read = count(usage.get("cache_read_input_tokens"))
    write = count(usage.get("cache_creation_input_tokens"))
    return Usage(
        tokens_in=prompt_count(uncached + (read or 0) + (write or 0)),
        tokens_out=out,
        cache_read=read,
        cache_write=write,
    )


def assembly() -> Assembly:
    """What puts a streamed answer together."""
    return Assembly()


def open_client(endpoint: Endpoint, key: str, hooks: Hooks) -> Opened:
    """The SDK's client, and what closes its connections."""
    import anthropic  # noqa: PLC0415  loaded only where its wire is used

    http = anthropic.DefaultHttpxClient(**http_options(endpoint.base_url, hooks, endpoint.stream))
    client = anthropic.Anthropic(
        api_key=key or "none", base_url=endpoint.base_url, max_retries=0, http_client=http
    )
    return client, http.close


def chunks(body: Json, client: Any, capture: Capture) -> Iterator[Json]:
    """Send a request; yields the events of a streamed answer, or the one body of another."""
    return answered(client, PATH, body, capture, partial(events, ends=ends))


names = model_names


def ends(event: Json) -> bool:
    """True for an event that says why the model stopped, and for the very last one."""
    return bool((event.get("delta") or {}).get("stop_reason")) or event["type"] == "message_stop"
