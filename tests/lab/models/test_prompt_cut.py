"""What speaks for a prompt that the server has cut, and what does not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.messages import Conversation, Message, Question, Reply, ToolResult, Usage
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
        (1_000, 8_000, 900, "fewer than the 1,000 of a step before"),
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
    before = [] if last is None else [Reply("", raw={}, usage=Usage(last))]
    said = signs_of_a_cut(talk(Question("Why?"), *before), characters, Usage(count))
    assert (sign in said) if sign else said == ""
    assert "It has cut your prompt" in said or not said


def test_an_estimate_of_our_own_is_no_sign(talk: Talk) -> None:
    assert signs_of_a_cut(talk(), 100_000, Usage(1, estimated=True)) == ""


@given(st.integers(1, 200_000), st.floats(2, 5))
def test_a_usual_tokenizer_that_read_it_all_gives_no_sign(characters: int, ratio: float) -> None:
    said = Conversation("s", (), (Question("Why?"),))
    assert signs_of_a_cut(said, characters, Usage(-int(-characters // ratio))) == ""


SENT = (733, 1118, 1361, 1840, 2459, 3351, 4066)
"""Tokens of the prompts of a run, step by step."""


def of_tokens(count: int) -> str:
    """A text of about so many tokens."""
    return ("word " * count)[: 4 * count]


def prompts(reply: Reply) -> list[list[Message]]:
    """The messages of those prompts; `reply` is what was said at each step."""
    messages: list[Message] = [Question(of_tokens(SENT[0] - 600))]
    steps = [list(messages)]
    for less, more in pairwise(SENT):
        messages += [reply, ToolResult("a", of_tokens(more - less - 20))]
        steps.append(list(messages))
    return steps


def tokens(messages: Sequence[Message], per_character: float) -> int:
    """What a tokenizer makes of the messages, 600 tokens of system prompt and tools included."""
    counts = [
        20 if isinstance(m, Reply) else len(m.content if isinstance(m, ToolResult) else m.text) / 4
        for m in messages
    ]
    return round((600 + sum(counts)) * 4 * per_character)


def kept(messages: Sequence[Message], context: float, per_character: float) -> int:
    """What a server reads that drops the oldest messages until the prompt fits."""
    left = list(messages)
    while len(left) > 1 and tokens(left, per_character) > context:
        del left[0]
    return tokens(left, per_character)


def notices(context: float, per_character: float, said: Reply) -> list[tuple[float, bool]]:
    """For each step of the run: the part of the prompt that was read, and whether it was told."""
    seen, replies = [], list[Reply]()
    for messages in prompts(said):
        known = iter(replies)
        told = [next(known) if isinstance(m, Reply) else m for m in messages]
        sent = Conversation(of_tokens(600), (), tuple(told))
        usage = Usage(kept(messages, context, per_character), said.usage.tokens_out)
        whole = tokens(messages, per_character)
        seen.append(((usage.tokens_in or 0) / whole, bool(signs_of_a_cut(sent, 4 * whole, usage))))
        replies.append(replace(said, usage=usage))
    return seen


SAID = Reply("s" + "ay it " * 13, raw={}, usage=Usage(None, 20))


@pytest.mark.parametrize("context", range(1_100, 4_001, 100))
@pytest.mark.parametrize("per_character", [0.18, 0.25, 0.3])
def test_a_server_that_drops_the_oldest_messages_is_noticed(
    context: int, per_character: float
) -> None:
    # Where it dropped next to nothing, the count cannot tell.
    seen = notices(context * 4 * per_character, per_character, SAID)
    assert not any(told for part, told in seen if part == 1)
    assert all(told for part, told in seen if part < 0.85)


@pytest.mark.parametrize("per_character", [0.18, 0.25, 0.3])
def test_a_run_whose_prompts_are_read_whole_gives_no_sign(per_character: float) -> None:
    assert not any(told for _, told in notices(10**6, per_character, SAID))


@pytest.mark.parametrize(
    "added",
    [
        "The quick brown fox jumps over the lazy dog. " * 60,  # 10 tokens a sentence
        "    " * 900 + "return\n" * 60,
        "|" + "-" * 3_000 + "|",
    ],
)
def test_a_text_of_few_tokens_is_no_cut(talk: Talk, added: str) -> None:
    before = Reply("", raw={}, usage=Usage(346, 20))  # most of them a vendor's own for tools
    said = talk(Question("Why?"), before, ToolResult("a", added))
    assert signs_of_a_cut(said, len(added) + 500, Usage(346 + 20 + 10 * 60)) == ""


@pytest.mark.parametrize(
    "before",
    [
        Reply("x", usage=Usage(5_000)),  # retold: it was another model's
        Reply("x", raw={}, usage=Usage(5_000, estimated=True)),
        Reply("x", raw={}),
    ],
)
def test_counts_that_are_not_this_models_own_are_not_compared(talk: Talk, before: Reply) -> None:
    assert signs_of_a_cut(talk(Question("Why?"), before), 4_000, Usage(1_000)) == ""


@pytest.mark.parametrize(
    "thought",
    [
        Reply("Yes.", raw={}, thinking="so then " * 500, usage=Usage(400, 900)),
        Reply("Yes.", raw={}, usage=Usage(400, 900)),  # reasoned, and did not show it
    ],
)
def test_reasoning_that_is_not_sent_again_is_no_cut(talk: Talk, thought: Reply) -> None:
    later = Reply("No.", raw={}, usage=Usage(1_300, 5))
    said = talk(Question("Why?"), thought, Question("Yes?"), later, Question("No?"))
    assert signs_of_a_cut(said, 3_000, Usage(430)) == ""


def test_a_cut_is_noticed_in_a_run(loopback: Loopback, talk: Talk, watch: Any) -> None:
    loopback.say("openai", "Yes.")
    model = HostedModel(Endpoint("mine", "openai", loopback.url, free=True), "m")
    model.reply(talk(Question("word " * 4_000)), watch)
    ((about, text),) = watch.notices
    assert about == "prompt cut"
    assert "far too few" in text
