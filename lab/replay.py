"""Replay: a recorded run, asked again at each of its events what it needs.

Pure. It runs no model and no tool, and compares needs with what was recorded to meet them. What
a tool answered, and the words of a reply or a request, it takes as recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lab.events import (
    Asked,
    ConsentGiven,
    Event,
    ModelAsked,
    ModelFailed,
    ModelReplied,
    Noticed,
    Reopened,
    RunStarted,
    StopAsked,
    ToolFinished,
    ToolStarted,
    TurnEnded,
)
from lab.loop import (
    Need,
    NeedConsent,
    NeedCorrection,
    NeedEnd,
    NeedRefusal,
    NeedReply,
    NeedTool,
    Tools,
    next_need,
)
from lab.messages import ToolCall
from lab.prepare import OVER
from lab.run import Recorded, Run
from lab.settings import Limits
from lab.watch import RunWatch
from lab.wording import asked


@dataclass(slots=True)
class Beat:
    """Something the run needed, with the events that met it; or what came from outside."""

    need: Need
    """None where nothing was needed: a person asked, stopped or went on; a notice was made."""
    entries: list[Recorded] = field(default_factory=list)
    """Empty where nothing that meets the need was recorded."""
    fault: str = ""
    """How what was recorded differs from what was needed; nothing after it is checked."""


class AsRecorded:
    """The tools as a recording tells of them: those with effects are those decided on."""

    def __init__(self, events: Sequence[Event]) -> None:
        decided = {event.call_id for event in events if isinstance(event, ConsentGiven)}
        replies = [event.reply for event in events if isinstance(event, ModelReplied)]
        calls = [call for reply in replies for call in reply.calls]
        self._names = {call.name for call in calls if call.id in decided}

    def has_effects(self, call: ToolCall) -> bool:
        return call.name in self._names

    def run(self, call: ToolCall, watch: RunWatch) -> ToolFinished:
        raise RuntimeError("a replay runs no tool")


def replay(recorded: Sequence[Recorded], tools: Tools, limits: Limits) -> list[Beat]:
    """The run beat by beat, up to its end or the first event that meets no need."""
    beats: list[Beat] = []
    under_way: Beat | None = None
    since = 0  # what is recorded may meet a need of here: what came after is only asides
    for place, entry in enumerate(recorded):
        if entry.seq != place:
            return [*beats, Beat(None, [entry], f"Event {place} is missing.")]
        if is_aside(entry.event):
            if under_way:
                under_way.entries.append(entry)
            else:
                beats.append(Beat(None, [entry]))
            continue
        if under_way and goes_on(under_way, entry.event):
            under_way.entries.append(entry)
        else:
            begun = [Run("", recorded[:length]) for length in range(place, since - 1, -1)]
            beats.append(beat_of(entry, begun, tools, limits))
            if beats[-1].fault:
                return beats
            under_way = beats[-1]
        if not isinstance(entry.event, ModelAsked | ToolStarted):
            under_way = None
        since = place + 1
    needed = next_need(Run("", recorded), tools, limits)
    return [*beats, Beat(needed)] if needed and not under_way else beats


def beat_of(entry: Recorded, begun: Sequence[Run], tools: Tools, limits: Limits) -> Beat:
    """The need that an event begins to meet.

    `begun` holds the run as it stands, and as it stood before each of the asides just before the
    event: a person may press Stop after the loop has looked what is needed.
    """
    if comes_from_outside(entry.event, begun[0]):
        return Beat(None, [entry])
    needs = [next_need(run, tools, limits) for run in begun]
    for need in needs:
        if meets(need, entry.event, begun[0].step()):
            return Beat(need, [entry])
    said = f"Event {entry.seq}: the run needs {needed_words(needs[0])}; recorded is "
    return Beat(needs[0], [entry], said + recorded_words(entry.event) + differing(needs, entry))


def differing(needs: Iterable[Need], entry: Recorded) -> str:
    """What to say where need and event are alike but in their texts."""
    alike = {NeedRefusal: ToolFinished, NeedCorrection: Noticed, NeedEnd: TurnEnded}
    same = any(isinstance(entry.event, alike.get(type(need), ())) for need in needs)
    return ", with something else in it." if same else "."


def is_aside(event: Event) -> bool:
    """True for what may be recorded at any moment and meets no need."""
    return isinstance(event, StopAsked) or (isinstance(event, Noticed) and not event.for_model)


def comes_from_outside(event: Event, run: Run) -> bool:
    """True for what a person may do to the run as it stands."""
    match event:
        case RunStarted():
            return len(run) == 0
        case Asked():
            return len(run) > 0 and run.turn_is_over()
        case Reopened():
            end = run.end()
            held = run.stopping() or run.failed() is not None
            return end.reason not in OVER if end else held
    return False


def meets(need: Need, event: Event, step: int) -> bool:
    """True where an event is the first of those that meet a need."""
    match need, event:
        case NeedReply(), ModelAsked(number) | ModelReplied(number) | ModelFailed(number):
            return number == step
        case NeedTool(call), ToolStarted(call_id):
            return call_id == call.id
        case NeedConsent(call), ConsentGiven(call_id):
            return call_id == call.id
        case NeedRefusal(call, why), ToolFinished():
            return event == ToolFinished(call.id, why, failed=True)
        case NeedCorrection(text), Noticed():
            return event == Noticed("correction", text, for_model=True)
        case NeedEnd(reason, answer, detail), TurnEnded():
            return event == TurnEnded(reason, answer, detail)
    return False


def goes_on(beat: Beat, event: Event) -> bool:
    """True where an event goes on with what was begun to meet a need."""
    match beat.entries[0].event, event:
        case ModelAsked(step), ModelAsked(number) | ModelReplied(number) | ModelFailed(number):
            return number == step
        case ToolStarted(started), ToolFinished(call_id):
            return call_id == started
    return False


def needed_words(need: Need) -> str:
    """A need in a few words."""
    match need:
        case NeedReply():
            return "a reply"
        case NeedTool(call):
            return f"to run {asked(call)}"
        case NeedConsent(call):
            return f"a decision on {asked(call)}"
        case NeedRefusal(call, why):
            return f"a refusal of {asked(call)}: {why}"
        case NeedCorrection(text):
            return f"a correction: {text}"
        case NeedEnd(reason):
            return f"its end: {reason}"
    return "nothing"


def recorded_words(event: Event) -> str:
    """An event in a few words."""
    match event:
        case RunStarted(settings):
            return f"the start with {settings.model}"
        case Asked(question):
            return f"the question {question}"
        case ModelAsked(step):
            return f"request {step}"
        case ModelReplied(step, reply):
            names = ", ".join(call.name for call in reply.calls)
            return f"reply {step}" + (f" with {names}" if names else "")
        case ModelFailed(step, error):
            return f"failed call {step}: {error}"
        case ConsentGiven(_, allowed):
            return "a yes" if allowed else "a no"
        case ToolStarted(call_id):
            return f"start of {call_id}"
        case ToolFinished(call_id, _, failed):
            return f"{'error' if failed else 'result'} of {call_id}"
        case Noticed(about):
            return f"notice: {about}"
        case StopAsked():
            return "a stop"
        case TurnEnded(reason):
            return f"the end: {reason}"
        case Reopened():
            return "going on"
