"""A response body with anything anywhere in it: a well-formed reply, or a failure that is told."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lab.codec import event_from_json, event_to_json
from lab.events import ModelReplied
from lab.messages import Conversation, Exchange, Reply
from lab.models import anthropic, openai
from lab.models.endpoints import Endpoint
from lab.totals import total

CHAT = {
    "choices": [
        {
            "message": {
                "role": "assistant",
                "content": [{"type": "text", "text": "a"}],
                "reasoning": "b",
                "reasoning_content": None,
                "refusal": None,
                "tool_calls": [
                    {"id": "c", "type": "function", "function": {"name": "d", "arguments": "{}"}},
                    {"id": "e", "type": "custom", "custom": {"name": "f", "input": "g"}},
                ],
            },
            "finish_reason": "tool_calls",
            "native_finish_reason": None,
        }
    ],
    "usage": {"prompt_tokens": 1, "completion_tokens": 2, "prompt_tokens_details": {"cached": 1}},
}
MESSAGES = {
    "content": [
        {"type": "thinking", "thinking": "a", "signature": "b"},
        {"type": "text", "text": "c"},
        {"type": "tool_use", "id": "d", "name": "e", "input": {"f": 1}},
    ],
    "stop_reason": "tool_use",
    "stop_details": {"category": None, "explanation": "g"},
    "usage": {"input_tokens": 1, "output_tokens": 2, "cache_read_input_tokens": 3},
}


def places(node: Any) -> Iterator[tuple[Any, ...]]:
    """The path of every value in a body."""
    yield ()
    items = node.items() if isinstance(node, dict) else enumerate(node)
    for key, inner in items if isinstance(node, dict | list) else ():
        yield (key,)
        if isinstance(inner, dict | list):
            yield from ((key, *path) for path in places(inner) if path)


def changed(body: Any, place: tuple[Any, ...], value: Any) -> Any:
    body = copy.deepcopy(body)
    *parents, last = place
    node = body
    for key in parents:
        node = node[key]
    node[last] = value
    return body


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["type", "text", "name", "id", "x"]), inner, max_size=2)
    ),
    max_leaves=4,
)


@pytest.mark.parametrize(("wire", "body"), [(openai, CHAT), (anthropic, MESSAGES)])
@given(st.data())
@settings(max_examples=300)
def test_any_body_gives_a_sound_reply_or_one_of_the_errors_that_are_told(
    wire: Any, body: Any, talk: Callable[..., Conversation], data: st.DataObject
) -> None:
    place = data.draw(st.sampled_from([path for path in places(body) if path]))
    odd = changed(body, place, data.draw(ODD))
    try:
        reply = wire.read_reply(odd, talk())
    except (LookupError, TypeError, AttributeError):
        return
    assert_sound(reply)
    endpoint = Endpoint("e", "openai", "")
    json.dumps(wire.request_body(talk(reply), "m", endpoint), ensure_ascii=False).encode()


def assert_sound(reply: Reply) -> None:
    texts = [reply.text, reply.thinking, reply.stop_raw, reply.detail, reply.fault]
    texts += [text for call in reply.calls for text in (call.id, call.name, call.raw, call.fault)]
    assert [text for text in texts if not isinstance(text, str)] == []
    ids = [call.id for call in reply.calls]
    assert all(ids)
    assert len(set(ids)) == len(ids)
    assert all((call.arguments is None) == bool(call.fault) for call in reply.calls)
    event = ModelReplied(1, reply, Exchange())
    assert total([event]).steps == 1
    assert event_from_json(json.loads(json.dumps(event_to_json(event)))) == event
