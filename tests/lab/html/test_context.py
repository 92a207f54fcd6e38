"""The context: every piece of a request, what it took, what is new, and what a search finds."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from lab.html.context import described, marked, pieces_html
from lab.html.tools import tools_html
from lab.messages import Conversation, Json, Question, Request, ToolResult, ToolSchema
from lab.models import anthropic, openai
from lab.models.standin import NOBODY
from lab.origins import spent
from lab.steps import Step

Make = Callable[..., Step]

SCHEMA = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "description": "What to say."},
        "times": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": 1},
    },
    "required": ["text"],
}
TOOLS = (ToolSchema("echo", "Return the text.", SCHEMA),)
MESSAGES = (Question("What is it?"), ToolResult("c1", "echoed"))
WIRES = {"openai": openai.request_body, "anthropic": anthropic.request_body}
HOSTILE = "</pre><script>alert(1)</script><img src=x onerror='x'>"


def body(wire: str, count: int = 2) -> Json:
    conversation = Conversation("You are tested.", TOOLS, MESSAGES[:count])
    return WIRES[wire](conversation, "some-model", NOBODY)


def sent(step: Make, body: Json, number: int = 1, **reply: object) -> Step:
    made = step(number, **reply)
    made.request = Request("POST", "https://api.example/v1", json.dumps(body), {})
    made.question = "What is it?"
    return made


def words(html: str) -> str:
    return " ".join(re.sub("<[^>]*>", " ", html).split())


@pytest.mark.parametrize("wire", WIRES)
def test_what_is_new_since_the_step_before_is_marked_and_open(wire: str, step: Make) -> None:
    before, after = sent(step, body(wire, 1)), sent(step, body(wire), 2)
    html = pieces_html(after, before)
    assert html.count("lab-fresh' open>") == html.count(">new</b>") == 1
    [fresh] = [part for part in html.split("<details")[1:] if "lab-fresh" in part]
    assert "echoed" in fresh
    assert "lab-origin-new" in fresh


def test_a_message_said_twice_is_new_the_second_time(step: Make) -> None:
    said = {"role": "user", "content": "Again."}
    before, after = sent(step, {"messages": [said]}), sent(step, {"messages": [said, said]}, 2)
    assert pieces_html(after, before).count(">new</b>") == 1


def test_at_the_first_step_only_the_question_is_new(step: Make) -> None:
    html = pieces_html(sent(step, body("openai", 1)), None)
    [fresh] = [part for part in html.split("<details")[1:] if "lab-fresh" in part]
    assert "What is it?" in fresh


def test_the_figures_of_a_piece_say_what_it_took_so_far(step: Make) -> None:
    steps = [sent(step, body("openai", n), n, tokens_in=1000 * n) for n in (1, 2)]
    *_, so_far = spent(steps, lambda step: 0.3)
    shown = words(pieces_html(steps[1], steps[0], so_far))
    assert re.search(r"system 15 characters · ≈\d+ tokens · \d+% · so far sent 2 times: ≈\d", shown)
    assert re.search(r"tool result of c1 new \d+ characters .* sent once: ≈\d+ tokens, ≈\$0", shown)


@pytest.mark.parametrize(
    ("usd", "said"),
    [(0.0, "tokens, free"), (None, "tokens, –"), (0.001, "under $0.0001"), (1.0, "tokens, ≈$0.0")],
)
def test_money_is_marked_as_estimated_and_never_zero_where_unknown(
    usd: float | None, said: str, step: Make
) -> None:
    made = sent(step, body("openai", 1))
    *_, so_far = spent([made], lambda step: usd)
    first = pieces_html(made, None, so_far).partition("</summary>")[0]
    assert said in first


def test_a_search_shows_only_the_pieces_that_hold_all_words_open_and_marked(step: Make) -> None:
    made = sent(step, body("openai"), 2)
    html = pieces_html(made, None, words=["IS", "what"])
    assert html.count("<details") == html.count(" open>") == 1
    assert "<mark>What</mark> <mark>is</mark> it?" in html
    assert words(pieces_html(made, None, words=["<b>", "x"])) == "No piece holds &lt;b&gt; and x."


@pytest.mark.parametrize(
    ("text", "looked_for", "html"),
    [
        ("a < b", [], "a &lt; b"),
        ("a < b", ["<"], "a <mark>&lt;</mark> b"),
        ("amp & b", ["amp"], "<mark>amp</mark> &amp; b"),
        ("a.c abc", ["a.c"], "<mark>a.c</mark> abc"),
        ("cached cache", ["cache", "cached"], "<mark>cached</mark> <mark>cache</mark>"),
        ("(x", ["(", "X"], "<mark>(</mark><mark>x</mark>"),
    ],
)
def test_words_are_marked_in_escaped_text(text: str, looked_for: list[str], html: str) -> None:
    assert marked(text, looked_for) == html


def test_what_was_sent_is_escaped(step: Make) -> None:
    hostile = {"role": "<script>", "content": HOSTILE}
    call = {"id": HOSTILE, "function": {"name": HOSTILE, "arguments": HOSTILE}}
    called = {"role": "assistant", "content": None, "tool_calls": [call]}
    tool = {"type": "function", "function": {"name": HOSTILE, "description": HOSTILE}}
    tool["function"] |= {"parameters": {"properties": {HOSTILE: {"type": HOSTILE, HOSTILE: 1}}}}
    made = sent(step, {"messages": [hostile, called], "tools": [tool]})
    for looked_for in ([], ["script"]):
        html = pieces_html(made, None, {}, looked_for) + tools_html(made, {}, looked_for)
        assert "<script" not in html
        assert "<img" not in html


@pytest.mark.parametrize("wire", WIRES)
def test_each_tool_is_told_with_its_parameters(wire: str, step: Make) -> None:
    shown = words(tools_html(sent(step, body(wire))))
    assert shown.startswith("echo ")
    assert "Return the text." in shown
    assert "text string yes What to say." in shown
    assert "times integer or null no default 1" in shown
    assert '"required": [' in shown.replace("&quot;", '"')


def test_a_request_without_tools_says_where_they_are(step: Make) -> None:
    made = sent(step, {"messages": [{"role": "system", "content": "You have these tools"}]})
    assert "described in the system message" in tools_html(made)


def test_a_tool_is_found_by_what_is_said_of_it(step: Make) -> None:
    made = sent(step, body("openai"))
    assert "<mark>Return</mark>" in tools_html(made, words=["return"])
    assert "description holds nowhere" in tools_html(made, words=["nowhere"])


def test_it_says_whether_a_body_left_or_would_have(step: Make) -> None:
    made = step()
    assert described(made) == "POST https://api.example/v1, 2 bytes, exactly as it left."
    made.request = Request("POST", "/chat", '"é"', {}, sent=False)
    assert described(made).startswith("4 bytes. Nothing was sent: no model was called.")
