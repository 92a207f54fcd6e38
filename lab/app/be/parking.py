"""What the page does with a run that waits for a model elsewhere: attach to it, bring a reply."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

import streamlit as st

from lab.app import registry, resources, told
from lab.elsewhere import Awaited, NotAwaitedError, Parking, awaited
from lab.run import Run
from lab.tools.site import site_tools

TOOLS_SECONDS = 0.5
"""The tools of a reply are done within this as a rule."""
LOOK_SECONDS = 1.0
"""How often a page looks whether its run went on in another window."""


def attach(run: Run) -> None:
    """See to a run here that nobody in this process sees to, as after a restart."""
    settings = run.settings
    if run.turn_is_over() or registry.runner(run.id):
        return
    with told.kept():
        tools = site_tools(resources.searched(settings))
        registry.begin(run, lambda run: Parking(run, tools, settings.limits))
        settle(run.id)


def bring(id: str, reply: Callable[[Run], None]) -> None:
    """Let a run that waits go on with a reply. What is for no waiting request is dropped."""
    runner = registry.runner(id)
    if not isinstance(runner, Parking):
        return
    with told.kept(), suppress(NotAwaitedError):  # the page shows how far the run is
        runner.bring(reply)
        settle(id)


def settle(id: str) -> None:
    """Give a run a moment to come to its next request, so that the page draws that at once."""
    if runner := registry.runner(id):
        runner.join(TOOLS_SECONDS)


def waiting(ids: Sequence[str]) -> list[Awaited | None]:
    """What each of these runs waits for from elsewhere."""
    runners = [registry.runner(id) for id in ids]
    return [awaited(runner.run) if runner else None for runner in runners]


@st.fragment(run_every=LOOK_SECONDS)
def look_out(ids: Sequence[str], seen: Sequence[Awaited | None]) -> None:
    """Draw the page anew once one of these runs has gone on, whoever brought the reply."""
    if waiting(ids) != seen:
        st.rerun()
