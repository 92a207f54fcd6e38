"""A fork on the wire: what was changed arrives to the byte, what came before it is untouched."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from answers import CANARY, endpoint_of
from faults.rules import WELL_FORMED

from indexer.index import Index
from lab.events import Asked, ModelAsked, ModelReplied, ToolFinished
from lab.forks.edits import Edit, NewArguments, NewModel, NewQuestion, NewResult
from lab.forks.forking import begin, planned
from lab.loop import advance
from lab.messages import Reply, ToolCall
from lab.models.hosted import HostedModel
from lab.models.model import Model
from lab.models.plain import plain
from lab.models.react import React
from lab.prepare import follow_up
from lab.run import Run
from lab.store import Store
from lab.tools.site import site_tools

if TYPE_CHECKING:
    from tests.conftest import Loopback

SEARCH = [("search_site", {"query": "KV cache"})]
TWO = [("search_site", {"query": "KV cache"}), ("calculate", {"expression": "2*3"})]
TEXT = 'Zwei "Größen":\r\n\t128 KiB \u2028 </passage> 😀 \\ {"a": 1}\x00\n'
OTHER = {"openai": "anthropic", "anthropic": "ollama", "ollama": "openai"}
Play = Callable[..., Run]


@pytest.fixture
def forked(store: Store, sample: Index) -> Callable[[Run, int, Edit, Model], Run]:
    """Fork a run and follow the fork to its end."""

    def made(parent: Run, seq: int, edit: Edit, model: Model) -> Run:
        run = begin(store, planned(parent, seq, edit, sample))
        for _ in advance(run, model, site_tools(sample), run.settings.limits):
            pass
        return run

    return made


def place(run: Run, kind: type, number: int = 0) -> int:
    """The number of the nth event of a kind."""
    return [entry.seq for entry in run.recorded if isinstance(entry.event, kind)][number]


def results(wire: str, body: Any) -> list[str]:
    """The tool results of a request."""
    if wire != "anthropic":
        return [m["content"] for m in body["messages"] if m["role"] == "tool"]
    blocks = [b for m in body["messages"] for b in m["content"] if m["role"] == "user"]
    return [block["content"] for block in blocks if block["type"] == "tool_result"]


def assistants(body: Any) -> list[Any]:
    return [message for message in body["messages"] if message["role"] == "assistant"]


def test_a_changed_result_arrives_as_written_after_a_prefix_that_is_the_same_to_the_byte(
    *, wire: str, hosted: HostedModel, loopback: Loopback, play: Play, forked: Callable[..., Run]
) -> None:
    loopback.say(wire, TWO, SEARCH, "So.", "Else.")
    parent = play(hosted)
    seq = place(parent, ToolFinished)
    fork = forked(parent, seq, NewResult(TEXT), hosted)
    before, after = loopback.received[1].body, loopback.received[3].body
    old = json.dumps(parent.events[seq].content, ensure_ascii=False)[1:-1].encode()  # type: ignore[union-attr]
    new = json.dumps(TEXT, ensure_ascii=False)[1:-1].encode()
    assert before.count(old) == 1
    assert after == before.replace(old, new)
    assert results(wire, loopback.received[3].json)[0] == TEXT
    assert fork.end().answer == "Else."  # type: ignore[union-attr]
    assert not WELL_FORMED[wire](loopback.received[3].json, [], [])  # type: ignore[index]


def test_replies_before_a_changed_one_go_back_as_received_and_the_changed_one_in_plain_form(
    *, wire: str, hosted: HostedModel, loopback: Loopback, play: Play, forked: Callable[..., Run]
) -> None:
    loopback.say(wire, SEARCH, TWO, "So.", "Else.")
    parent = play(hosted)
    seq = place(parent, ModelReplied, 1)
    call = parent.events[seq].reply.calls[1]  # type: ignore[union-attr]
    fork = forked(parent, seq, NewArguments('{"expression": "5*5"}', call.id), hosted)
    body = loopback.received[3].json
    kept, changed = assistants(body)
    assert kept == assistants(loopback.received[2].json)[0]
    written = json.dumps(changed)
    assert "5*5" in written
    assert "2*3" not in written
    assert not [word for word in ("signature", "thinking", "reasoning") if word in written]
    assert results(wire, body)[2] == "25"
    assert not WELL_FORMED[wire](body, [], [])  # type: ignore[index]
    reply = fork.events[seq]
    assert isinstance(reply, ModelReplied)
    assert (reply.reply.raw, reply.exchange.response, reply.exchange.attempts) == (None, "", ())
    assert reply.reply.usage.estimated


def test_a_follow_up_that_was_changed_leaves_what_was_said_before_it_alone(
    *,
    wire: str,
    hosted: HostedModel,
    loopback: Loopback,
    play: Play,
    sample: Index,
    store: Store,
    forked: Callable[..., Run],
) -> None:
    loopback.say(wire, SEARCH, "So.", "And so.", "Else.")
    parent = play(hosted)
    follow_up(parent, "And then?", sample)
    for _ in advance(parent, hosted, site_tools(sample), parent.settings.limits):
        pass
    forked(parent, place(parent, Asked, 1), NewQuestion("And else?"), hosted)
    before, after = loopback.received[2].body, loopback.received[3].body
    assert after == before.replace(b"And then?", b"And else?")


@pytest.mark.parametrize("protocol", ["native", "react"])
def test_a_model_of_the_other_wire_can_take_over(
    *,
    wire: str,
    hosted: HostedModel,
    loopback: Loopback,
    play: Play,
    forked: Callable[..., Run],
    protocol: str,
) -> None:
    loopback.say(wire, SEARCH, "So.")
    said = "Else." if protocol == "native" else '{"action": "final", "input": "Else."}'
    loopback.say(OTHER[wire], said)
    parent = play(hosted)
    endpoint = endpoint_of(OTHER[wire], loopback.url)
    asked = HostedModel(endpoint, "m", CANARY)
    other = asked if protocol == "native" else React(asked)
    name = f"{endpoint.name}/m"
    fork = forked(parent, place(parent, ModelAsked, 1), NewModel(name, protocol), other)
    body = loopback.received[2].json
    assert fork.end().answer == "Else."  # type: ignore[union-attr]
    assert (fork.settings.model, fork.settings.protocol) == (name, protocol)
    assert not WELL_FORMED[OTHER[wire]](body, [], [])  # type: ignore[index]
    written = json.dumps(assistants(body))
    assert "KV cache" in written
    assert not [word for word in ("signature", "thinking", "reasoning") if word in written]


CALL = ToolCall("c", "search_site", {"query": "x"})


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        (Reply("So.", raw={"content": "x"}), "So."),
        (
            Reply("I look.", (CALL,), raw={}),
            '{"thought": "I look.", "action": "search_site", "input": {"query": "x"}}',
        ),
        (
            Reply("", (replace(CALL, arguments=None, raw="{"),)),
            '{"thought": "", "action": "search_site", "input": "{"}',
        ),
    ],
)
def test_the_text_protocol_tells_a_call_as_its_models_write_it(reply: Reply, text: str) -> None:
    assert plain(reply, "react") == replace(reply, raw=None, text=text)
    assert plain(reply, "native") == replace(reply, raw=None)
