"""Events as JSON: what goes in comes out, and nothing unknown comes in."""

from __future__ import annotations

import dataclasses
import json
import types
from collections.abc import Callable
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.codec import KINDS, UnknownEvent, event_from_json, event_to_json
from lab.events import Asked, Event, Noticed, TurnEnded
from lab.store import fields_as_json

texts = st.text(st.characters(), max_size=20)  # lone surrogates included
numbers = st.integers(-(10**30), 10**30)
floats = st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | floats | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)


def values(kind: Any) -> st.SearchStrategy[Any]:
    """Any value of a type that events are made of."""
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return st.builds(kind, **{n: values(hint) for n, hint in get_type_hints(kind).items()})
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin is tuple:
        return st.lists(values(arguments[0]), max_size=3).map(tuple)
    if origin in (Union, types.UnionType):
        return st.one_of([values(argument) for argument in arguments])
    if origin is dict:
        inner = json_values if arguments[1] is Any else values(arguments[1])
        return st.dictionaries(texts, inner, max_size=3)
    return {
        str: texts,
        int: numbers,
        float: floats,
        bool: st.booleans(),
        type(None): st.none(),
    }[kind]


def through_text(event: Event) -> Event:
    return event_from_json(json.loads(json.dumps(event_to_json(event))))


def through_the_store(event: Event) -> Event:
    return event_from_json({"kind": type(event).__name__, **json.loads(fields_as_json(event))})


@pytest.mark.parametrize("through", [through_text, through_the_store])
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@given(data=st.data())
def test_every_kind_of_event_comes_back_as_it_was(
    through: Callable[[Event], Event], kind: type[Event], data: st.DataObject
) -> None:
    event = data.draw(values(kind))
    assert through(event) == event


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_no_field_of_an_event_takes_the_place_of_its_kind(kind: type[Event]) -> None:
    assert "kind" not in {field.name for field in dataclasses.fields(kind)}


def test_the_kind_stands_first_and_tuples_become_arrays() -> None:
    written = event_to_json(Noticed("retry", "Again.", for_model=True))
    assert list(written.items()) == [
        ("kind", "Noticed"),
        ("about", "retry"),
        ("text", "Again."),
        ("for_model", True),
    ]


@pytest.mark.parametrize("default", [Asked("x"), TurnEnded("answered")])
def test_fields_with_a_default_may_be_missing(default: Event) -> None:
    whole = event_to_json(default)
    required = {f.name for f in dataclasses.fields(default) if f.default is dataclasses.MISSING}
    assert event_from_json({k: v for k, v in whole.items() if k in {"kind", *required}}) == default


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"kind": ""},
        {"kind": "Dreamt"},
        {"kind": ["Asked"]},
        {"kind": None, "question": "x"},
        {"kind": "Asked"},
        {"kind": "Asked", "question": "x", "extra": 1},
        {"kind": "TurnEnded", "reason": "bored"},
        {"kind": "TurnEnded", "reason": ["answered"]},
        {"kind": "RunStarted", "settings": "none"},
        {"kind": "RunStarted", "settings": None},
        {"kind": "RunStarted", "settings": {"model": "m", "system": "", "tools": "abc"}},
        {"kind": "RunStarted", "settings": {"model": "m", "system": "", "tools": [7]}},
        {"kind": "ModelReplied", "step": 1, "reply": {"text": "", "calls": 3}, "exchange": {}},
        {"kind": "ModelReplied", "step": 1, "reply": {"text": "", "stop": "x"}, "exchange": {}},
        {"kind": "ModelReplied", "step": 1, "reply": [], "exchange": {}},
    ],
    ids=json.dumps,
)
def test_an_unknown_kind_or_shape_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(UnknownEvent):
        event_from_json(data)


def test_reading_leaves_the_data_as_it_was() -> None:
    data = event_to_json(Asked("x"))
    event_from_json(data)
    assert data == {"kind": "Asked", "question": "x"}
