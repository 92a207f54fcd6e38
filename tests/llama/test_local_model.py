"""The model in this very process: the extra `local`."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable

import pytest

from lab.events import ModelFailed, ModelReplied
from lab.loop import advance
from lab.models.catalog import open_model
from lab.run import Run
from lab.runner import Runner
from lab.settings import Limits
from lab.tools.toolbox import Toolbox

pytestmark = [pytest.mark.llama, pytest.mark.timeout(600)]

Started = Callable[..., Run]


def test_every_reply_is_a_step_because_the_grammar_allows_nothing_else(
    tools: Toolbox, started: Started
) -> None:
    limits = Limits(steps=2, seconds=300)
    run = started("How much KV cache does Llama 3.1 8B need per token?", limits)
    events = list(advance(run, open_model("local/smollm2-135m", {}), tools, limits))
    replies = [e for e in events if isinstance(e, ModelReplied)]
    assert replies
    for event in replies:
        assert event.exchange.cost.usd == 0
        assert event.exchange.first_token is not None
        assert event.reply.usage.tokens_in
        assert not event.reply.usage.estimated
        if event.reply.stop != "cut":
            assert event.reply.raw
            assert set(json.loads(event.reply.raw["content"])) == {"thought", "action", "input"}
            assert not event.reply.fault


def test_stop_ends_it_within_a_second(tools: Toolbox, started: Started) -> None:
    limits = Limits(steps=2)
    run = started("Tell me everything.", limits)
    runner = Runner(run, open_model("local/smollm2-135m", {}), tools, limits)
    until = time.monotonic() + 120
    while not run.streamed and time.monotonic() < until:
        threading.Event().wait(0.02)
    pressed = time.monotonic()
    runner.stop()
    runner.join(10)
    assert time.monotonic() - pressed < 1.5
    end = run.end()
    assert end
    assert end.reason == "stopped"


def test_what_does_not_fit_is_refused_and_not_cut(tools: Toolbox, started: Started) -> None:
    limits = Limits(steps=1)
    run = started("word " * 9_000, limits)
    list(advance(run, open_model("local/smollm2-135m", {}), tools, limits))
    [failed] = [e for e in run.events if isinstance(e, ModelFailed)]
    assert "more than its 8,192" in failed.error
