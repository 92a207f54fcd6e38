"""A whole run as one picture in HTML: a column a step, tokens in stacked by origin.

Built of plain elements, as the page lets no SVG through. The same stands beside it as a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lab import wording
from lab.html.bars import NAMES, counted, legend_html, row_html, segments_html, sums, tokens_in
from lab.origins import ORIGINS, Share, split
from lab.steps import Step, Turn


@dataclass(frozen=True, slots=True)
class Stack:
    """One step as it is drawn."""

    step: Step
    name: str
    shares: tuple[Share, ...]
    """Empty where the count of tokens is not known."""


def picture_html(turns: Sequence[Turn]) -> str:
    """All steps of all questions on one scale; empty where no count of tokens is known."""
    steps = [step for turn in turns for step in turn.steps]
    top = max((tokens_in(step) or 0 for step in steps), default=0)
    if not top:
        return ""
    groups = stacks(turns)
    drawn = "".join(
        f"<div class='lab-group'><div class='lab-stacks'>"
        f"{''.join(stack_html(stack, top) for stack in group)}</div>"
        f"<p>{f'question {number}' if len(groups) > 1 else 'step'}</p></div>"
        for number, group in enumerate(groups, 1)
    )
    said = sentence(steps)
    return (
        f"<figure class='lab-picture'><figcaption>{said}</figcaption>"
        f"<div class='lab-plot' role='img' aria-label='{said} The numbers are in the table below.'>"
        f"{drawn}</div>{legend_html(sums(steps))}"
        f"{table_html(stack for group in groups for stack in group)}</figure>"
    )


def stacks(turns: Sequence[Turn]) -> list[list[Stack]]:
    """The steps of each question; a request is split by what the one before it held."""
    before, groups = None, []
    for number, turn in enumerate(turns, 1):
        named, group = f"question {number}, " if len(turns) > 1 else "", []
        for step in turn.steps:
            shares = split(step, before) if tokens_in(step) else ()
            group.append(Stack(step, f"{named}step {step.number}", shares))
            before = step
        groups.append(group)
    return groups


def sentence(steps: Iterable[Step]) -> str:
    """What the picture shows, in words."""
    known = [step for step in steps if tokens_in(step)]
    counts = [tokens_in(step) or 0 for step in known]
    estimated = any(step.reply and step.reply.usage.estimated for step in known)
    whole, first, largest = (
        wording.tokens(count, estimated) for count in (sum(counts), counts[0], max(counts))
    )
    if len(counts) == 1:
        return f"{whole} tokens in, at one step."
    return (
        f"{whole} tokens in over {len(counts)} steps, {first} at the first and {largest} at the "
        "largest: all that was said before is sent again at each step."
    )


def stack_html(stack: Stack, top: int) -> str:
    """One step: its count above the stack, its number below."""
    drawn = segments_html(stack.shares, "height", top)
    if (count := tokens_in(stack.step)) and not drawn:
        drawn = f"<i style='height:{count / top:.2%}'></i>"
    return (
        f"<div class='lab-stack'><div>{drawn}<span>{counted(stack.step)}</span></div>"
        f"<b>{stack.step.number}</b></div>"
    )


def table_html(of: Iterable[Stack]) -> str:
    """The same as numbers; opens in place."""
    rows = []
    for stack in of:
        tokens = {share.origin: share.tokens for share in stack.shares}
        shares = (wording.tokens(tokens.get(origin), estimated=True) for origin in ORIGINS)
        rows.append(row_html(stack.name, *shares, counted(stack.step)))
    names = "".join(f"<th scope='col'>{name}</th>" for name in (*NAMES.values(), "all"))
    return (
        "<details><summary>The numbers</summary><table class='lab-split'>"
        f"<thead><tr><td></td>{names}</tr></thead><tbody>{''.join(rows)}</tbody></table></details>"
    )
