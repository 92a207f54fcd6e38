"""The context: every piece of a request of either wire, and its body as it was recorded."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from lab.html.context import Piece, described, pieces, pieces_html
from lab.messages import Conversation, Json, Question, Request, ToolResult, ToolSchema
from lab.models import anthropic, openai
from lab.models.standin import NOBODY
from lab.steps import Step

Make = Callable[..., Step]

TOOLS = (ToolSchema("echo", "Return the text.", {"type": "object"}),)
MESSAGES = (Question("What is it?"), ToolResult("c1", "echoed"))
WIRES = {"openai": openai.request_body, "anthropic": anthropic.request_body}


def body(wire: str, count: int = 2) -> Json:
    conversation = Conversation("You are tested.", TOOLS, MESSAGES[:count])
    return WIRES[wire](conversation, "some-model", NOBODY)


def sent(step: Make, body: Json) -> Step:
    made = step()
    made.request = Request("POST", "https://api.example/v1", json.dumps(body), {})
    return made


@pytest.mark.parametrize("wire", WIRES)
def test_every_part_of_a_body_is_a_piece(wire: str) -> None:
    found = pieces(body(wire))
    assert {piece.origin for piece in found} >= {"system", "tools", "user"}
    text = "".join(piece.text for piece in found)
    for part in ("You are tested.", "Return the text.", "What is it?", "echoed", "c1"):
        assert text.count(part) == 1


def test_a_text_is_shown_as_text_and_the_rest_of_its_message_before_it() -> None:
    message = {"role": "tool", "tool_call_id": "c1", "content": "a\nb"}
    assert pieces({"messages": [message]}) == [Piece("tool", '{\n "tool_call_id": "c1"\n}\n\na\nb')]


@pytest.mark.parametrize("wire", WIRES)
def test_what_is_new_since_the_step_before_is_marked_and_open(wire: str, step: Make) -> None:
    before, after = sent(step, body(wire, 1)), sent(step, body(wire))
    html = pieces_html(after, before)
    assert html.count("lab-fresh' open>") == html.count(">new</b>") == 1
    [fresh] = [part for part in html.split("<details")[1:] if "lab-fresh" in part]
    assert "echoed" in fresh


def test_a_message_said_twice_is_new_the_second_time(step: Make) -> None:
    said = {"role": "user", "content": "Again."}
    before, after = sent(step, {"messages": [said]}), sent(step, {"messages": [said, said]})
    assert pieces_html(after, before).count(">new</b>") == 1


def test_at_the_first_step_nothing_is_marked(step: Make) -> None:
    html = pieces_html(sent(step, body("openai")), None)
    assert "lab-fresh" not in html
    assert ">new</b>" not in html


def test_what_was_sent_is_escaped(step: Make) -> None:
    hostile = {"role": "<script>", "content": "</pre><script>alert(1)</script>"}
    html = pieces_html(sent(step, {"messages": [hostile]}), None)
    assert "<script" not in html


def test_it_says_whether_a_body_left_or_would_have(step: Make) -> None:
    made = step()
    assert described(made) == "POST https://api.example/v1, 2 bytes, exactly as it left."
    made.request = Request("POST", "/chat", '"é"', {}, sent=False)
    assert described(made).startswith("4 bytes. Nothing was sent: a stand-in played the model.")
