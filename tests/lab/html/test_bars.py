"""Bars and the picture of a run: one scale, five origins, and the same in words and numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from lab.events import TurnEnded
from lab.html.bars import NAMES, bar_html, legend_html, split_html, sums
from lab.html.earlier import earlier_html
from lab.html.picture import picture_html
from lab.messages import Reply, Request, Usage
from lab.origins import ORIGINS
from lab.steps import Step, Turn

Make = Callable[..., Step]
Turns = Callable[..., Turn]

HOSTILE = "</pre><script>alert(1)</script>"


def grown(step: Make, counts: list[int | None], **reply: object) -> list[Step]:
    """Steps of one question; each is sent one message of 100 characters more than the last."""
    made = []
    for number, count in enumerate(counts, 1):
        one = step(number, tokens_in=count, **reply)
        texts = ["s" * 100, "q" * 100, *(f"{n:0>100}" for n in range(number - 1))]
        roles = ["system", "user", *(["tool"] * (number - 1))]
        said = [{"role": r, "content": t} for r, t in zip(roles, texts, strict=True)]
        one.request = Request("POST", "/", json.dumps({"messages": said}), {})
        one.question = texts[1]
        made.append(one)
    return made


def segments(html: str, side: str = "width") -> list[tuple[str, float]]:
    found = re.findall(rf"lab-origin-(\w+)' style='{side}:([\d.]+)%'", html)
    return [(origin, float(percent)) for origin, percent in found]


def told(html: str) -> str:
    return " ".join(re.sub("<[^>]*>", " ", html).split())


def test_bars_share_one_scale_and_are_split_by_origin(step: Make) -> None:
    first, second, third = grown(step, [200, 300, 400])
    assert segments(bar_html(first, None, 400)) == [("system", 25), ("question", 25)]
    assert segments(bar_html(second, first, 400)) == [
        *[("system", 25), ("question", 25), ("new", 25)]
    ]
    assert segments(bar_html(third, second, 400)) == [
        *[("system", 25), ("question", 25), ("earlier", 25), ("new", 25)]
    ]


def test_a_bar_says_its_numbers_without_its_colours(step: Make) -> None:
    first, second = grown(step, [200, 300])
    for attribute in ("aria-label", "title"):
        said = f"{attribute}='tokens in: system ≈100, question ≈100, new results ≈100'"
        assert said in bar_html(second, first, 400)


def test_the_cached_part_is_lined_and_said(step: Make) -> None:
    [made] = grown(step, [200])
    made.reply = Reply("", usage=Usage(200, 10, cache_read=150))
    html = bar_html(made, None, 400)
    assert "<b style='width:37.50%'></b>" in html
    assert "150 read from the prompt cache" in html


@pytest.mark.parametrize(("count", "top"), [(None, 400), (0, 400), (100, 0)])
def test_what_is_unknown_or_nothing_has_no_bar(count: int | None, top: int, step: Make) -> None:
    assert bar_html(grown(step, [count])[0], None, top) == "<span class='lab-bar'></span>"


def test_a_count_whose_pieces_are_not_known_is_a_bar_in_one(step: Make) -> None:
    html = bar_html(step(tokens_in=100), None, 400)
    assert "<i style='width:25.00%'></i>" in html
    assert "not split" in html


def test_the_split_is_told_in_numbers_that_sum(step: Make) -> None:
    first, second = grown(step, [200, 301])
    shown = told(split_html(second, first))
    assert "system 100 ≈101 34%" in shown or "system 100 ≈100 33%" in shown
    assert "all 300 301" in shown
    assert "Split estimated: by characters, scaled to the count that was measured" in shown


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ({"estimated": True}, ["all 200 ≈200", "that was estimated for the whole"]),
        ({"tokens_in": None}, ["all 200 ≈50", "nobody said how many tokens"]),
    ],
)
def test_a_split_of_what_was_not_measured_says_so(
    reply: dict[str, object], words: list[str], step: Make
) -> None:
    made = step(1, **{"tokens_in": 200, **reply})
    made.request = grown(step, [1])[0].request
    for part in words:
        assert part in told(split_html(made, None))


def test_the_legend_names_every_origin_and_its_sum(step: Make) -> None:
    of = sums(grown(step, [200, 300, None]))
    assert told(legend_html(of)) == (
        "system ≈200 tools ≈0 question ≈200 earlier turns ≈0 new results ≈100 (split estimated)"
    )
    assert told(legend_html()) == f"{' '.join(NAMES.values())} (split estimated)"


def test_the_picture_has_a_stack_a_step_on_one_scale_and_a_table(step: Make, turn: Turns) -> None:
    html = picture_html([turn(*grown(step, [200, 300, 400]))])
    stacks = [segments(part, "height") for part in html.split("lab-stack'")[1:]]
    assert [sum(percent for _, percent in stack) for stack in stacks] == [50, 75, 100]
    assert told(html).startswith(
        "900 tokens in over 3 steps, 200 at the first and 400 at the largest: all that was said"
    )
    assert "step 3 ≈100 ≈0 ≈100 ≈100 ≈100 400" in told(html)
    assert re.search(r"role='img' aria-label='900 tokens in over 3 steps", html)


def test_the_picture_of_several_questions_goes_on_from_one_to_the_next(
    step: Make, turn: Turns
) -> None:
    first, second, third = grown(step, [200, 300, 400])
    third.number, third.question = 1, f"{1:0>100}"
    html = picture_html([turn(first, second), turn(third)])
    for words in ("question 1, step 2", "question 2, step 1", "question 2"):
        assert words in told(html)


def test_a_step_without_a_count_is_a_gap_and_a_dash(step: Make, turn: Turns) -> None:
    html = picture_html([turn(*grown(step, [200, None], estimated=True))])
    assert told(html).startswith("≈200 tokens in, at one step.")
    assert f"step 2 {'– ' * len(ORIGINS)}–" in told(html)
    assert picture_html([turn(*grown(step, [None]))]) == ""
    assert picture_html([]) == ""


def test_earlier_questions_are_told_in_short_and_escaped(step: Make, turn: Turns) -> None:
    made = turn(*grown(step, [200, 300]))
    made.question, made.end = HOSTILE, TurnEnded("answered", f"It is this. {HOSTILE}")
    other = turn(step(tokens_in=None, usd=None))
    other.end = TurnEnded("stopped")
    html = earlier_html([made, other], {}.get)
    assert "<script" not in html
    assert "1. </pre>" in told(html).replace("&lt;", "<").replace("&gt;", ">")
    assert "✓ answered : 2 steps, 500 tokens in, $0.0200" in told(html)
    assert "2. What is it?" in told(html)
    assert "■ stopped : 1 step, – tokens in, –" in told(html)
    assert html.count("lab-trace") == 2
    assert told(earlier_html([], {}.get)) == ""
