"""Where a question stops whatever the model does, read off the events alone."""

from __future__ import annotations

from lab.events import End, ModelFailed, ToolStarted
from lab.messages import ToolCall
from lab.run import Run
from lab.settings import Limits
from lab.totals import total

TIME_IS_UP = "the time limit is reached"
"""Why a call in progress is given up when its time is over."""


def reached(run: Run, limits: Limits) -> tuple[End, str] | None:
    """The limit that forbids one more model call, with a sentence on it; None if none does."""
    used = total(run.leg())
    if used.steps >= limits.steps:
        return "step limit", f"No answer within {limits.steps} model calls."
    if limits.tool_calls is not None and used.calls > limits.tool_calls:
        return "tool limit", f"The model asked for more than {limits.tool_calls} tool calls."
    if limits.tokens_in is not None and used.tokens_in.value >= limits.tokens_in:
        return (
            "token limit",
            f"{used.tokens_in.value:,.0f} of {limits.tokens_in:,} input tokens used.",
        )
    if limits.cost is not None and used.cost.value >= limits.cost:
        return "money limit", f"${used.cost.value:.4f} of ${limits.cost:.4f} spent."
    if limits.seconds is not None and (used.seconds >= limits.seconds or time_ran_out(run)):
        return "time limit", f"{used.seconds:.1f} of {limits.seconds:g} seconds used."
    return None


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
    used = total(run.leg())
    counted = ToolStarted(call.id) in run.leg()  # it was started before, and broken off
    if limits.tool_calls is not None and used.tools_run >= limits.tool_calls and not counted:
        return f"Not run: the limit of {limits.tool_calls} tool calls for this question is reached."
    if limits.seconds is not None and used.seconds >= limits.seconds:
        return f"Not run: the {limits.seconds:g} seconds for this question are used up."
    return ""


def seconds_left(run: Run, limits: Limits) -> float | None:
    """Seconds of the time limit not yet used by finished calls; None where there is no limit."""
    if limits.seconds is None:
        return None
    return max(0.0, limits.seconds - total(run.leg()).seconds)
