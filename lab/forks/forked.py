"""What a fork has otherwise than the run it parts from, word by word. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal, TypeAlias

from lab.events import Asked, Event, ModelReplied, Noticed, Reopened, ToolFinished
from lab.forks.forking import is_notice, name_of
from lab.run import Run

SHOWN_WORDS = 12
"""So many words on either side of a change are shown; those between are counted."""

Piece: TypeAlias = tuple[Literal["same", "out", "in", "gap"], str]
"""A stretch of text and what became of it; for a gap, how many words are left out."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One text that the fork has otherwise."""

    what: str
    before: str
    after: str


def differences(parent: Run, fork: Run, seq: int) -> list[Difference]:
    """What differs of the settings, and of the event of the parent at which the fork parts."""
    old, new = parent.settings, fork.settings
    descriptions = {tool.name: tool.description for tool in new.tools}
    found = [
        Difference("model", old.model, new.model),
        Difference("tool calls", old.protocol, new.protocol),
        Difference("address", old.base_url, new.base_url),
        Difference("system prompt", old.system, new.system),
    ]
    found += [
        Difference(f"description of {t.name}", t.description, descriptions.get(t.name, ""))
        for t in old.tools
    ]
    if changed := changed_event(fork):
        found += of_event(parent, parent.events[seq], changed)
    return [one for one in found if one.before != one.after]


def changed_event(fork: Run) -> Event | None:
    """The last event that the fork took over, which is the one that may be changed."""
    events = fork.events
    notices = [place for place, event in enumerate(events) if is_notice(event)]
    before = reversed(events[: notices[-1]]) if notices else iter(())
    return next((e for e in before if not isinstance(e, Noticed | Reopened)), None)


def of_event(parent: Run, old: Event, new: Event) -> Iterator[Difference]:
    """The texts of two events of the same kind."""
    match old, new:
        case ToolFinished(call_id, before, failed), ToolFinished():
            name = name_of(parent, call_id)
            kinds = {False: "a result", True: "an error"}
            yield Difference(f"{name} came back with", kinds[failed], kinds[new.failed])
            yield Difference(f"result of {name}", before, new.content)
        case Asked(before), Asked(after):
            yield Difference("question", before, after)
        case ModelReplied(), ModelReplied() if not old.reply.calls:
            yield Difference("answer", old.reply.text, new.reply.text)
        case ModelReplied(), ModelReplied():
            for one, other in zip(old.reply.calls, new.reply.calls, strict=False):
                written = [
                    c.raw if c.arguments is None else shown(c.arguments) for c in (one, other)
                ]
                yield Difference(f"arguments of {one.name}", *written)


def shown(arguments: object) -> str:
    """Arguments as a person reads and edits them."""
    return json.dumps(arguments, ensure_ascii=False, indent=1)


def pieces(before: str, after: str) -> Iterator[Piece]:
    """The two texts in one: what stayed, what went out, what came in."""
    old, new = words(before), words(after)
    head = alike(old, new)
    tail = alike(old[head:][::-1], new[head:][::-1])
    yield from shortened(old[:head], 0, SHOWN_WORDS)
    yield from between(old[head : len(old) - tail], new[head : len(new) - tail])
    yield from shortened(old[len(old) - tail :], SHOWN_WORDS, 0)


def between(old: list[str], new: list[str]) -> Iterator[Piece]:
    """What lies between the first words that differ and the last."""
    for kind, start, end, new_start, new_end in SequenceMatcher(None, old, new).get_opcodes():
        if kind == "equal":
            yield from shortened(old[start:end], SHOWN_WORDS, SHOWN_WORDS)
            continue
        if end > start:
            yield "out", "".join(old[start:end])
        if new_end > new_start:
            yield "in", "".join(new[new_start:new_end])


def alike(old: list[str], new: list[str]) -> int:
    """How many words are the same from the first on."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(old), len(new)))


def words(text: str) -> list[str]:
    """The text in words, each with the blanks before it; joined, they are the text."""
    return re.findall(r"\s*\S+|\s+\Z", text)


def shortened(same: list[str], head: int, tail: int) -> Iterator[Piece]:
    """A stretch that stayed: its first and last words, and how many are between."""
    left_out = same[head : len(same) - tail]
    if len(left_out) <= SHOWN_WORDS:
        if same:
            yield "same", "".join(same)
        return
    if head:
        yield "same", "".join(same[:head])
    yield "gap", f"{len(left_out):,}"
    if tail:
        yield "same", "".join(same[len(same) - tail :])
