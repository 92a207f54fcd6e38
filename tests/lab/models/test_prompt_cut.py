"""What speaks for a prompt that the server has cut, and what does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.messages import Conversation, Question, Reply, Usage
from lab.models.endpoints import Endpoint
from lab.models.hosted import HostedModel
from lab.models.prompt_cut import signs_of_a_cut

if TYPE_CHECKING:
    from tests.conftest import Loopback

Talk = Callable[..., Conversation]


@pytest.mark.parametrize(
    ("last", "characters", "count", "sign"),
    [
        (None, 4_000, 1_000, ""),
        (None, 4_000, None, ""),
        (None, 2_000, 2_000, ""),  # a script with a token a character or two
        (900, 5_000, 1_300, ""),
        (1_000, 5_000, 990, ""),  # some servers drop old reasoning
        (1_000, 8_000, 900, "fewer than the 1,000 of the step before"),
        (None, 40_000, 4_096, "far too few"),
        (4_096, 20_000, 4_096, "power of two"),
        (None, 24_000, 4_096, "power of two"),
        (None, 16_384, 4_096, ""),  # what it would be without a cut
        (None, 1_500, 256, ""),
        (256, 1_600, 256, ""),
        (None, 8_000, 0, "far too few"),
        (None, 562, 46, ""),  # nothing cuts so short a prompt: the rest of the body is its frame
    ],
)
def test_a_count_that_cannot_be_of_the_whole_prompt_is_a_sign(
    talk: Talk, last: int | None, characters: int, count: int | None, sign: str
) -> None:
    before = [] if last is None else [Reply("", usage=Usage(last))]
    said = signs_of_a_cut(talk(Question("Why?"), *before), characters, Usage(count))
    assert (sign in said) if sign else said == ""
    assert "It has cut your prompt" in said or not said


def test_an_estimate_of_our_own_is_no_sign(talk: Talk) -> None:
    assert signs_of_a_cut(talk(), 100_000, Usage(1, estimated=True)) == ""


@given(st.integers(1, 200_000), st.floats(2, 5))
def test_a_usual_tokenizer_that_read_it_all_gives_no_sign(characters: int, ratio: float) -> None:
    said = Conversation("s", (), (Question("Why?"),))
    assert signs_of_a_cut(said, characters, Usage(-int(-characters // ratio))) == ""


def test_a_cut_is_noticed_in_a_run(loopback: Loopback, talk: Talk, watch: Any) -> None:
    loopback.say("openai", "Yes.")
    model = HostedModel(Endpoint("mine", "openai", loopback.url, free=True), "m")
    model.reply(talk(Question("word " * 4_000)), watch)
    ((about, text),) = watch.notices
    assert about == "prompt cut"
    assert "far too few" in text
