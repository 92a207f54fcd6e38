"""A run as it stood after one of its events: what it needed, and what was recorded next. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lab.loop import Need, Tools, next_need
from lab.replay import Beat, is_aside
from lab.run import Recorded, Run
from lab.settings import Limits


@dataclass(frozen=True, slots=True)
class Moment:
    """A run as it stood after one of its events."""

    need: Need
    """What it needed then; None where nothing, so that only a person could go on."""
    then: Recorded | None
    """The event that meets the need, or came from outside; None where the recording ends."""
    fault: str
    """How that event differs from what was needed, or why that was not looked into."""
    outside: bool = False
    """True where the event meets no need: a person asked, or went on."""


def moment(
    recorded: Sequence[Recorded], seq: int, beats: Sequence[Beat], tools: Tools, limits: Limits
) -> Moment:
    """The run as it stood after event `seq`; `beats` are those of its whole replay."""
    need = next_need(Run("", recorded[: seq + 1]), tools, limits)
    then = next((e for e in recorded[seq + 1 :] if not is_aside(e.event)), None)
    if then is None:
        return Moment(need, None, "")
    beat = next((beat for beat in beats if then in beat.entries), None)
    if beat is None:
        return Moment(need, then, f"Not looked into: {beats[-1].fault}")
    return Moment(beat.need or need, then, beat.fault, beat.need is None and not beat.fault)
