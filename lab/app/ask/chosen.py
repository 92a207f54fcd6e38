"""What the controls of the Ask page say, and how they begin."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import streamlit as st

from indexer.index import Index
from lab import places
from lab.app import resources, state
from lab.changed import other_descriptions, other_system
from lab.models.catalog import is_standin
from lab.prepare import Choice
from lab.run import Run
from lab.settings import Limits
from lab.steps import turns

DEFAULT_MODEL = "demo"
LIMITS = {
    "steps": state.STEPS,
    "tool_calls": state.TOOL_CALLS,
    "tokens_in": state.TOKENS_IN,
    "cost": state.COST,
    "seconds": state.SECONDS,
}
"""Where each limit is kept."""
CONTROLS = (
    state.QUESTION,
    state.MODEL,
    state.PROTOCOL,
    state.CACHE,
    state.SEMANTIC,
    *LIMITS.values(),
)
"""What has a widget of its own. Prompts are kept when they are edited."""

usual = Limits()


def choice() -> Choice:
    """All that is chosen. What a stand-in takes is not a matter of choice."""
    name = model()
    return Choice(
        name,
        "auto" if is_standin(name) else protocol(),
        cache=bool(state.get(state.CACHE, 0)),
        base_url=resources.address_for(name),
        limits=limits(),
        index=places.named_index(),
        system=system(),
        descriptions=descriptions(),
    )


def model() -> str:
    """The model to ask."""
    return str(state.get(state.MODEL, DEFAULT_MODEL))


def protocol() -> str:
    """How it calls tools."""
    return str(state.get(state.PROTOCOL, "auto"))


def semantic() -> bool:
    """Whether passages are found by meaning too."""
    return bool(state.get(state.SEMANTIC, resources.index().semantic))


def limits() -> Limits:
    """Where a question stops."""
    kept: dict[str, Any] = {name: limit(key) for name, key in LIMITS.items()}
    return Limits(**kept)  # checked where a run begins


def limit(key: str) -> float | None:
    """One limit by the key it is kept in; None for no limit."""
    name = next(name for name, kept in LIMITS.items() if kept == key)
    return state.number(key, getattr(usual, name))


def system() -> str:
    """The system prompt that somebody wrote; empty for the lab's own."""
    return str(state.get(state.SYSTEM))


def descriptions() -> dict[str, str]:
    """The descriptions of tools that somebody wrote, by the tool's name."""
    held: dict[str, str] = st.session_state.get(state.DESCRIPTIONS, {})
    return dict(held)


def begin_with(run: Run, index: Index | None) -> None:
    """Let the controls say what the shown run was asked with, where nothing was chosen yet.

    Without the run's index nobody knows whether its prompts were the lab's own.
    """
    if state.QUESTION in st.session_state:
        return
    settings = run.settings
    st.session_state.update(
        {
            state.QUESTION: turns(run.events)[-1].question,
            state.MODEL: settings.model,
            state.PROTOCOL: settings.protocol,
            state.CACHE: settings.cache,
            state.SEMANTIC: settings.semantic,
            state.SYSTEM: other_system(settings, index) if index else "",
            state.DESCRIPTIONS: other_descriptions(settings, index) if index else {},
        }
    )
    kept = asdict(settings.limits)
    st.session_state.update({key: kept[name] for name, key in LIMITS.items()})
