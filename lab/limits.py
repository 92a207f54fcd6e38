"""Where a question stops whatever the model does, read off the events alone."""

from __future__ import annotations

from lab.events import End, ModelFailed, started
from lab.messages import Cost, ToolCall, Usage
from lab.models.estimates import estimated_tokens
from lab.run import Run
from lab.settings import Limits
from lab.totals import Totals

TIME_IS_UP = "the time limit is reached"
"""Why a call in progress is given up when its time is over."""


def reached(run: Run, limits: Limits) -> tuple[End, str] | None:
    """The limit that forbids one more model call, with a sentence on it; None if none does."""
    used = run.used()
    if used.steps >= limits.steps:
        return "step limit", f"No answer within {several(limits.steps, 'model call')}."
    if limits.tool_calls is not None and used.calls > limits.tool_calls:
        most = several(limits.tool_calls, "tool call")
        return "tool limit", f"The model asked for more than {most}."
    if limits.tokens_in is not None and tokens_sent(used) >= limits.tokens_in:
        most = several(limits.tokens_in, "input token")
        return "token limit", f"{tokens_sent(used):,.0f} of {most} used."
    if limits.cost is not None and used.cost.value >= limits.cost:
        return "money limit", f"${used.cost.value:.4f} of ${limits.cost:.4f} spent."
    if limits.seconds is not None and (used.seconds >= limits.seconds or time_ran_out(run)):
        return "time limit", f"No answer within {several(limits.seconds, 'second')}."
    return None


def would_exceed(run: Run, limits: Limits, likely: Usage, cost: Cost) -> tuple[End, str] | None:
    """The limit that a call might break, by what it will likely use at most, output cap included.

    A limit on money cannot be kept where no price is known, or where an endpoint does not say what
    was used, so there it forbids the call.
    """
    used = run.used()
    tokens = likely.tokens_in or 0
    if limits.tokens_in is not None and tokens_sent(used) + tokens > limits.tokens_in:
        most = several(limits.tokens_in, "input token")
        return "token limit", (
            f"{tokens_sent(used):,.0f} of {most} used, and the next call would send about "
            f"{tokens:,}."
        )
    if limits.cost is None:
        return None
    if cost.usd is None:
        return "money limit", (
            f"A limit on money cannot be kept: {cost.basis}. Add a price (see prices.toml in the "
            "README), or leave the limit out."
        )
    if used.cost.unknown:
        return "money limit", (
            "A limit on money cannot be kept: the endpoint does not say what its answers used. "
            "Leave the limit out, or set one on tokens in."
        )
    if used.cost.value + cost.usd > limits.cost:
        return "money limit", (
            f"${used.cost.value:.4f} of ${limits.cost:.4f} is spent, and the next call may cost "
            f"up to ${cost.usd:.4f}."
        )
    return None


def tokens_sent(used: Totals) -> float:
    """Tokens in so far, as many as were counted and about as many as nobody counted."""
    return used.tokens_in.value + estimated_tokens(used.unread)


def time_ran_out(run: Run) -> bool:
    """True where the newest call was given up for its time; its own seconds may not show that."""
    last = run.leg()[-1:]
    return any(
        attempt.error == TIME_IS_UP
        for event in last
        if isinstance(event, ModelFailed)
        for attempt in event.exchange.attempts
    )


def why_not_run(call: ToolCall, run: Run, limits: Limits) -> str:
    """Why a tool may not run, as its call's result; empty where it may."""
    used = run.used()
    counted = started(call.id, run.leg())  # it was started before, and broken off
    if limits.tool_calls is not None and used.tools_run >= limits.tool_calls and not counted:
        return spent(several(limits.tool_calls, "tool call"))
    if limits.seconds is not None and used.seconds >= limits.seconds:
        return spent(several(limits.seconds, "second"))
    return ""


def spent(most: str) -> str:
    """The result of a call that a limit forbids."""
    return f"Not run: the limit of {most} for this question is reached."


def several(count: float, noun: str) -> str:
    """A number with its noun: `1 second`, `2.5 seconds`, `4,096 seconds`."""
    number = f"{count:,}" if isinstance(count, int) else f"{count:g}"
    return f"{number} {noun}{'' if count == 1 else 's'}"


def seconds_left(run: Run, limits: Limits) -> float | None:
    """Seconds of the time limit not yet used by finished calls; None where there is no limit."""
    if limits.seconds is None:
        return None
    return max(0.0, limits.seconds - run.used().seconds)
