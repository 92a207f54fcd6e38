"""The toolbox: one result for every call, whatever the model asked for and the tool did."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.messages import ToolCall
from lab.models.turns import read_call
from lab.tools.errors import ToolError
from lab.tools.tool import tool
from lab.tools.toolbox import RESULT_CHARACTERS, Toolbox


def add(a: Annotated[int, "First."], b: Annotated[int, "Second."] = 2) -> str:
    """Returns the sum."""
    return str(a + b)


def echo(text: str) -> str:
    """Returns the text."""
    return text


def pick(what: str) -> str:
    """Fails in the way that is asked for."""
    match what:
        case "tool error":
            raise ToolError("what has to be one of: this, that.")
        case "key error":
            raise KeyError("missing")
        case "long":
            raise ValueError("x" * 10_000)
        case "exit":
            raise SystemExit(3)
        case "memory":
            raise MemoryError
    return what


def nothing() -> str:
    """Returns nothing."""
    return ""


def none() -> None:
    """Returns None."""


def send(to: str) -> str:
    """Sends a letter."""
    return f"sent to {to}"


BOX = Toolbox(
    [*(tool(f) for f in (add, echo, pick, nothing, none)), tool(send, has_effects=True)]  # type: ignore[arg-type]
)


def run(name: str, arguments: object) -> tuple[str, bool]:
    """Content and failure of a call as a model makes it."""
    result = BOX.run(read_call("c1", name, arguments))
    assert result.call_id == "c1"
    assert result.seconds >= 0
    return result.content, result.failed


@pytest.mark.parametrize(
    ("name", "arguments", "content"),
    [
        ("add", '{"a": 1}', "3"),
        ("add", {"a": 1, "b": 5}, "6"),
        ("echo", '{"text": "\\u00e9"}', "é"),
        ("nothing", "", "(no output)"),
        ("nothing", None, "(no output)"),
        ("nothing", "{}", "(no output)"),
        ("nothing", "null", "(no output)"),
        ("none", "", "(no output)"),
        ("echo", {"text": ""}, "(no output)"),
    ],
)
def test_a_call_that_fits_gets_what_the_tool_returns(
    name: str, arguments: object, content: str
) -> None:
    assert run(name, arguments) == (content, False)


@pytest.mark.parametrize(
    ("arguments", "content"),
    [
        ({"a": "5"}, "(a: '5' was read as 5)\n7"),
        ({"a": 5.0, "b": 1}, "(a: 5.0 was read as 5)\n6"),
        ({"a": "5", "b": "1"}, "(a: '5' was read as 5, b: '1' was read as 1)\n6"),
    ],
)
def test_what_is_read_otherwise_than_written_is_shown_as_a_repair(
    arguments: object, content: str
) -> None:
    assert run("add", arguments) == (content, False)


@pytest.mark.parametrize(
    ("name", "arguments", "mentions"),
    [
        ("subtract", {"a": 1}, ["no tool named 'subtract'", "add, echo, pick, nothing"]),
        ("", {}, ["no tool named ''", "add"]),
        ("n" * 5_000, {}, ["no tool named", "…", "add"]),
        ("add", '{"a": 1', ["not run", "not valid JSON", '{"a": 1', "a (integer)"]),
        ("add", "[1, 2]", ["a list, not a JSON object", "[1, 2]"]),
        ("add", [1, 2], ["a list, not a JSON object"]),
        ("add", '"1"', ["a text, not a JSON object"]),
        ("add", "true", ["true or false, not a JSON object"]),
        ("add", "7", ["a number, not a JSON object"]),
        ("add", {"a": "five"}, ["a is 'five'", "b (integer, optional)"]),
        ("add", {"a": [1]}, ["a is [1]"]),
        ("add", {"a": None}, ["a is None"]),
        ("add", {"a": 1.5}, ["a is 1.5"]),
        ("echo", {"text": 5}, ["text is 5", "text (string)"]),
        ("add", {"b": 1}, ["a is missing"]),
        ("add", "", ["a is missing", "a (integer)"]),
        ("add", {}, ["a is missing"]),
        ("add", {"a": 1, "c": 2}, ["there is no parameter c"]),
        ("add", {"x": 1}, ["a is missing", "no parameter x"]),
        ("nothing", {"a": 1}, ["no parameter a", "takes no arguments"]),
        ("pick", {"what": "tool error"}, ["what has to be one of: this, that."]),
        ("pick", {"what": "key error"}, ["pick failed: KeyError: 'missing'"]),
        ("pick", {"what": "exit"}, ["pick failed: SystemExit"]),
        ("pick", {"what": "memory"}, ["pick failed: MemoryError"]),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_call_that_cannot_run_gets_an_error_that_names_the_fault(
    name: str, arguments: object, mentions: list[str]
) -> None:
    content, failed = run(name, arguments)
    assert failed
    assert [part for part in mentions if part not in content] == []


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("n" * 100_000, {}),
        ("add", "[" * 100_000),
        ("add", {"a": "x" * 100_000}),
        ("add", '{"a": ' + "9" * 100_000),
        ("pick", {"what": "long"}),
    ],
    ids=["name", "brackets", "value", "digits", "message"],
)
def test_an_error_quotes_little_of_what_was_too_long(name: str, arguments: object) -> None:
    content, failed = run(name, arguments)
    assert failed
    assert len(content) < 1_000


TEXT = st.text(st.characters())  # halves of characters included, as names of files hold them
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from(["add", "echo", "pick", "nothing", "none", "send"])


@given(
    NAMES | TEXT,
    JSON | TEXT | st.dictionaries(st.sampled_from(["a", "b", "text", "what", "to"]), JSON),
)
def test_whatever_is_asked_for_there_is_one_result_with_text_that_can_be_sent(
    name: str, arguments: object
) -> None:
    assert run(name, arguments)[0].encode()


def test_half_a_character_in_a_result_is_a_question_mark() -> None:
    assert run("echo", {"text": "caf\udce9.txt"}) == ("caf?.txt", False)


def test_a_result_of_four_megabytes_is_cut_and_says_so() -> None:
    content, failed = run("echo", {"text": "é" * 4_000_000})
    assert not failed
    assert content.startswith("é" * RESULT_CHARACTERS + "\n[cut")
    assert content.endswith("[cut: the result has 4,000,000 characters]")
    assert len(content) < RESULT_CHARACTERS + 100
    assert run("echo", {"text": "x" * RESULT_CHARACTERS}) == ("x" * RESULT_CHARACTERS, False)


class Patience:
    """Runs out after some seconds, for the reason given."""

    def __init__(self, why: str, seconds: float) -> None:
        self._why, self._until = why, time.monotonic() + seconds

    def give_up(self) -> str:
        return self._why if time.monotonic() > self._until else ""


@pytest.fixture
def held() -> Iterator[threading.Event]:
    """Set at the end of the test, so that no tool runs longer than that."""
    event = threading.Event()
    yield event
    event.set()


@pytest.mark.parametrize("why", ["stopped by the person", "the time limit is reached"])
@pytest.mark.parametrize("has_effects", [False, True])
def test_a_tool_that_is_not_waited_for_has_its_result_within_a_second(
    held: threading.Event, why: str, has_effects: bool
) -> None:
    def hang() -> str:
        """Waits."""
        held.wait(30)
        return "too late"

    box = Toolbox([tool(hang, has_effects=has_effects)])
    started = time.monotonic()
    result = box.run(ToolCall("c1", "hang", {}), Patience(why, 0.1))
    assert time.monotonic() - started < 1
    assert result.failed
    assert result.content.startswith(f"hang did not finish: {why}.")
    assert ("may have had its effect" in result.content) == has_effects


def test_a_tool_that_is_done_in_time_is_not_given_up() -> None:
    result = BOX.run(ToolCall("c1", "add", {"a": 1}), Patience("the time limit is reached", 60))
    assert result.content == "3"


@pytest.mark.parametrize(
    ("name", "effects"), [("send", True), ("add", False), ("unknown", False), ("", False)]
)
def test_only_a_known_tool_marked_so_has_effects(name: str, effects: bool) -> None:
    assert BOX.has_effects(ToolCall("c1", name, {})) is effects


def test_schemas_stand_in_the_order_the_tools_were_given() -> None:
    names = [schema.name for schema in BOX.schemas()]
    assert names == ["add", "echo", "pick", "nothing", "none", "send"]
