"""Scripted models: bad scripts are named faults, the shipped ones play on the sample site."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from indexer.index import Index
from lab.citations import cited
from lab.errors import LabError
from lab.events import Asked, RunStarted, ToolFinished
from lab.messages import Conversation, Question, Reply, ToolCall, ToolResult
from lab.models.model import ModelError, Watch
from lab.models.scripted import SHIPPED, Scripted, ScriptError, read_script
from lab.prepare import Choice, settings_for
from lab.run import Run
from lab.settings import Limits
from lab.tools.site import site_tools

QUESTION = "How much KV cache does Llama 3.1 8B need for one 32K-token conversation?"


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        ("", "is not JSON"),
        ("{", "is not JSON"),
        ("\ufeff{}", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "does not fit"),
        ("5", "does not fit"),
        ("{}", "replies is missing"),
        ('{"replies": {}}', "replies = "),
        ('{"replies": [5]}', "replies.0 = '5'"),
        ('{"replies": [{"text": 5}]}', "replies.0.text = '5'"),
        ('{"replies": [{"txt": "a"}]}', "replies.0.txt"),
        ('{"replies": [{"text": "a"}, {"calls": {}}]}', "replies.1.calls"),
        ('{"replies": [{"calls": [{"arguments": {}}]}]}', "replies.0.calls.0.name is missing"),
        ('{"replies": [{"calls": [{"name": 5}]}]}', "replies.0.calls.0.name = '5'"),
        ('{"replies": [{"calls": ["search_site"]}]}', "replies.0.calls.0"),
        ('{"replies": [{"thinking": null}]}', "replies.0.thinking"),
        ('{"replies": [], "extra": 1}', "'extra'"),
        ('{"replies": []}', "has no replies"),
    ],
    ids=lambda text: text[:30],
)
def test_a_script_that_does_not_fit_is_an_error_naming_file_and_place(
    tmp_path: Path, text: str, mentions: str
) -> None:
    file = tmp_path / "mine.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ScriptError) as caught:
        read_script(str(file))
    assert str(file) in str(caught.value)
    assert mentions in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["nowhere.json", ".", "", "a\0b", "x" * 5_000])
def test_a_script_that_cannot_be_read_is_an_error_that_names_the_shipped_ones(name: str) -> None:
    with pytest.raises(LabError, match=r"careful, hasty"):
        read_script(name)


def test_a_script_that_is_not_utf8_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_bytes(b'{"replies": [{"text": "\xff"}]}')
    with pytest.raises(ScriptError, match=r"mine\.json.* cannot be read"):
        read_script(str(file))


def test_replies_are_played_in_order_by_what_the_conversation_holds(
    talk: Callable[..., Conversation], watch: Watch
) -> None:
    call = ToolCall("", "look_up", {})
    model = Scripted([Reply("", (call,)), Reply("", (call, call)), Reply("Done.")])
    told: list[Any] = [Question("Why?")]
    for _ in range(3):
        reply, exchange = model.reply(talk(*told), watch)
        told += [reply, *(ToolResult(c.id, "x") for c in reply.calls)]
        assert exchange.cost.usd == 0.0
        assert reply.usage.estimated
    replies = [message for message in told if isinstance(message, Reply)]
    assert [reply.stop for reply in replies] == ["tools", "tools", "answer"]
    ids = [call.id for reply in replies for call in reply.calls]
    assert len(set(ids)) == 3
    assert (
        model.reply(talk(*told[:2]), watch)[0]
        == Scripted([Reply(""), Reply("", (call, call))]).reply(talk(*told[:2]), watch)[0]
    )
    with pytest.raises(ModelError, match="has only 3 replies"):
        model.reply(talk(*told), watch)


def test_a_reply_that_takes_its_time_gives_way_to_the_time_limit(
    drive: Callable[..., Run], begun: Callable[..., Run], small_tools: Callable[..., Any]
) -> None:
    started = time.monotonic()
    model = Scripted([Reply("Late.")], pauses=[30.0])
    end = drive(begun(), model, small_tools(), Limits(seconds=0.2)).end()
    assert time.monotonic() - started < 1.2
    assert end is not None
    assert end.reason == "time limit"


@pytest.fixture
def shipped(sample: Index, drive: Callable[..., Run], begun: Callable[..., Run]) -> Any:
    """Play a shipped script on the sample site."""

    def played(name: str) -> Run:
        tools = site_tools(sample)
        run = Run("run")
        run.record(RunStarted(settings_for(Choice(f"scripted:{name}"), sample, tools.schemas())))
        run.record(Asked(QUESTION))
        return drive(run, read_script(name), tools)

    return played


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_script_plays_to_an_answer_and_every_tool_succeeds(
    name: str, shipped: Callable[[str], Run]
) -> None:
    run = shipped(name)
    end = run.end()
    assert end is not None
    assert end.reason == "answered"
    results = [event for event in run.events if isinstance(event, ToolFinished)]
    assert results
    assert [result.content for result in results if result.failed] == []
    about = json.loads((Path(__file__).parents[3] / f"lab/models/scripts/{name}.json").read_text())
    assert "Written by hand" in about["about"]


def calculated(run: Run) -> list[int]:
    """What the calculator said, as whole numbers."""
    ids = [call.id for call in run.calls() if call.name == "calculate"]
    return [
        int(event.content.split()[0])
        for event in run.events
        if isinstance(event, ToolFinished) and event.call_id in ids
    ]


def test_careful_answers_what_was_calculated_from_what_was_read(
    shipped: Callable[[str], Run], sample: Index
) -> None:
    run = shipped("careful")
    end = run.end()
    assert end is not None
    assert calculated(run) == [131_072, 131_072 * 32_768]
    assert all(f"{number:,}" in end.answer for number in calculated(run))
    names = [call.name for call in run.calls()]
    assert names == ["search_site", "search_site", "read_passage", "calculate", "calculate"]
    (passage,) = cited(end.answer, sample.get)
    read = [call.arguments for call in run.calls() if call.name == "read_passage"]
    assert read == [{"id": passage.id}]


def test_hasty_reads_nothing_and_gets_half_of_it(
    shipped: Callable[[str], Run], sample: Index
) -> None:
    run = shipped("hasty")
    end = run.end()
    assert end is not None
    assert {call.name for call in run.calls()} == {"calculate"}
    assert [2 * number for number in calculated(run)] == [131_072 * 32_768]
    assert "131,072" not in end.answer
    assert cited(end.answer, sample.get) == []
