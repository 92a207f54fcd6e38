"""The card of one column on the Compare page: its model, what is set for it alone, a saved run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from lab.app import state
from lab.app.compare.picks import Pick
from lab.app.told import literal
from lab.compare.summary import NAMES
from lab.messages import ToolSchema
from lab.models.catalog import PROTOCOLS
from lab.prepare import cleaned

MODEL_HELP = (
    "demo and scripted need no key. Others are ENDPOINT/MODEL, such as ollama/llama3.1:8b; any "
    "name may be typed. Keys are typed on the page Models, or come from the environment."
)

FIELDS = ("model", "protocol", "cache", "semantic", "system", "run")
"""What of a pick a card edits, but for the descriptions of tools."""


def show_card(
    place: int,
    picks: Sequence[Pick],
    names: Sequence[str],
    saved: Mapping[str, str],
    tools: Sequence[ToolSchema],
) -> None:
    """One column: its model by name, any name may be typed, and what is set for it alone.

    `saved` holds runs that may stand in its place, by their ids, as they are listed.
    """
    name, pick = NAMES[place], picks[place]
    for field in FIELDS:
        st.session_state.setdefault(key(place, field), getattr(pick, field))
    st.selectbox(
        f"{literal(name)}: model",
        [*names, *([] if pick.model in names else [pick.model])],
        key=key(place, "model"),
        on_change=edit,
        args=[place],
        accept_new_options=True,
        disabled=bool(pick.run),
        help=None if place else MODEL_HELP,
    )
    with st.container(horizontal=True, gap="small", key=f"under-{place}"):
        with st.popover(literal(pick.label()), type="tertiary", key=f"settings-{place}"):
            show_settings(place, pick, saved, tools)
        if len(picks) > 2:
            left = tuple(picks[:place]) + tuple(picks[place + 1 :])
            st.button(
                f"Remove {literal(name)}",
                key=f"remove-{place}",
                on_click=choose,
                args=[left],
                type="tertiary",
            )


def show_settings(
    place: int, pick: Pick, saved: Mapping[str, str], tools: Sequence[ToolSchema]
) -> None:
    """What can be set otherwise for one column, and a saved run in its place."""
    given = bool(pick.run)
    edited: dict[str, Any] = {"on_change": edit, "args": [place]}
    st.selectbox(
        "Tool calls",
        PROTOCOLS,
        key=key(place, "protocol"),
        disabled=given,
        help="native: the model's own tool calling. react: calls as JSON text, for models without.",
        **edited,
    )
    st.toggle(
        "Ask for the prompt cache",
        key=key(place, "cache"),
        disabled=given,
        **edited,
    )
    st.toggle(
        "Find by meaning too",
        key=key(place, "semantic"),
        disabled=given,
        help="search_site also finds passages that mean the same in other words. Needs the extra "
        "`semantic`.",
        **edited,
    )
    st.text_area(
        "System prompt",
        key=key(place, "system"),
        placeholder="The lab's own",
        height=120,
        disabled=given,
        **edited,
    )
    with st.expander("Descriptions of tools"):
        for tool in tools:
            show_description(place, pick, tool)
    st.selectbox(
        "Or a saved run",
        ["", *saved, *([pick.run] if pick.run and pick.run not in saved else [])],
        key=key(place, "run"),
        format_func=lambda id: saved.get(id, id) or "none: the model is asked",
        accept_new_options=True,
        help="It stands in the column as it is. The id of any run may be typed.",
        **edited,
    )


def show_description(place: int, pick: Pick, tool: ToolSchema) -> None:
    """How one tool is described in one column; nothing written is the lab's own."""
    field = f"tool:{tool.name}"
    st.session_state.setdefault(key(place, field), pick.descriptions.get(tool.name, ""))
    st.text_area(
        literal(tool.name),
        key=key(place, field),
        placeholder=tool.description,
        height=120,
        disabled=bool(pick.run),
        on_change=describe,
        args=[place, tool.name, key(place, field)],
    )


def key(place: int, field: str) -> str:
    """The key of a card's widget."""
    return f"{key_of_cards()}{place}-{field}"


def key_of_cards() -> str:
    """How the keys of all cards' widgets begin."""
    return state.widget(f"{state.PICKS}-")


def edit(place: int) -> None:
    """Take what a card says into what is kept."""
    held = {field: st.session_state.get(key(place, field)) for field in FIELDS}
    change(place, **{field: value for field, value in held.items() if value is not None})


def describe(place: int, tool: str, widget: str) -> None:
    """Take the description of one tool into what is kept; nothing written is the lab's own."""
    kept = state.picks()[place].descriptions
    others = {name: text for name, text in kept.items() if name != tool}
    text = cleaned(str(st.session_state[widget]))
    change(place, descriptions={**others, tool: text} if text else others)


def change(place: int, **fields: Any) -> None:
    """Keep one pick with other values of these fields."""
    picks = list(state.picks())
    picks[place] = replace(picks[place], **fields)
    st.session_state[state.PICKS] = tuple(picks)


def choose(picks: Sequence[Pick]) -> None:
    """Let the columns be these; the cards say so when they are drawn."""
    st.session_state[state.PICKS] = tuple(picks)
    for name in [str(name) for name in st.session_state]:
        if name.startswith(key_of_cards()):
            del st.session_state[name]
