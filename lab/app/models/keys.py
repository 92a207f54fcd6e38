"""What a person typed in this browser session: keys, and other addresses of local servers.

It is in the session's own state alone. A key is held together with the address it was typed for,
and is given out for no other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import urlsplit

import streamlit as st

from lab.app import state
from lab.models.catalog import key_for
from lab.models.endpoints import Endpoint, EndpointError, checked_address
from lab.places import LOOPBACK
from lab.prepare import InputError


@dataclass(frozen=True, slots=True)
class Typed:
    """A key that was typed."""

    key: str = field(repr=False)
    address: str
    """Where it may be sent."""


def key_at(name: str, address: str) -> str:
    """The key typed for the endpoint of that name at that address; empty where none was."""
    held = _keys().get(name)
    return held.key if held and held.address == address else ""


def save_key(endpoint: Endpoint, text: str) -> None:
    """Hold a key for the endpoint's address in this session. InputError where it can be none."""
    if not text.strip():
        raise InputError("No key was typed.")
    try:
        key = key_for(endpoint, {endpoint.key: text})
    except EndpointError:
        raise InputError(
            "That is no key: it holds blanks or characters that no key has. Copy it once more."
        ) from None
    _keys()[endpoint.name] = Typed(key, reached_at(endpoint))


def forget_key(name: str) -> None:
    """Hold the endpoint's key no longer."""
    _keys().pop(name, None)


def address_of(name: str) -> str:
    """The address given to the endpoint of that name; empty for its entry's own."""
    return _addresses().get(name, "")


def reached_at(endpoint: Endpoint) -> str:
    """Where this session reaches the endpoint."""
    return address_of(endpoint.name) or endpoint.base_url


def save_address(endpoint: Endpoint, text: str) -> None:
    """Reach the endpoint there from now on; nothing typed means its entry's own address.

    A key typed for the address before is forgotten. EndpointError where it is none.
    """
    address = text.strip()
    address = checked_address(address) if address else endpoint.base_url
    if address == reached_at(endpoint):
        return
    forget_key(endpoint.name)
    if address == endpoint.base_url:
        _addresses().pop(endpoint.name, None)
    else:
        _addresses()[endpoint.name] = address


def is_local(endpoint: Endpoint) -> bool:
    """True for a server of the person's own: by its entry free, or on this machine."""
    return endpoint.free or urlsplit(endpoint.base_url).hostname in LOOPBACK


def _keys() -> dict[str, Typed]:
    held: dict[str, Typed] = st.session_state.setdefault(state.KEYS, {})
    return held


def _addresses() -> dict[str, str]:
    held: dict[str, str] = st.session_state.setdefault(state.ADDRESSES, {})
    return held
