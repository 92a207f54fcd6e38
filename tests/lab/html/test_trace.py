"""The trace as HTML: escaped, to one scale, and plain about what went wrong."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from lab.events import Noticed
from lab.html.trace import trace_html
from lab.messages import ToolCall
from lab.steps import CallView, Step, Turn

Make = Callable[..., Step]
Turns = Callable[..., Turn]

HOSTILE = "</pre><script>alert(1)</script><img src=x onerror='x'>"


def told(html: str) -> str:
    """The words of the page, one line."""
    return " ".join(re.sub("<[^>]*>", " ", html).split())


def widths(html: str) -> list[tuple[float, float]]:
    """Old and new part of every bar, in percent of the longest."""
    found = re.findall(r"lab-old' style='width:([\d.]+)%'></i><i [^>]*width:([\d.]+)%", html)
    return [(float(old), float(new)) for old, new in found]


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


def test_bars_share_one_scale_and_each_begins_with_what_was_sent_before(
    step: Make, turn: Turns
) -> None:
    steps = [step(number, tokens_in=count) for number, count in enumerate((100, 300, 400), 1)]
    assert widths(trace_html(turn(*steps), False)) == [(0, 25), (25, 50), (75, 25)]


def test_a_prompt_that_shrank_is_not_drawn_as_grown(step: Make, turn: Turns) -> None:
    steps = [step(1, tokens_in=400), step(2, tokens_in=100)]
    assert widths(trace_html(turn(*steps), False)) == [(0, 100), (25, 0)]


@pytest.mark.parametrize(
    ("tokens_in", "estimated", "shown"), [(1234, False, "1,234"), (1234, True, "≈1,234")]
)
def test_measured_counts_are_plain_and_estimated_ones_marked(
    tokens_in: int, estimated: bool, shown: str, step: Make, turn: Turns
) -> None:
    html = trace_html(turn(step(tokens_in=tokens_in, estimated=estimated)), False)
    assert f"<span>{shown}</span>" in html


def test_what_is_unknown_is_a_dash_and_never_zero(step: Make, turn: Turns) -> None:
    html = trace_html(turn(step(tokens_in=None, usd=None)), False)
    assert re.findall(r"<td class='lab-(?:in|cost)'>.*?</td>", html) == [
        "<td class='lab-in'><span class='lab-bar'></span><span>–</span></td>",
        "<td class='lab-cost'>–</td>",
    ]


def test_a_step_that_is_awaited_has_no_figures_yet(step: Make, turn: Turns) -> None:
    waiting = Step(2, step().request)
    words = told(trace_html(turn(step(), waiting), True))
    assert "2 waiting for the model … – – – –" in words


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
        ({"stop": "cut", "text": "It is"}, "⚠ cut"),
        ({"stop": "refused"}, "⚠ refused"),
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


def test_what_was_said_before_the_first_step_stands_above_it(step: Make, turn: Turns) -> None:
    made = turn(step())
    made.notices = [Noticed("index changed", "The site changed.")]
    assert told(trace_html(made, False)).startswith("index changed: The site changed.")


def test_only_the_step_under_way_is_marked_as_running(step: Make, turn: Turns) -> None:
    steps = [step(1), step(2)]
    assert trace_html(turn(*steps), True).count("class='lab-running'") == 1
    assert "class='lab-running'" not in trace_html(turn(*steps), False)
