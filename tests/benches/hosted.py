"""A three-step run (search, calculate, answer) against an instant server on this machine.

Beside it, in the same run, a bare loop over the same SDK that asks for the same and runs the same
tools, records nothing and captures nothing. Like with like: streamed and not, both wires. Prints a
table of ratios; judges nothing.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from indexer.index import Index
from lab.events import Asked, RunStarted
from lab.loop import advance
from lab.messages import Conversation, Question, ToolResult
from lab.models import anthropic, openai
from lab.models.endpoints import Endpoint
from lab.models.hosted import HostedModel
from lab.settings import Limits, Settings
from lab.store import Store
from lab.tools.site import site_tools
from lab.tools.toolbox import Toolbox
from tests.benches.loop import CORPUS, interleaved

CALLS = (
    ("search_site", {"query": "paged cache allocation"}),
    ("calculate", {"expression": "2 * 32 * 8 * 128 * 2"}),
)
QUESTION = "How much does one token take?"


def main() -> None:
    """Measure and print."""
    index, _ = Index.build(CORPUS)
    tools = site_tools(index)
    print("three steps against an instant server: search, calculate, answer; medians")
    print(f"{'':28}{'lab ms':>10}{'bare ms':>10}{'ratio':>8}   (bar: 1.3)")
    with served() as port, tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "runs.db")
        base = f"http://127.0.0.1:{port}"
        for wire, address in (("openai", f"{base}/v1"), ("anthropic", base)):
            for stream in (True, False):
                endpoint = Endpoint(wire, wire, address, free=True, stream=stream)  # type: ignore[arg-type]
                model = HostedModel(endpoint, "m", "key")
                with client(endpoint) as create:
                    ours, bare = interleaved(
                        partial(lab_run, store, model, tools),
                        partial(bare_run, create, endpoint, tools),
                    )
                name = f"{wire}, {'streamed' if stream else 'whole'}"
                print(f"  {name:26}{ours * 1e3:10.1f}{bare * 1e3:10.1f}{ours / bare:8.2f}")
        store.close()


def lab_run(store: Store, model: HostedModel, tools: Toolbox) -> None:
    """A whole run, every event durable, every request captured."""
    limits = Limits()
    settings = Settings("bench", "Answer.", tools.schemas(), limits)
    run = store.start(RunStarted(settings), others=[Asked(QUESTION)])
    for _ in advance(run, model, tools, limits):
        pass
    end = run.end()
    assert end is not None, "the run has no end"
    assert end.reason == "answered", end


def bare_run(create: Any, endpoint: Endpoint, tools: Toolbox) -> None:
    """The same requests through the same SDK, whose one client is made before and kept."""
    wire: Any = {"openai": openai, "anthropic": anthropic}[endpoint.wire]
    conversation = Conversation("Answer.", tools.schemas(), (Question(QUESTION),))
    while True:
        body = wire.request_body(conversation, "m", endpoint)
        reply = wire.read_reply(answered(create, body, wire), conversation)
        if not reply.calls:
            return
        results = tuple(ToolResult(c.id, tools.run(c).content) for c in reply.calls)
        conversation = replace(conversation, messages=(*conversation.messages, reply, *results))


@contextmanager
def client(endpoint: Endpoint) -> Iterator[Any]:
    """The SDK's own call, with the SDK's own client."""
    import anthropic as anthropic_sdk
    import openai as openai_sdk

    if endpoint.wire == "openai":
        with openai_sdk.OpenAI(api_key="key", base_url=endpoint.base_url) as sdk:
            yield sdk.chat.completions.create
    else:
        with anthropic_sdk.Anthropic(api_key="key", base_url=endpoint.base_url) as claude:
            yield claude.messages.create


def answered(create: Any, body: dict[str, Any], wire: Any) -> dict[str, Any]:
    """The body of the answer, put together as we do where it is streamed."""
    answer = create(**body)
    if not body.get("stream"):
        whole: dict[str, Any] = answer.to_dict()
        return whole
    assembly = wire.assembly()
    with answer as stream:
        for chunk in stream:
            for _ in assembly.add(chunk.to_dict()):
                pass
    put_together: dict[str, Any] = assembly.body()
    return put_together


@contextmanager
def served() -> Iterator[int]:
    """A server that answers at once, in a process of its own: it takes no turn of ours."""
    ours, its = Pipe()
    server = Process(target=serve, args=(its,), daemon=True)
    server.start()
    try:
        yield ours.recv()
    finally:
        server.terminate()
        server.join()


def serve(told: Connection) -> None:
    """Serve until terminated; says the port first."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Instant)
    told.send(server.server_address[1])
    server.serve_forever()


class Instant(BaseHTTPRequestHandler):
    """Plays a model that searches, calculates and answers."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # an answer in one piece, or the network waits for its other half

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        done = sum(message["role"] == "assistant" for message in body["messages"])
        call = CALLS[done] if done < len(CALLS) else None
        claude = self.path.endswith("/messages")
        stream = bool(body.get("stream"))
        whole = message_json(done, call) if claude else completion_json(done, call)
        text = json.dumps(whole)
        if stream:
            text = "".join(message_events(whole) if claude else completion_chunks(whole))
        data = text.encode()
        self.send_response(200)
        self.send_header("content-type", "text/event-stream" if stream else "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


Call = tuple[str, dict[str, str]] | None


def completion_json(step: int, call: Call) -> dict[str, Any]:
    """A whole Chat Completions answer."""
    message: dict[str, Any] = {"role": "assistant", "content": None if call else "131,072 bytes."}
    if call:
        function = {"name": call[0], "arguments": json.dumps(call[1])}
        message["tool_calls"] = [{"id": f"c{step}", "type": "function", "function": function}]
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if call else "stop"}
    usage = {"prompt_tokens": 900 + 300 * step, "completion_tokens": 20, "total_tokens": 920}
    frame = {"id": "x", "object": "chat.completion", "created": 1, "model": "m"}
    return {**frame, "choices": [choice], "usage": usage}


def completion_chunks(whole: dict[str, Any]) -> Iterator[str]:
    """The same in chunks."""
    choice = whole["choices"][0]
    delta = dict(choice["message"])
    if calls := delta.get("tool_calls"):
        delta["tool_calls"] = [{**call, "index": place} for place, call in enumerate(calls)]
    frame = {**whole, "object": "chat.completion.chunk", "usage": None}
    for part in ({"delta": delta}, {"delta": {}, "finish_reason": choice["finish_reason"]}):
        yield f"data: {json.dumps({**frame, 'choices': [{'index': 0, **part}]})}\n\n"
    yield f"data: {json.dumps({**frame, 'choices': [], 'usage': whole['usage']})}\n\n"
    yield "data: [DONE]\n\n"


def message_json(step: int, call: Call) -> dict[str, Any]:
    """A whole Messages answer."""
    block: dict[str, Any] = {"type": "text", "text": "131,072 bytes."}
    if call:
        block = {"type": "tool_use", "id": f"c{step}", "name": call[0], "input": call[1]}
    frame = {"id": "x", "type": "message", "role": "assistant", "model": "m"}
    usage = {"input_tokens": 900 + 300 * step, "output_tokens": 20}
    stop = "tool_use" if call else "end_turn"
    return {**frame, "content": [block], "stop_reason": stop, "stop_sequence": None, "usage": usage}


def message_events(whole: dict[str, Any]) -> Iterator[str]:
    """The same in events."""
    block = whole["content"][0]
    start, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": block.get("text")}
    if block["type"] == "tool_use":
        start = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": start},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": whole["stop_reason"], "stop_sequence": None},
            "usage": whole["usage"],
        },
        {"type": "message_stop"},
    ]
    for event in events:
        yield f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"


if __name__ == "__main__":
    main()
