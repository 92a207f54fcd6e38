"""The trace as HTML: escaped, to one scale, and plain about what went wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from lab.events import Noticed, ToolFinished, TurnEnded
from lab.html.trace import rows, trace_html
from lab.messages import Attempt, Exchange, Reply, ToolCall, Usage
from lab.steps import CallView, Step, Turn

Make = Callable[..., Step]
Turns = Callable[..., Turn]

HOSTILE = "</pre><script>alert(1)</script><img src=x onerror='x'>"


def told(html: str) -> str:
    """The words of the page, one line."""
    return " ".join(re.sub("<[^>]*>", " ", html).split())


def test_what_models_and_tools_wrote_is_escaped_everywhere(
    step: Make, called: Make, turn: Turns
) -> None:
    raw = step(calls=(ToolCall(HOSTILE, HOSTILE, None, HOSTILE, HOSTILE),), thinking=HOSTILE)
    faulty, failed = step(fault=HOSTILE, thinking=HOSTILE), step()
    failed.failure, failed.notices = HOSTILE, [Noticed(HOSTILE, HOSTILE)]
    steps = [called(HOSTILE, HOSTILE, failed, **{HOSTILE: HOSTILE}) for failed in (True, False)]
    html = trace_html(turn(*steps, raw, faulty, failed), running=False)
    assert "<script" not in html
    assert "<img" not in html
    assert "&lt;script&gt;" in html


@pytest.mark.parametrize(
    ("tokens_in", "estimated", "shown"), [(1234, False, "1,234"), (1234, True, "≈1,234")]
)
def test_measured_counts_are_plain_and_estimated_ones_marked(
    tokens_in: int, estimated: bool, shown: str, step: Make, turn: Turns
) -> None:
    html = trace_html(turn(step(tokens_in=tokens_in, estimated=estimated)), False)
    assert f"<b>{shown}</b>" in html


def test_what_is_unknown_is_a_dash_and_never_zero(step: Make, turn: Turns) -> None:
    html = trace_html(turn(step(tokens_in=None, usd=None)), False)
    shown = told(html)
    assert "tokens in – sum – tokens out 10 cost – sum –" in shown
    assert "<span class='lab-bar'></span>" in html


def test_a_step_that_is_awaited_has_no_figures_yet(step: Make, turn: Turns) -> None:
    waiting = Step(2, step().request)
    words = told(trace_html(turn(step(), waiting), True))
    assert words.endswith(
        "step 2 seconds – tokens in – tokens out – cost – waiting for the model …"
    )


def test_tokens_and_money_are_summed_from_step_to_step(step: Make, turn: Turns) -> None:
    steps = [step(number, tokens_in=100 * number, usd=0.01) for number in (1, 2, 3)]
    steps.append(step(4, tokens_in=None, usd=None))
    shown = told(trace_html(turn(*steps), False))
    assert re.findall(r"tokens in \S+ sum ([\w ,]+) tokens out", shown) == [
        *("100", "300", "600", "at least 600")
    ]
    assert re.findall(r"cost \S+ sum ((?:at least )?\S+)", shown) == [
        *("$0.0100", "$0.0200", "$0.0300", "at least $0.0300")
    ]


def test_seconds_are_told_by_what_they_went_to(called: Make, turn: Turns) -> None:
    made = called("calculate", "2", x="1+1")
    tries = (Attempt(429, 0.5, error="too many requests"), Attempt(200, 1.0, waited=2.0))
    made.exchange = Exchange(attempts=tries, first_token=0.4)
    shown = told(trace_html(turn(made), False))
    assert "seconds 3.75 first token 0.40 model 1.50 waited 2.00 tools 0.25" in shown


def test_attempts_open_where_there_was_more_than_one_or_a_failure(step: Make, turn: Turns) -> None:
    made = step()
    assert "attempt" not in told(trace_html(turn(made), False))
    tries = (Attempt(429, 0.5, error=HOSTILE), Attempt(200, 1.0, waited=2.0))
    made.exchange = Exchange(attempts=tries)
    html = trace_html(turn(made), False)
    assert "⚠ 2 attempts, 1 failed" in told(html)
    assert "1 429 0.0 0.50" in told(html)
    assert "2 200 2.0 1.00 nothing" in told(html)
    assert "<script" not in html
    made.exchange = Exchange(attempts=tries[:1])
    assert "⚠ 1 attempt, 1 failed" in told(trace_html(turn(made), False))


def test_what_the_prompt_cache_did_stands_beside_the_count(step: Make, turn: Turns) -> None:
    made = step()
    made.reply = Reply("", usage=Usage(1000, 10, cache_read=600, cache_write=100))
    shown = told(trace_html(turn(made), False))
    assert "tokens in 1,000 600 from the cache 100 into the cache sum 1,000" in shown


def test_the_end_of_what_has_come_is_shown_as_it_came(step: Make, turn: Turns) -> None:
    waiting = Step(1, step().request)
    html = trace_html(turn(waiting), True, "x" * 5000 + "\nso far <b>")
    assert "the reply arrives …" in html
    assert "x\nso far &lt;b&gt;</p>" in html
    assert len(html) < 4000


def test_what_a_model_said_beside_its_calls_can_be_opened(called: Make, turn: Turns) -> None:
    made = called("calculate", "2", x="1+1")
    assert made.reply
    made.reply = replace(made.reply, text="I calculate.")
    html = trace_html(turn(made), False)
    assert "<summary>what it said</summary><pre dir='auto'>I calculate.</pre>" in html


def test_a_question_that_ended_without_an_answer_says_so_below_its_steps(
    step: Make, turn: Turns
) -> None:
    made = turn(step())
    made.end = TurnEnded("step limit", detail="1 step was allowed.")
    assert "⚠ It ended here without an answer: step limit." in trace_html(made, False)
    made.end = TurnEnded("answered", "It is this.")
    assert "ended" not in told(trace_html(made, False))


def test_a_part_that_opens_does_not_change_when_more_comes(called: Make, turn: Turns) -> None:
    before = called("calculate", "2", x="1+1")
    call = ToolCall("c2", "calculate", {"x": "2+2"})
    assert before.reply
    before.reply = replace(before.reply, calls=(*before.reply.calls, call), thinking="I think.")
    before.calls.append(CallView(call, started=True))
    after = replace(before, calls=[before.calls[0], CallView(call, True, ToolFinished("c2", "4"))])
    after.notices = [Noticed("retry", "asked again")]
    [was], [now] = rows(turn(before), True), rows(turn(after, Step(2, after.request)), True)[:1]
    opens = [place for place, block in enumerate(was.blocks) if "<details" in block]
    assert opens == [0, 2]
    assert [now.blocks[place] for place in opens] == [was.blocks[place] for place in opens]
    assert "<details" not in now.figures


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"failure": "connection refused"}, "⚠ no reply: connection refused"),
        ({"reply": None}, "⚠ no reply was recorded"),
        ({"notices": [Noticed("retry", "asked again after 429")]}, "retry: asked again after 429"),
    ],
)
def test_a_step_that_went_wrong_says_so(
    change: dict[str, object], words: str, step: Make, turn: Turns
) -> None:
    made = step()
    for name, value in change.items():
        setattr(made, name, value)
    assert words in told(trace_html(turn(made), False))


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ({"stop": "cut", "text": "It is"}, "⚠ cut off by the output limit"),
        ({"stop": "refused", "detail": "cyber"}, "⚠ refused: cyber"),
        ({"stop": "unknown"}, "⚠ unknown"),
        ({"fault": "neither text nor a call"}, "⚠ not usable: neither text nor a call"),
        ({"text": "It is this."}, "answer"),
    ],
)
def test_nobody_takes_another_end_for_an_answer(
    reply: dict[str, str], words: str, step: Make, turn: Turns
) -> None:
    shown = told(trace_html(turn(step(**reply)), False))
    assert words in shown
    assert ("answer" in shown) == (words == "answer")


def test_a_failed_call_is_marked_and_a_good_one_is_not(called: Make, turn: Turns) -> None:
    bad = told(trace_html(turn(called("calculate", "Division by zero", True, x="1/0")), False))
    assert "calculate 1/0 ⚠ error: Division by zero" in bad
    assert "⚠" not in trace_html(turn(called("calculate", "2", x="1+1")), False)


def test_a_call_opens_to_its_full_arguments_and_its_full_result(called: Make, turn: Turns) -> None:
    long = "word " * 500
    html = trace_html(turn(called("search_site", long + "END", query="q" * 600)), False)
    summary, _, opened = html.partition("</summary>")
    assert "END" not in summary
    assert f"query: {'q' * 600}</pre>" in opened
    assert f"{long}END</pre>" in opened


@pytest.mark.parametrize(
    ("started", "running", "words"),
    [
        (True, True, "running …"),
        (False, True, "waits its turn"),
        (True, False, "⚠ no result was recorded"),
        (False, False, "⚠ no result was recorded"),
    ],
)
def test_a_call_without_a_result_says_why(
    started: bool, running: bool, words: str, step: Make, turn: Turns
) -> None:
    made = step(calls=(ToolCall("c1", "echo", {}),))
    made.calls = [CallView(made.calls[0].call, started)]
    assert words in told(trace_html(turn(made), running))


def test_what_is_wrong_with_a_reply_is_said_once(step: Make, turn: Turns) -> None:
    made = step(fault="Your reply is empty.")
    made.notices = [Noticed("correction", "Your reply is empty.", for_model=True)]
    assert told(trace_html(turn(made), False)).count("Your reply is empty.") == 1


def test_what_was_said_before_the_first_step_stands_above_it(step: Make, turn: Turns) -> None:
    made = turn(step())
    made.notices = [Noticed("index changed", "The site changed.")]
    assert told(trace_html(made, False)).startswith("index changed: The site changed.")


def test_only_the_step_under_way_is_marked_as_running(step: Make, turn: Turns) -> None:
    steps = [step(1), step(2)]
    assert trace_html(turn(*steps), True).count("lab-cells lab-running") == 1
    assert "lab-running" not in trace_html(turn(*steps), False)
