"""Events as a fork takes them over, where they cannot stay quite as they were. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from lab.events import ConsentGiven, Event, ModelReplied, ToolStarted
from lab.models.plain import plain
from lab.settings import Settings


def retold(events: Sequence[Event], old: Settings, new: Settings) -> list[Event]:
    """The events for another model: a reply's raw form is for the one that gave it."""
    if (old.model, old.protocol, old.base_url) == (new.model, new.protocol, new.base_url):
        return list(events)
    return [
        replace(e, reply=plain(e.reply, new.protocol)) if isinstance(e, ModelReplied) else e
        for e in events
    ]


def decided_once(events: Sequence[Event]) -> Iterator[Event]:
    """The events, where a yes to a tool for the whole run becomes one to each call it covered.

    The fork is another run: what it would do next, a person has to agree to.
    """
    replies = [event.reply for event in events if isinstance(event, ModelReplied)]
    names = {call.id: call.name for reply in replies for call in reply.calls}
    always: set[str] = set()
    decided: set[str] = set()
    for event in events:
        match event:
            case ConsentGiven(call_id, allowed, for_all):
                decided.add(call_id)
                always |= {names[call_id]} if allowed and for_all else set()
                yield replace(event, always=False)
            case ToolStarted(call_id) if names[call_id] in always and call_id not in decided:
                yield ConsentGiven(call_id, allowed=True)
                yield event
            case _:
                yield event
