"""Answers of models in the form of each wire, whole or as the stream they would have been."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from lab.models.endpoints import Endpoint, endpoints

CANARY = "sk-canary-4f1c8e7720b95d"
"""A key that must be found in nothing but one header."""


ENDPOINTS = {
    "openai": ("openai", "/v1"),
    "anthropic": ("anthropic", ""),
    "ollama": ("ollama-native", ""),
}
"""An endpoint of each wire, and where its API stands under the server's address."""


def endpoint_of(wire: str, url: str) -> Endpoint:
    """An endpoint of that wire, served at `url`."""
    name, base = ENDPOINTS[wire]
    return replace(endpoints()[name], base_url=url + base)


def answer(wire: str, text: str, calls: Any = (), n: int = 0) -> Any:
    """The `n`th answer of a run: a text, and calls by name and arguments."""
    if wire == "anthropic":
        blocks: list[Any] = [
            {"type": "thinking", "thinking": "", "signature": f"sig{n}"},
            {"type": "text", "text": text},
        ]
        blocks += [
            {"type": "tool_use", "id": f"toolu_{n}{i}", "name": name, "input": arguments}
            for i, (name, arguments) in enumerate(calls)
        ]
        return {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "claude-haiku-4-5",
            "content": blocks,
            "stop_reason": "tool_use" if calls else "end_turn",
            "usage": {"input_tokens": 1000 + 200 * n, "output_tokens": 10},
        }
    if wire == "ollama":
        said = {"role": "assistant", "content": text, "thinking": "hm"}
        called = [{"function": {"name": name, "arguments": given}} for name, given in calls]
        return {
            "model": "llama3.1:8b",
            "created_at": "2026-11-30T10:00:00.0Z",
            "message": {**said, "tool_calls": called} if called else said,
            "done": True,
            "done_reason": "stop",
            "prompt_eval_count": 1000 + 200 * n,
            "eval_count": 10,
        }
    items = [
        {
            "id": f"call_{n}{i}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)},
        }
        for i, (name, arguments) in enumerate(calls)
    ]
    said = {"role": "assistant", "content": text, "reasoning_content": "hm"}
    message = {**said, "tool_calls": items} if items else said
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": "gpt-5",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1000 + 200 * n, "completion_tokens": 10},
    }


def names_of(wire: str, *names: Any) -> Any:
    """The list of an endpoint's models."""
    if wire == "ollama":
        return {"models": [{"name": name} for name in names]}
    return {"data": [{"id": name} for name in names], "has_more": False}


def as_stream(body: Any, pieces: int = 4) -> list[bytes]:
    """The events or lines of an answer, one a piece; texts are cut to `pieces` characters."""
    if "message" in body:
        return [f"{json.dumps(each)}\n".encode() for each in chat_lines(body, pieces)]
    if "choices" in body:
        chunks = [sse(chunk) for chunk in chat_chunks(body, pieces)]
        return [*chunks, b"data: [DONE]\n\n"]
    return [sse(event, event["type"]) for event in message_events(body, pieces)]


def sse(data: Any, event: str = "") -> bytes:
    """One server-sent event."""
    named = f"event: {event}\n" if event else ""
    return f"{named}data: {json.dumps(data)}\n\n".encode()


def chat_chunks(body: Any, pieces: int = 4) -> Iterator[Any]:
    """Chunks of Chat Completions: role, reasoning, text, calls, finish reason, usage."""
    rest = {key: value for key, value in body.items() if key not in ("choices", "usage")}
    head = {**rest, "object": "chat.completion.chunk"}
    (choice,) = body["choices"]
    others = {key: value for key, value in choice.items() if key not in ("message", "index")}
    for delta in deltas(choice["message"], pieces):
        yield {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield {**head, "choices": [{"index": 0, "delta": {}, **others}]}
    if body.get("usage"):
        yield {**head, "choices": [], "usage": body["usage"]}


def deltas(message: Any, pieces: int) -> Iterator[Any]:
    """What of a message comes in which order."""
    yield {"role": "assistant", "content": message.get("content") and ""}
    for key, value in message.items():
        if key == "tool_calls":
            for index, call in enumerate(value or []):
                function = call["function"]
                opened = {**function, "arguments": ""}
                yield {"tool_calls": [{**call, "index": index, "function": opened}]}
                for piece in cut(function["arguments"], pieces):
                    yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}
        elif isinstance(value, str) and key != "role":
            yield from ({key: piece} for piece in cut(value, pieces))
        elif value is not None and key != "role":
            yield {key: value}


def chat_lines(body: Any, pieces: int = 4) -> Iterator[Any]:
    """Objects of Ollama's chat: reasoning, text, calls, and last what was counted."""
    head = {"model": body["model"], "created_at": body["created_at"], "done": False}
    for key in ("thinking", "content"):
        for piece in cut(body["message"].get(key) or "", pieces):
            yield {**head, "message": {"role": "assistant", "content": "", key: piece}}
    for call in body["message"].get("tool_calls") or []:
        yield {**head, "message": {"role": "assistant", "content": "", "tool_calls": [call]}}
    yield {**body, "message": {"role": "assistant", "content": ""}}


def message_events(body: Any, pieces: int = 4) -> Iterator[Any]:
    """Events of Messages: start, each block with its deltas, stop reason with usage."""
    usage = body.get("usage") or {}
    start = {**body, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    yield {"type": "message_start", "message": start}
    for index, block in enumerate(body["content"]):
        emptied, parts = opened(block, pieces)
        yield {"type": "content_block_start", "index": index, "content_block": emptied}
        yield from ({"type": "content_block_delta", "index": index, "delta": d} for d in parts)
        yield {"type": "content_block_stop", "index": index}
    ended = {key: body[key] for key in ("stop_reason", "stop_details") if key in body}
    spent = {"output_tokens": usage.get("output_tokens")}
    yield {"type": "message_delta", "delta": ended, "usage": spent}
    yield {"type": "message_stop"}


def opened(block: Any, pieces: int) -> tuple[Any, list[Any]]:
    """A block as it starts, and the deltas that fill it."""
    match block["type"]:
        case "text":
            texts = [{"type": "text_delta", "text": p} for p in cut(block["text"], pieces)]
            return {**block, "text": ""}, texts
        case "tool_use":
            written = json.dumps(block["input"])
            given = [{"type": "input_json_delta", "partial_json": p} for p in cut(written, pieces)]
            return {**block, "input": {}}, given
        case "thinking":
            thought = cut(block["thinking"], pieces)
            signed = {"type": "signature_delta", "signature": block["signature"]}
            parts = [{"type": "thinking_delta", "thinking": p} for p in thought]
            return {**block, "thinking": "", "signature": ""}, [*parts, signed]
    return block, []


def cut(text: str, size: int) -> list[str]:
    """A text in pieces of a size."""
    return [text[at : at + size] for at in range(0, len(text), size)]
