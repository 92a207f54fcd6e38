"""The numbers of a step as HTML: seconds, tokens, money, and how they have summed up so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lab import wording
from lab.html.bars import bar_html, counted
from lab.messages import Exchange, Usage
from lab.steps import Step
from lab.totals import Amount, parts_of

NAMES = ("step", "what", "seconds", "in", "out", "cost")
TITLES = ("step", "asked for → came back", "seconds", "tokens in", "out", "cost")
HEAD = (
    "<div class='lab-row lab-heads' aria-hidden='true'>"
    + "".join(
        f"<span class='lab-{name}'>{title}</span>"
        for name, title in zip(NAMES, TITLES, strict=True)
    )
    + "</div>"
)
"""The headings of the columns; each figure has its name with it as well."""


@dataclass(frozen=True, slots=True)
class Used:
    """What the steps of a question have used, up to one of them."""

    tokens_in: Amount
    usd: Amount


def so_far(steps: Iterable[Step]) -> Iterator[Used]:
    """What was used up to each step, that one included."""
    used = Used(Amount(), Amount())
    for step in steps:
        if step.reply or step.failure:
            usage = step.reply.usage if step.reply else Usage()
            for part, cost in parts_of(usage, step.exchange or Exchange()):
                used = Used(
                    used.tokens_in.plus(part.tokens_in, part.estimated),
                    used.usd.plus(cost.usd, part.estimated),
                )
        yield used


def figures_html(
    step: Step, before: Step | None, top: int, used: Used, running: bool = False
) -> str:
    """The cells of one step."""
    usage = step.reply.usage if step.reply else Usage()
    price = wording.cost(step.exchange.cost) if step.exchange else wording.UNKNOWN
    over = bool(step.reply or step.failure)
    cells = {
        "step": labelled("step", str(step.number)),
        "seconds": seconds_html(step),
        "in": f"{bar_html(step, before, top)}{labelled('tokens in', counted(step))}"
        f"{cached_html(usage)}{sum_html(wording.amount(used.tokens_in), over)}",
        "out": labelled("tokens out", wording.tokens(usage.tokens_out, usage.estimated)),
        "cost": labelled("cost", price) + sum_html(wording.amount(used.usd, dollars=True), over),
    }
    drawn = "".join(f"<div class='lab-{name}'>{cell}</div>" for name, cell in cells.items())
    return f"<div class='lab-cells{' lab-running' if running else ''}'>{drawn}</div>"


def labelled(name: str, value: str) -> str:
    """A figure with its name, which the headings of a wide page say as well."""
    return f"<span class='lab-label'>{name} </span><b>{value}</b>"


def seconds_html(step: Step) -> str:
    """The whole, and below it what it is made of."""
    exchange = step.exchange
    if exchange is None:
        return labelled("seconds", wording.UNKNOWN)
    whole = exchange.seconds + exchange.waited + step.tool_seconds
    first = exchange.first_token
    parts = [] if first is None else [f"first token {first:.2f}"]
    parts.append(f"model {exchange.seconds:.2f}")
    parts += [f"waited {exchange.waited:.2f}"] if exchange.waited else []
    parts += [f"tools {step.tool_seconds:.2f}"] if step.calls else []
    return labelled("seconds", f"{whole:.2f}") + "".join(f"<small>{part}</small>" for part in parts)


def cached_html(usage: Usage) -> str:
    """What of the input was read from the endpoint's cache, and written to it."""
    parts = ((usage.cache_read, "from the cache"), (usage.cache_write, "into the cache"))
    return "".join(f"<small>{count:,} {where}</small>" for count, where in parts if count)


def sum_html(value: str, over: bool) -> str:
    """A sum up to this step; nothing beside a step that is under way."""
    return f"<small>sum {value}</small>" if over else ""
