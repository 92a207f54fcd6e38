"""Connections that outlast a call: used again where all went well, closed where it did not."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from lab.messages import Conversation
from lab.models.capture import Capture
from lab.models.endpoints import Endpoint
from lab.models.hosted import HostedModel
from lab.models.lines import Hooks, Lines, Opened
from lab.models.model import ModelError

if TYPE_CHECKING:
    from tests.conftest import Loopback

Talk = Callable[..., Conversation]


class Opening:
    """Opens clients that are nothing but numbers, and says which of them were closed."""

    def __init__(self) -> None:
        self.hooks: list[Hooks] = []
        self.closed: list[int] = []

    def __call__(self, hooks: Hooks) -> Opened:
        self.hooks.append(hooks)
        number = len(self.hooks)
        return number, lambda: self.closed.append(number)


@pytest.fixture
def opening() -> Opening:
    return Opening()


def model_at(loopback: Loopback, wire: Any, stream: bool) -> HostedModel:
    return HostedModel(Endpoint("mine", wire, loopback.url, free=True, stream=stream), "m")


@pytest.mark.parametrize(
    ("wire", "stream", "connections"),
    [
        ("openai", False, 1),
        ("openai", True, 3),  # nothing is read after [DONE]: a server may keep the stream open
        ("anthropic", False, 1),
        ("anthropic", True, 1),
    ],
)
def test_the_next_call_goes_over_the_same_connection(
    wire: str, stream: bool, connections: int, *, loopback: Loopback, talk: Talk, watch: Any
) -> None:
    model = model_at(loopback, wire, stream)
    for text in ("One.", "Two.", "Three."):
        loopback.say(wire, text)
        assert model.reply(talk(), watch)[0].text == text
    assert loopback.connections == connections


def test_a_call_after_one_that_failed_has_a_connection_of_its_own(
    wire: str, loopback: Loopback, talk: Talk, watch: Any
) -> None:
    model = model_at(loopback, wire, True)
    loopback.json({"error": {"message": "no such key"}}, 401)
    with pytest.raises(ModelError):
        model.reply(talk(), watch)
    loopback.say(wire, "Yes.")
    assert model.reply(talk(), watch)[0].text == "Yes."
    assert loopback.connections == 2


def test_a_server_that_hangs_up_between_two_steps_is_called_anew(
    wire: str, loopback: Loopback, talk: Talk, watch: Any
) -> None:
    model = model_at(loopback, wire, False)
    loopback.hangs_up = True
    for text in ("One.", "Two."):
        loopback.say(wire, text)
        assert model.reply(talk(), watch)[0].text == text
        assert loopback.hung_up.acquire(timeout=10)
    assert loopback.connections == 2
    assert watch.notices == []


def test_calls_at_the_same_time_have_a_line_each(opening: Opening, watch: Any) -> None:
    lines = Lines(opening)
    with lines.lent(Capture(watch)) as one, lines.lent(Capture(watch)) as two:
        assert one != two
    with lines.lent(Capture(watch)) as again:
        assert again in (one, two)
    assert opening.closed == []


def test_a_line_is_closed_with_the_call_that_failed_on_it(opening: Opening, watch: Any) -> None:
    lines = Lines(opening)
    with pytest.raises(OSError, match="broken"), lines.lent(Capture(watch)):
        raise OSError("broken")
    assert opening.closed == [1]
    with lines.lent(Capture(watch)) as client:
        assert client == 2


def test_a_line_given_up_when_its_answer_was_complete_is_not_used_again(
    opening: Opening, watch: Any
) -> None:
    lines, capture = Lines(opening), Capture(watch)
    with lines.lent(capture):
        pass
    threading.Thread(target=capture.close).run()
    with lines.lent(Capture(watch)) as client:
        assert client == 2


def test_only_the_call_that_has_the_line_sees_what_goes_over_it(
    opening: Opening, watch: Any
) -> None:
    class Response:
        status_code, headers, stream = 204, {"X-One": "1"}, ()

    lines, first, second = Lines(opening), Capture(watch), Capture(watch)
    with lines.lent(first):
        pass
    with lines.lent(second):
        opening.hooks[0]["response"][0](Response())
    assert (first.status, second.status) == (None, 204)


def test_lines_that_nobody_holds_any_more_are_closed(opening: Opening, watch: Any) -> None:
    lines = Lines(opening)
    with lines.lent(Capture(watch)), lines.lent(Capture(watch)):
        pass
    del lines
    gc.collect()
    assert sorted(opening.closed) == [1, 2]
