"""Recorded conversations: what our adapter sends back of a recorded turn loses nothing of it.

The assistant's turn is compared with the response it came in, and with what the recorded project
itself sent in its next request, as far as that went.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from recordings import FOLDER, RECORDINGS, received

from lab.messages import Conversation, Question, Reply, ToolResult
from lab.models.endpoints import Endpoint
from lab.models.hosted import WIRES, HostedModel

if TYPE_CHECKING:
    from tests.conftest import Loopback


@dataclass(frozen=True, slots=True)
class Pair:
    """A recorded exchange, and the request that followed it."""

    first: dict[str, Any]
    added: list[dict[str, Any]]
    """Messages of the next request that the one before did not have."""


def pairs() -> Iterator[tuple[str, Pair]]:
    """Exchanges of one sequence that follow each other, where the second goes on with the first."""
    sequences: dict[str, list[dict[str, Any]]] = {}
    for recording in RECORDINGS.values():
        if recording["sequence"]:
            sequences.setdefault(recording["sequence"].split()[0], []).append(recording)
    for name, steps in sequences.items():
        steps.sort(key=lambda recording: str(recording["sequence"]))
        for number, (first, second) in enumerate(pairwise(steps), 1):
            before, after = first["request"]["messages"], second["request"]["messages"]
            goes_on = len(after) > len(before) and first["expected"]["error"] is None
            if goes_on:
                yield f"{name} {number}", Pair(first, after[len(before) :])


PAIRS = dict(pairs())
if not PAIRS:
    pytest.skip(f"no recordings in {FOLDER}; LAB_WIRE_DIR names them", allow_module_level=True)


@pytest.fixture(params=PAIRS)
def pair(request: pytest.FixtureRequest) -> Pair:
    return PAIRS[request.param]


@pytest.fixture
def reply(pair: Pair, loopback: Loopback, talk: Callable[..., Conversation], watch: Any) -> Reply:
    """The first response of a pair, read by our adapter."""
    response = pair.first["response"]
    loopback.raw(received(pair.first), response["status"], **response["headers"])
    endpoint = endpoint_of(pair, loopback.url)
    return HostedModel(endpoint, "recorded").reply(talk(), watch)[0]


def endpoint_of(pair: Pair, address: str = "") -> Endpoint:
    streamed = "sse" in pair.first["response"]
    return Endpoint("recorded", pair.first["wire"], address, stream=streamed, free=True)


def sent_back(pair: Pair, reply: Reply, talk: Callable[..., Conversation]) -> list[dict[str, Any]]:
    """Our messages from the assistant's turn on, with the results that the project gave."""
    told = results(pair.added, reply)
    conversation = talk(Question("Why?"), reply, *told)
    body = WIRES[pair.first["wire"]].request_body(conversation, "m", endpoint_of(pair))
    start = next(n for n, m in enumerate(body["messages"]) if m["role"] == "assistant")
    return list(body["messages"][start:])


def results(added: list[dict[str, Any]], reply: Reply) -> list[ToolResult]:
    """The recorded results of a reply's calls."""
    contents = {}
    for message in added:
        if message["role"] == "tool":
            contents[message["tool_call_id"]] = text_of(message["content"]), False
        content = message.get("content")
        for block in content if isinstance(content, list) else ():
            if block["type"] == "tool_result":
                contents[block["tool_use_id"]] = text_of(block["content"]), block.get("is_error")
    return [ToolResult(c.id, contents[c.id][0], bool(contents[c.id][1])) for c in reply.calls]


def text_of(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def test_the_turn_goes_back_with_every_field_of_the_response_in_its_order(
    pair: Pair, reply: Reply, talk: Callable[..., Conversation]
) -> None:
    ours = sent_back(pair, reply, talk)[0]
    response = pair.first["response"]
    if "sse" in response:
        written = json.dumps(ours)
        for value in streamed_values(response["sse"]):
            assert json.dumps(value)[1:-1] in written
    elif pair.first["wire"] == "anthropic":
        assert ours == {"role": "assistant", "content": response["body"]["content"]}
    else:
        message = response["body"]["choices"][0]["message"]
        assert ours == {"content": None, **message}


def streamed_values(stream: str) -> Iterator[str]:
    """Every text that a stream brings in pieces, joined, and ids and names as they stand."""
    pieces: dict[tuple[Any, str], str] = {}
    for line in stream.splitlines():
        data = line.removeprefix("data:").strip()
        if not line.startswith("data:") or data == "[DONE]":
            continue
        event = json.loads(data)
        for part in [event, *event.get("choices", ())]:
            delta = part.get("delta") or part.get("content_block") or {}
            calls = [{**c, **c["function"]} for c in delta.get("tool_calls") or ()]
            for inner in [delta, *calls]:
                place = inner.get("index", part.get("index"))
                for field in ("text", "thinking", "signature", "content", "data", "id", "name"):
                    if isinstance(value := inner.get(field), str):
                        pieces[place, field] = pieces.get((place, field), "") + value
    yield from filter(None, pieces.values())


def test_all_results_of_a_turn_come_right_after_it_grouped_and_in_call_order(
    pair: Pair, reply: Reply, talk: Callable[..., Conversation]
) -> None:
    _, *after = sent_back(pair, reply, talk)
    ids = [call.id for call in reply.calls]
    if pair.first["wire"] == "openai":
        assert [message["tool_call_id"] for message in after] == ids
    elif ids:
        (message,) = after
        assert [block["tool_use_id"] for block in message["content"]] == ids
    else:
        assert after == []


def test_the_turn_agrees_with_what_the_project_sent_back(
    pair: Pair, reply: Reply, talk: Callable[..., Conversation]
) -> None:
    ours, theirs = sent_back(pair, reply, talk)[0], pair.added[0]
    assert ours["role"] == theirs["role"] == "assistant"
    if pair.first["wire"] == "anthropic":
        for block, recorded in zip(ours["content"], theirs["content"], strict=True):
            assert {key: block.get(key) for key in recorded} == recorded
        return
    for call, recorded in zip(ours["tool_calls"], theirs["tool_calls"], strict=True):
        assert (call["id"], call["type"]) == (recorded["id"], recorded["type"])
        assert call["function"]["name"] == recorded["function"]["name"]
        assert arguments(call) == arguments(recorded)
    if not (theirs.get("content") or "").startswith("<think>"):  # that project moved reasoning
        assert (ours["content"] or "") == (theirs.get("content") or "")
    assert ours.get("reasoning_content") == theirs.get("reasoning_content")


def arguments(call: dict[str, Any]) -> Any:
    """A call's arguments, read; that project put those of its calculator as bare text."""
    written = call["function"]["arguments"]
    try:
        read = json.loads(written)
    except ValueError:
        return written
    return read.get("__arg1", read)
