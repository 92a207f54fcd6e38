"""The first place where runs on one question part, in one sentence. Knows steps, no runs.

A step is known by its key: what it asked for, in plain form. A step that is still awaited has no
key yet, and nothing is said of it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from lab import wording
from lab.messages import ToolCall
from lab.steps import Step

Key: TypeAlias = tuple[str, ...]
"""What a step did: its calls in plain form, or that it answered or failed. Empty: not known yet."""

VERBS = {"search_site": "searched", "read_passage": "read", "calculate": "calculated"}
SHOWN_CHARACTERS = 100
OVER: Key = ("over",)
"""The key of a step that never came, since the run was over."""


@dataclass(frozen=True, slots=True)
class Parting:
    """Where the columns differ first."""

    step: int
    """1 for the first."""
    sentence: str


def parting(columns: Sequence[Sequence[Step]], over: Sequence[bool], names: str) -> Parting | None:
    """Where the columns differ first; None where they do not, or not yet.

    `over` says which columns get no further step.
    """
    place = together(columns)
    groups: dict[Key, list[int]] = {}
    for column, steps in enumerate(columns):
        key = step_key(steps[place]) if place < len(steps) else OVER if over[column] else ()
        if key:
            groups.setdefault(key, []).append(column)
    if len(groups) < 2:
        return None
    parted = [columns[members[0]][place : place + 1] for members in groups.values()]
    before = {view.call.name for step in columns[0][:place] for view in step.calls}
    told = [
        f"{listed([names[member] for member in members])} {does}"
        for members, does in zip(groups.values(), deeds(parted, before), strict=True)
    ]
    reading = all(tools_of(steps) == ("read_passage",) for steps in parted)
    lead = "After the same search, at" if reading and "search_site" in before else "At"
    return Parting(place + 1, f"{lead} step {place + 1} {'; '.join(told)}")


def together(columns: Sequence[Sequence[Step]]) -> int:
    """How many steps from the first on are the same in all columns."""
    count = 0
    for steps in zip(*columns, strict=False):
        keys = {step_key(step) for step in steps}
        if len(keys) > 1 or () in keys:
            break
        count += 1
    return count


def step_key(step: Step) -> Key:
    """What a step did, so that the same is equal and another is not."""
    if step.failure:
        return ("failed",)
    if step.reply is None:
        return ()
    if step.reply.calls:
        return tuple(call_key(call) for call in step.reply.calls)
    return ("unusable",) if step.reply.fault else (step.reply.stop,)


def call_key(call: ToolCall) -> str:
    """A call in plain form: blanks and case of a query or an id do not make another of it."""
    if call.arguments is None:
        return f"{call.name} unreadable {call.raw}"
    plain = {name: plainly(call.name, value) for name, value in call.arguments.items()}
    return f"{call.name} {json.dumps(plain, sort_keys=True, default=str)}"


def plainly(tool: str, value: object) -> object:
    """An argument without what makes no difference."""
    if not isinstance(value, str):
        return value
    if tool == "calculate":
        return "".join(value.split())
    return " ".join(value.casefold().strip(" []").split())


def deeds(steps: Sequence[Sequence[Step]], before: set[str]) -> list[str]:
    """What each of these steps did, with as much detail as tells them apart."""
    tools = [tools_of(step) for step in steps]
    searching = any("search_site" in names for names in tools)
    return [
        deed(
            step,
            names,
            detailed=tools.count(names) > 1,
            straight=searching and not before and "search_site" not in names,
        )
        for step, names in zip(steps, tools, strict=True)
    ]


def tools_of(steps: Sequence[Step]) -> tuple[str, ...]:
    """The tools these steps called, each once."""
    return tuple(dict.fromkeys(view.call.name for step in steps for view in step.calls))


def deed(steps: Sequence[Step], tools: Sequence[str], detailed: bool, straight: bool) -> str:
    """What one step did; `straight` where others looked something up first."""
    if not steps:
        return "took no further step"
    if not tools:
        return ending(steps[0]) + (" straight away" if straight and answers(steps[0]) else "")
    calls = [view.call for view in steps[0].calls]
    parts = [doing([c for c in calls if c.name == tool], detailed) for tool in tools]
    said = ", then ".join(parts)
    if straight and said.startswith("calculated "):
        return f"went straight to calculate {said.removeprefix('calculated ')}"
    return said


def doing(calls: Sequence[ToolCall], detailed: bool) -> str:
    """What the calls of one tool did."""
    name = calls[0].name
    if name == "search_site" and not detailed:
        return "searched"
    verb = VERBS.get(name, f"called {name}")
    return f"{verb} {listed([argument(call) for call in calls])}"


def argument(call: ToolCall) -> str:
    """What a call was given, in short."""
    if call.arguments is None:
        return "with arguments that cannot be read"
    values = list(call.arguments.values())
    text = str(values[0]) if len(values) == 1 else json.dumps(call.arguments, ensure_ascii=False)
    said = wording.one_line(text)
    said = said if len(said) <= SHOWN_CHARACTERS else f"{said[:SHOWN_CHARACTERS]} …"
    return f'"{said}"' if call.name == "search_site" and len(values) == 1 else said


def answers(step: Step) -> bool:
    """True for a step that is an answer."""
    return step_key(step) == ("answer",)


def ending(step: Step) -> str:
    """What a step without a call did."""
    if step.failure:
        return "got no reply"
    if step.reply and step.reply.fault:
        return "gave a reply that cannot be used"
    stop = step.reply.stop if step.reply else "unknown"
    return {"answer": "answered", "cut": "was cut off", "refused": "refused"}.get(
        stop, "stopped without an answer"
    )


def listed(parts: Sequence[str]) -> str:
    """A, B and C."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
