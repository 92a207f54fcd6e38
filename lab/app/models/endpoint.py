"""One endpoint's card on the Models page: its key, its address, and what probes found out."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from lab.app import resources, state
from lab.app.models import cards, keys, trying
from lab.app.models.trials import complain, show_trials
from lab.app.told import literal
from lab.errors import LabError
from lab.models.card import Card
from lab.models.endpoints import Endpoint


def show_endpoint(endpoint: Endpoint, kept: Sequence[Card]) -> None:
    """Draw the card; `kept` holds the probe cards of all endpoints."""
    address = keys.reached_at(endpoint)
    with st.container(border=True, key=f"endpoint-{endpoint.name}"):
        st.html(cards.head_html(endpoint, address, resources.key_state(endpoint)))
        st.html(cards.models_html(endpoint, address != endpoint.base_url))
        if endpoint.key:
            show_key(endpoint)
        if keys.is_local(endpoint) and resources.local():
            show_address(endpoint, address)
        name, fault = st.session_state.get(state.ENDPOINT_FAULT, ("", ""))
        if name == endpoint.name:
            del st.session_state[state.ENDPOINT_FAULT]
            st.html(cards.note_html(fault, bad=True))
        show_trials(endpoint)
        fresh = trying.trial(endpoint.name, "probe")
        for card in kept:
            if card.base_url == address and card.model.startswith(f"{endpoint.name}/"):
                st.html(cards.card_html(card, open=fresh is not None and fresh.found == card))


def show_key(endpoint: Endpoint) -> None:
    """The field for a key, and the button that forgets the one typed."""
    key = resources.key_state(endpoint)
    or_set = f"Or {endpoint.key} in the environment"
    with (
        st.form(f"key-{endpoint.name}", border=False),
        st.container(horizontal=True, vertical_alignment="bottom", gap="small"),
    ):
        st.text_input(
            f"Key for {literal(endpoint.name)}",
            key=key_box(endpoint),
            type="password",
            placeholder=or_set if key == "missing" else "Another key",
        )
        st.form_submit_button("Save key", on_click=save_key, args=[endpoint])
        if key == "typed":
            st.form_submit_button("Forget key", on_click=forget_key, args=[endpoint])


def show_address(endpoint: Endpoint, address: str) -> None:
    """The field for another address of a local server."""
    box = address_box(endpoint)
    st.session_state.setdefault(box, address)
    with (
        st.form(f"address-{endpoint.name}", border=False),
        st.container(horizontal=True, vertical_alignment="bottom", gap="small"),
    ):
        st.text_input(f"Base address of {literal(endpoint.name)}", key=box)
        st.form_submit_button("Save address", on_click=save_address, args=[endpoint])
        if address != endpoint.base_url:
            st.form_submit_button("Reset", on_click=reset_address, args=[endpoint])
    if endpoint.key:
        st.caption("Saving another address forgets the key typed here.")


def save_key(endpoint: Endpoint) -> None:
    """Hold the key that was typed, and empty its field."""
    text = str(st.session_state.get(key_box(endpoint), ""))
    st.session_state[key_box(endpoint)] = ""
    try:
        keys.save_key(endpoint, text)
        trying.forget(endpoint.name)
    except LabError as error:
        complain(endpoint, error)


def forget_key(endpoint: Endpoint) -> None:
    """Hold the endpoint's key no longer, nor what is in its field."""
    st.session_state[key_box(endpoint)] = ""
    keys.forget_key(endpoint.name)
    trying.forget(endpoint.name)


def save_address(endpoint: Endpoint) -> None:
    """Reach the endpoint at the address that was typed; a wrong one stays in the field."""
    box, before = address_box(endpoint), keys.reached_at(endpoint)
    try:
        keys.save_address(endpoint, str(st.session_state.get(box, "")))
    except LabError as error:
        complain(endpoint, error)
        return
    st.session_state[box] = keys.reached_at(endpoint)
    if st.session_state[box] != before:
        trying.forget(endpoint.name)


def reset_address(endpoint: Endpoint) -> None:
    """Reach the endpoint at its entry's own address again."""
    st.session_state[address_box(endpoint)] = ""
    save_address(endpoint)


def key_box(endpoint: Endpoint) -> str:
    """The widget's key of the field for a key. It is emptied as soon as it was read."""
    return state.widget(f"key {endpoint.name}")


def address_box(endpoint: Endpoint) -> str:
    """The widget's key of the field for an address."""
    return state.widget(f"address {endpoint.name}")
