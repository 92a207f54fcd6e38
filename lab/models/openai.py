"""The OpenAI Chat Completions wire: pure functions for both directions, one call that does I/O.

Most providers and local servers speak it; where they differ is said by their endpoint's entry.
The SDK is loaded only when the call is made.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from lab.messages import (
    Conversation,
    Json,
    Reply,
    Stop,
    ToolCall,
    ToolResult,
    ToolSchema,
    Usage,
)
from lab.models import schemas
from lab.models.capture import Capture
from lab.models.endpoints import Endpoint
from lab.models.lines import Hooks, Opened
from lab.models.openai_stream import Assembly
from lab.models.sdk import answered, http_options, model_names
from lab.models.sse import events
from lab.models.turns import (
    call_ids,
    count,
    fault_of,
    fields_of,
    fitting_id,
    is_object,
    items_of,
    prompt_count,
    read_call,
    sent_name,
    text,
    turns,
    with_unique_ids,
)

PATH = "/chat/completions"
"""Where a request goes, after the endpoint's base address."""

NO_TEXT = "(no text)"

_THINK = re.compile(r"\A\s*(?:(?:<think>)?(.*?)</think>|<think>(.*))", re.DOTALL)


def request_body(conversation: Conversation, model: str, endpoint: Endpoint) -> Json:
    """The body of one request: same conversation, same body, byte for byte."""
    body: Json = {"model": model, "messages": list(messages(conversation, endpoint))}
    if conversation.tools:
        body["tools"] = [tool_json(tool, endpoint.schema) for tool in conversation.tools]
    if conversation.answer_schema and endpoint.json:
        body["response_format"] = response_format(conversation.answer_schema, endpoint.json)
    body[endpoint.cap_field] = endpoint.cap
    if endpoint.stream:
        body["stream"] = True
        if endpoint.stream_usage:
            body["stream_options"] = {"include_usage": True}
    return body


def messages(conversation: Conversation, endpoint: Endpoint) -> Iterator[Json]:
    """System message, then every turn; each tool result a message of its own, in call order."""
    yield {"role": "system", "content": conversation.system}
    for turn in turns(conversation.messages):
        if isinstance(turn, Reply):
            yield assistant(turn, endpoint)
            continue
        for told in turn:
            if isinstance(told, ToolResult):
                id = sent_id(told.call_id, endpoint)
                yield {"role": "tool", "tool_call_id": id, "content": told.content}
            else:
                yield {"role": "user", "content": told.text}


def assistant(reply: Reply, endpoint: Endpoint) -> Json:
    """The model's turn as it came, with the ids its results carry."""
    if reply.raw is None:
        message: Json = {"role": "assistant", "content": reply.text or None}
        received = [call_json(call) for call in reply.calls]
    else:
        message = {**reply.raw, "role": "assistant"}
        received = items_of(message.pop("tool_calls", None) or [])
    calls = [
        {**with_sound_function(item, call), "id": sent_id(call.id, endpoint)}
        for item, call in zip(received, reply.calls, strict=False)
    ]
    if calls:
        message["tool_calls"] = calls
    content = message.get("content")
    if content is None or (content == "" and not endpoint.empty_content):
        message["content"] = no_content(bool(calls), endpoint)
    return message


def with_sound_function(item: Json, call: ToolCall) -> Json:
    """A call as it came, with a name and arguments that every endpoint can read.

    Some read them again with each request, and refuse all of it where they cannot.
    """
    if (function := item.get("function")) is None:
        return item
    given = function.get("arguments")
    if not (isinstance(given, str) and is_object(given)):
        said = {"received": call.raw} if call.arguments is None else call.arguments
        given = json.dumps(said)
    return {**item, "function": {**function, "name": sent_name(call.name), "arguments": given}}


def no_content(calls: bool, endpoint: Endpoint) -> str | None:
    """What stands for a text where the model wrote none; null is right beside calls only."""
    if calls and endpoint.null_content:
        return None
    return "" if endpoint.empty_content else NO_TEXT


def sent_id(id: str, endpoint: Endpoint) -> str:
    """An id as the endpoint takes it."""
    return fitting_id(id, "[A-Za-z0-9]{9}", 9) if endpoint.short_ids else id


def response_format(schema: Json, kind: str) -> Json:
    """What keeps a reply's text to JSON."""
    if kind == "object":
        return {"type": "json_object"}
    return {
        "type": "json_schema",
        "json_schema": {"name": "reply", "strict": True, "schema": schema},
    }


def call_json(call: ToolCall) -> Json:
    """A call as this format writes it, for turns that came over no wire; its arguments are added.

    See `with_sound_function`.
    """
    function = {"name": call.name, "arguments": None}
    return {"id": call.id, "type": "function", "function": function}


def tool_json(tool: ToolSchema, dialect: str = "plain") -> Json:
    """A tool as this format describes it, in a dialect of JSON Schema."""
    function: Json = {"name": tool.name, "description": tool.description}
    match dialect:
        case "strict":
            function |= {"parameters": schemas.strict(tool.parameters), "strict": True}
        case "gemini":
            refused = schemas.GEMINI_REFUSES
            function["parameters"] = schemas.without(tool.parameters, refused)
        case _:
            function["parameters"] = tool.parameters
    return {"type": "function", "function": function}


def read_reply(body: Json, conversation: Conversation) -> Reply:
    """The first choice of a whole response body. KeyError or TypeError where it has none."""
    choice = body["choices"][0]
    message: Json = choice.get("message") or {"role": "assistant", "content": None}
    calls = with_unique_ids(
        map(read_item, items_of(message.get("tool_calls") or [])),
        call_ids(conversation.messages),
    )
    refusal = text(message.get("refusal"))
    content = message.get("content")
    thinking, said = split_thinking(text_of(content))
    finish = text(choice.get("finish_reason"))
    native = text(choice.get("native_finish_reason"))
    reply = Reply(
        text=said,
        calls=calls,
        stop=stop_of(finish, native, bool(calls), refusal),
        raw=message,
        thinking=text(message.get("reasoning_content"))
        or text(message.get("reasoning"))
        or thinking_of(content)
        or thinking,
        usage=read_usage(body.get("usage")),
        stop_raw=finish,
        detail=refusal,
    )
    return replace(reply, fault=fault_of(reply))


def read_item(item: Json) -> ToolCall:
    """One entry of `tool_calls`; of a kind that is not ours, a call that cannot run."""
    id, function = text(item.get("id")), item.get("function")
    if function is None:
        kind = text(item.get("type")) or "unknown"
        other = item.get(kind) or {}
        fault = f"A call of the kind {kind} cannot be run, only functions can."
        return ToolCall(id, text(other.get("name")), None, text(other.get("input")), fault)
    return read_call(id, text(function.get("name")), function.get("arguments"))


def stop_of(finish: str, native: str, has_calls: bool, refusal: str) -> Stop:
    """The finish reason is a hint: calls decide, except where the reply was cut or refused."""
    if refusal or finish == "content_filter":
        return "refused"
    if "length" in (finish, native):
        return "cut"
    if has_calls or finish in ("tool_calls", "function_call"):
        return "tools"
    return "answer" if finish in ("stop", "eos", "") else "unknown"


def text_of(content: object) -> str:
    """Visible text of a message's content: a text, a list of parts, or nothing."""
    if isinstance(content, list):
        parts = (part for part in content if isinstance(part, dict))
        return "".join(part.get("text") or "" for part in parts if part.get("type") == "text")
    return content if isinstance(content, str) else ""


def thinking_of(content: object) -> str:
    """Reasoning that stands in a part of its own, as Mistral sends it."""
    if not isinstance(content, list):
        return ""
    parts = (part for part in content if isinstance(part, dict))
    return "".join(text_of(part.get("thinking")) for part in parts)


def split_thinking(text: str) -> tuple[str, str]:
    """Reasoning printed before `</think>`, and the rest; either tag may be missing."""
    match = _THINK.match(text)
    if match is None:
        return "", text
    return (match[1] or match[2] or "").strip(), text[match.end() :].lstrip()


def read_usage(usage: Json | None) -> Usage:
    """Counts as sent: `prompt_tokens` already includes what was read from a cache."""
    usage = fields_of(usage)
    details = fields_of(usage.get("prompt_tokens_details"))
    return Usage(
        tokens_in=prompt_count(usage.get("prompt_tokens")),
        tokens_out=count(usage.get("completion_tokens")),
        cache_read=count(details.get("cached_tokens")),
        cache_write=count(details.get("cache_write_tokens")),
    )


def assembly() -> Assembly:
    """What puts a streamed answer together."""
    return Assembly()


def open_client(endpoint: Endpoint, key: str, hooks: Hooks) -> Opened:
    """The SDK's client, and what closes its connections."""
    import openai  # noqa: PLC0415  loaded only where its wire is used

    http = openai.DefaultHttpxClient(**http_options(endpoint.base_url, hooks, endpoint.stream))
    client = openai.OpenAI(
        api_key=key or "none", base_url=endpoint.base_url, max_retries=0, http_client=http
    )
    return client, http.close


def chunks(body: Json, client: Any, capture: Capture) -> Iterator[Json]:
    """Send a request; yields the chunks of a streamed answer, or the one body of another."""
    return answered(client, PATH, body, capture, partial(events, ends=ends))


names = model_names


def ends(chunk: Json) -> bool:
    """True for a chunk that says why the model stopped."""
    return any(choice.get("finish_reason") for choice in chunk.get("choices") or [])
