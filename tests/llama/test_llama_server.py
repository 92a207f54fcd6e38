"""Both adapters and both protocols against a server that nobody here wrote.

Its model is far too small to be right. A run must be well-formed, every limit must hold, and a
failure must read as the model's.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from itertools import pairwise

import pytest

from lab.events import ModelAsked, ModelFailed, ModelReplied, ToolFinished
from lab.loop import advance
from lab.models.endpoints import Endpoint
from lab.models.hosted import HostedModel
from lab.models.model import Model
from lab.models.probe import Probe, ProbeWatch
from lab.models.react import React
from lab.run import Run
from lab.runner import Runner
from lab.settings import Limits
from lab.tools.toolbox import Toolbox

pytestmark = [pytest.mark.llama, pytest.mark.timeout(600)]

QUESTION = "How much KV cache does Llama 3.1 8B need per token?"
LIMITS = Limits(steps=3, seconds=300)
Started = Callable[..., Run]


def model(endpoint: Endpoint, protocol: str) -> Model:
    hosted = HostedModel(endpoint, "smollm2-135m")
    return React(hosted) if protocol == "react" else hosted


@pytest.mark.parametrize("protocol", ["native", "react"])
@pytest.mark.parametrize("wire", ["openai", "anthropic"])
def test_a_run_is_well_formed_and_keeps_its_limits(
    wire: str, protocol: str, wires: dict[str, Endpoint], tools: Toolbox, started: Started
) -> None:
    run = started(QUESTION, LIMITS)
    events = list(advance(run, model(wires[wire], protocol), tools, LIMITS))
    end = run.end()
    assert end
    assert end.reason in ("answered", "step limit", "format", "cut off"), end
    replies = [e for e in events if isinstance(e, ModelReplied)]
    assert 1 <= len(replies) <= LIMITS.steps
    assert all(e.reply.usage.tokens_in and not e.reply.usage.estimated for e in replies)
    assert all(e.exchange.first_token is not None for e in replies)
    asked = [json.loads(e.request.body) for e in events if isinstance(e, ModelAsked)]
    assert len(asked) == len(replies)
    assert all(len(a["messages"]) < len(b["messages"]) for a, b in pairwise(asked))
    results = [e.call_id for e in events if isinstance(e, ToolFinished)]
    assert results == [call.id for call in run.calls()]
    assert not [e for e in events if isinstance(e, ModelFailed)]


def test_output_kept_to_a_schema_is_always_a_step(
    wires: dict[str, Endpoint], tools: Toolbox, started: Started
) -> None:
    run = started(QUESTION, LIMITS)
    playing = model(wires["openai"], "react")
    replies = [e.reply for e in advance(run, playing, tools, LIMITS) if isinstance(e, ModelReplied)]
    assert replies
    assert [r.fault for r in replies if r.stop != "cut"] == [""] * sum(
        r.stop != "cut" for r in replies
    )


def test_stop_in_mid_stream_ends_within_a_second_and_keeps_the_history(
    wires: dict[str, Endpoint], tools: Toolbox, started: Started
) -> None:
    limits = Limits(steps=5)
    run = started("Count from one to a thousand, in words.", limits)
    endpoint = Endpoint("llamacpp", "openai", wires["openai"].base_url, free=True, cap=2000)
    runner = Runner(run, HostedModel(endpoint, "smollm2-135m"), tools, limits)
    until = time.monotonic() + 120
    while not run.streamed and time.monotonic() < until:
        threading.Event().wait(0.02)
    assert run.streamed
    pressed = time.monotonic()
    runner.stop()
    runner.join(10)
    assert time.monotonic() - pressed < 1.5
    assert runner.error is None
    end = run.end()
    assert end
    assert end.reason == "stopped"
    [failed] = [e for e in run.events if isinstance(e, ModelFailed)]
    assert "data:" in failed.exchange.response


def test_a_prompt_beyond_its_context_reads_as_the_servers_refusal(
    wires: dict[str, Endpoint], tools: Toolbox, started: Started
) -> None:
    run = started("word " * 12_000, LIMITS)
    list(advance(run, model(wires["openai"], "native"), tools, LIMITS))
    end = run.end()
    assert end
    assert end.reason == "failed"
    assert "context" in end.detail


def test_the_probe_finds_the_servers_context(wires: dict[str, Endpoint]) -> None:
    card = Probe("llamacpp/smollm2-135m", wires["openai"], "", ProbeWatch()).card(
        16_000, lambda doing: None
    )
    assert card.reachable
    assert card.token_counts
    assert card.json == "schema"
    assert card.context
    assert 6_000 < card.context <= 8192
    assert card.context_refused
    assert card.protocol in ("native", "react")
