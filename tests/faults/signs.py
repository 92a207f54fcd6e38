"""What must be seen of a fault in the events of its run: words for a reader, and a check."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

from lab.events import (
    Event,
    ModelAsked,
    ModelFailed,
    ModelReplied,
    Noticed,
    ToolFinished,
    ToolStarted,
    TurnEnded,
)
from lab.messages import Attempt, Reply, ToolCall

Events: TypeAlias = Sequence[Event]


@dataclass(frozen=True, slots=True)
class Sign:
    """One thing that must be seen."""

    words: str
    holds: Callable[[Events], bool]


def replies(events: Events) -> list[Reply]:
    return [event.reply for event in events if isinstance(event, ModelReplied)]


def calls(events: Events) -> list[ToolCall]:
    return [call for reply in replies(events) for call in reply.calls]


def results(events: Events) -> list[ToolFinished]:
    return [event for event in events if isinstance(event, ToolFinished)]


def attempts(events: Events) -> tuple[Attempt, ...]:
    """Those of the first model call."""
    first = next(event for event in events if isinstance(event, ModelReplied | ModelFailed))
    return first.exchange.attempts


def many(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"


def steps(count: int) -> Sign:
    return Sign(many(count, "reply").replace("ys", "ies"), lambda e: len(replies(e)) == count)


def ran(count: int) -> Sign:
    """So many tools ran, all to a result that is no error."""

    def holds(events: Events) -> bool:
        started = sum(isinstance(event, ToolStarted) for event in events)
        return started == count == sum(not result.failed for result in results(events))

    return Sign(f"{many(count, 'tool')} ran" if count else "no tool ran", holds)


def asked(*arguments: Any) -> Sign:
    """The arguments of all calls, as they were read."""
    return Sign(
        "arguments as they were written",
        lambda e: [call.arguments for call in calls(e)] == list(arguments),
    )


def ids(*wanted: str) -> Sign:
    """The ids of all calls, as they were made unique."""
    return Sign(f"ids {', '.join(wanted)}", lambda e: [call.id for call in calls(e)] == [*wanted])


def error(said: str) -> Sign:
    """A result that is an error and says so."""
    return Sign(
        f"the call's result: “{said}”",
        lambda e: any(r.failed and said in r.content for r in results(e)),
    )


def told(said: str) -> Sign:
    """A result that says so."""
    return Sign(f"a result with “{said}”", lambda e: any(said in r.content for r in results(e)))


def notice(about: str) -> Sign:
    return Sign(
        f"a notice of a {about}",
        lambda e: any(isinstance(event, Noticed) and event.about == about for event in e),
    )


def quiet() -> Sign:
    """Nothing had to be repaired, corrected or tried again."""
    return Sign("no notice", lambda e: not any(isinstance(event, Noticed) for event in e))


def statuses(*codes: int) -> Sign:
    """The attempts of the first model call."""
    shown = ", ".join(map(str, codes))
    return Sign(
        f"attempts with status {shown}", lambda e: tuple(a.status for a in attempts(e)) == codes
    )


def waited(low: float, high: float) -> Sign:
    """The wait before the second attempt, in seconds."""
    span = f"{low:g}" if low == high else f"{low:g} to {high:g}"
    return Sign(f"a wait of {span} s", lambda e: low <= attempts(e)[1].waited <= high)


def ended(said: str) -> Sign:
    """What is said of the end."""
    return Sign(
        f"“{said}”", lambda e: any(isinstance(x, TurnEnded) and said in x.detail for x in e)
    )


def plain_end() -> Sign:
    """What is said of the end is one line without any markup."""

    def holds(events: Events) -> bool:
        details = [event.detail for event in events if isinstance(event, TurnEnded)]
        return not any(sign in detail for detail in details for sign in "\n<>{}")

    return Sign("one plain line", holds)


def answer(said: str) -> Sign:
    """The answer is that text, and no more."""
    return Sign(
        f"the answer “{said}”",
        lambda e: any(isinstance(x, TurnEnded) and x.answer == said for x in e),
    )


def thought(said: str) -> Sign:
    return Sign("reasoning shown apart", lambda e: any(said in r.thinking for r in replies(e)))


def usage(words: str, tokens_in: int | None, cache: int | None = None) -> Sign:
    """The counts of the first reply."""

    def holds(events: Events) -> bool:
        counts = replies(events)[0].usage
        parts = (counts.tokens_in, counts.cache_read, counts.cache_write)
        return parts == (tokens_in, cache, cache)

    return Sign(words, holds)


def small_requests(characters: int) -> Sign:
    return Sign(
        f"no request above {characters:,} characters",
        lambda e: all(len(x.request.body) < characters for x in e if isinstance(x, ModelAsked)),
    )


def one_wrapper() -> Sign:
    """Of each passage only the wrapper's own tags stand in the result."""

    def holds(events: Events) -> bool:
        read = [r.content.casefold() for r in results(events) if "<passage" in r.content]
        return bool(read) and all(
            text.count("<passage") == text.count("</passage") == 1 for text in read
        )

    return Sign("the page's own closing tag made harmless", holds)


def growing() -> Sign:
    """Each request holds more than the one before."""

    def holds(events: Events) -> bool:
        sizes = [len(x.request.body) for x in events if isinstance(x, ModelAsked)]
        return all(a < b for a, b in pairwise(sizes))

    return Sign("requests that only grow", holds)
