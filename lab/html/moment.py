"""A run as it stood after one of its events, as HTML: the event, what was needed, what met it.

Everything shown came from a model or a site and is escaped.
"""

from __future__ import annotations

from html import escape

from lab import wording
from lab.events import ConsentGiven, Event, ToolFinished, ToolStarted
from lab.forks.forking import name_of
from lab.moment import Moment
from lab.replay import needed_words, recorded_words
from lab.run import Run

SHOWN_CHARACTERS = 300


def moment_html(run: Run, at: int, moment: Moment) -> str:
    """The event, the need that follows from it, and whether the recording meets that."""
    entry = run.recorded[at]
    sign, kind, said = verdict(run, moment)
    needed = needed_words(moment.need) if moment.need else "nothing: no question is open"
    return (
        f"<dl class='lab-moment'><dt>event {at}</dt><dd>{words(run, entry.event)}"
        f"<small>{escape(entry.at[:23].replace('T', ' '))} UTC</small></dd>"
        f"<dt>now needed</dt><dd>{short(needed)}</dd>"
        f"<dt>recorded next</dt><dd class='lab-{kind}'>{sign} {said}</dd></dl>"
    )


def verdict(run: Run, moment: Moment) -> tuple[str, str, str]:
    """A sign, the class it is shown in, and what was recorded next."""
    if moment.fault:
        return "✗", "bad", short(moment.fault)
    if moment.then is None:
        if moment.need is None:
            return "✓", "good", "nothing: this is the last event"
        return "⚠", "bad", "nothing: the recording ends before the need was met"
    said = f"event {moment.then.seq}: {words(run, moment.then.event)}"
    if moment.outside:
        return "→", "note", f"{said}, which came from outside"
    return "✓", "good", f"{said}, as needed"


def words(run: Run, event: Event) -> str:
    """An event in a few words, with the tool's name where a call is meant."""
    match event:
        case ToolStarted(call_id):
            said = f"start of {name_of(run, call_id)}"
        case ToolFinished(call_id, _, failed):
            said = f"{'error' if failed else 'result'} of {name_of(run, call_id)}"
        case ConsentGiven(call_id, allowed):
            said = f"a {'yes' if allowed else 'no'} to {name_of(run, call_id)}"
        case _:
            said = recorded_words(event)
    return short(said)


def short(text: str) -> str:
    """One line of it, escaped."""
    line = wording.one_line(text)
    return escape(line if len(line) <= SHOWN_CHARACTERS else f"{line[:SHOWN_CHARACTERS]} …")
