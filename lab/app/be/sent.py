"""What a person in the model's place is sent at a step, and beside it what they can reply."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from lab import wording
from lab.app.be.replying import show_reply
from lab.elsewhere import Awaited
from lab.html.bars import legend_html, segments_html
from lab.html.context import pieces_html
from lab.models.estimates import estimated_tokens
from lab.origins import split, with_before
from lab.run import Run
from lab.steps import Step, turns


def show_welcome(run: Run) -> None:
    """What a newcomer should know at the first request."""
    if run.step() == 1:
        st.info(
            "You are the model now. All that you know of the site is what stands in the request: "
            "no model gets more. Call tools to find out, then answer.",
            icon=":material/info:",
        )


def show_turn(run: Run, asked: Awaited) -> None:
    """The newest request as a model gets it, and beside it what can be done."""
    steps = [step for step in turns(run.events)[-1].steps if step.request.body]
    step, before = steps[-1], steps[-2] if len(steps) > 1 else None
    sent, reply = st.columns([3, 2], gap="large")
    with sent:
        st.subheader(f"What you are sent, step {asked.step:,}", anchor=False)
        st.html(growth_html(steps))
        messages, raw = st.tabs(["Messages", "Raw"])
        messages.html(pieces_html(step, before))
        raw.code(asked.request.body, language=None, wrap_lines=True, height=420)
    with reply:
        show_reply(run, asked.seq)


def growth_html(steps: Sequence[Step]) -> str:
    """Tokens of every request so far, on one scale: the whole conversation is sent each time."""
    counts = [estimated_tokens(len(step.request.body)) for step in steps]
    top = max(counts)
    rows = "".join(
        f"<li><span>{step.number}</span><span class='lab-bar'>"
        f"{segments_html(split(step, before), 'width', top)}</span>"
        f"<span>{wording.tokens(count, estimated=True)}</span></li>"
        for (step, before), count in zip(with_before(steps), counts, strict=True)
    )
    return (
        f"<ol class='lab-growth'>{rows}</ol>{legend_html()}"
        f"<p class='lab-note'>≈{counts[-1]:,} tokens in this request, ≈{sum(counts):,} in all "
        "requests so far: the whole conversation is sent every time.</p>"
    )
