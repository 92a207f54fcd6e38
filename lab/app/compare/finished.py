"""What does not change any more, kept at hand: runs that have ended, steps that are done.

Shared by all visitors, as everything in a process is; given out only to who knows a run's id.
"""

from __future__ import annotations

import streamlit as st

from lab.app import registry
from lab.app.compare.columns import Drawn, drawn
from lab.run import Run
from lab.steps import Step, Turn
from lab.store import Store, StoreError

RUNS_KEPT = 40
"""As many as one comparison can have."""
STEPS_KEPT = 2000


def find(id: str, store: Store) -> Run | None:
    """The run of exactly that id: live, kept, or from the store; None where there is none."""
    if known := registry.runner(id):
        return known.run
    try:
        ended = store.row(id).ended
        return loaded(id, ended, store) if ended else store.load(id)
    except StoreError:
        return None


@st.cache_resource(max_entries=RUNS_KEPT, show_spinner=False)
def loaded(id: str, ended: str, _store: Store) -> Run:  # noqa: ARG001  it is kept by both
    """A run as it was when it ended; one that was gone on with ends at another time."""
    return _store.load(id)


def steps_of(run: Run, turn: Turn, question: int, working: bool) -> tuple[Drawn, ...]:
    """The steps of a run's `question`th question as they are drawn."""
    found, before = [], None
    for step in turn.steps:
        last = step is turn.steps[-1]
        if last and working:
            found.append(drawn(step, before, running=True, streamed=run.streamed))
        else:  # the last one may still be gone on with
            key = f"{run.id} {question} {step.number} {len(run) if last else ''}"
            found.append(kept(key, step, before))
        before = step
    return tuple(found)


@st.cache_resource(max_entries=STEPS_KEPT, show_spinner=False)
def kept(key: str, _step: Step, _before: Step | None) -> Drawn:  # noqa: ARG001  it is kept by it
    """A step that is done."""
    return drawn(_step, _before, running=False, streamed="")
