"""Whatever a model, a person and the limits may do to a run, made by hypothesis."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, get_args

from hypothesis import strategies as st

from lab.codec import event_from_json, event_to_json
from lab.events import ConsentGiven, Event
from lab.messages import Reply, Stop, ToolCall
from lab.models.scripted import Scripted
from lab.run import Recorded, Run
from lab.settings import Limits

ARGUMENTS: list[dict[str, Any]] = [
    {},
    {"text": "x"},
    {"a": 1, "b": 2},
    {"a": "1", "b": 2},
    {"a": 1, "b": None, "c": 3},
    {"to": "me"},
]

ids = st.sampled_from(["", "a", "b", "call_1", "a_2"])
names = st.sampled_from(["echo", "add", "broken", "send", "nobody", ""])
readable = st.builds(ToolCall, ids, names, st.sampled_from(ARGUMENTS))
unreadable = st.builds(
    ToolCall, ids, names, st.none(), st.just('{"a": '), st.just("The arguments are not JSON.")
)
replies = st.builds(
    Reply,
    text=st.sampled_from(["", "  ", "It is this."]),
    calls=st.lists(readable | unreadable, max_size=3).map(tuple),
    stop=st.sampled_from(get_args(Stop)),
    fault=st.sampled_from(["", "", "", "Your reply is empty."]),
)
limits = st.builds(
    Limits,
    steps=st.integers(1, 6),
    tool_calls=st.none() | st.integers(0, 4),
    tokens_in=st.none() | st.integers(1, 3000),
    cost=st.sampled_from([None, 1.0]),
)


@dataclass(frozen=True)
class Scene:
    """What a model, a person and the limits will do."""

    replies: list[Reply]
    limits: Limits
    decisions: dict[str, tuple[bool, bool]]

    @property
    def model(self) -> Scripted:
        return Scripted(self.replies)

    def decide(self, call: ToolCall) -> ConsentGiven:
        return ConsentGiven(call.id, *self.decisions.get(call.id, (True, False)))


scenes = st.builds(
    Scene,
    st.lists(replies, max_size=6),
    limits,
    st.dictionaries(ids, st.tuples(st.booleans(), st.booleans())),
)


def saved(run: Run, length: int) -> list[Recorded]:
    """The first events of a run, as a store would give them back."""

    def again(event: Event) -> Event:
        return event_from_json(json.loads(json.dumps(event_to_json(event))))

    return [Recorded(e.seq, e.at, again(e.event)) for e in run.recorded[:length]]
