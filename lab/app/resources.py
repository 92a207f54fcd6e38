"""What all sessions may share: the sample site's index and the store. Never a key."""

from __future__ import annotations

import os
from collections.abc import Mapping

import streamlit as st

from indexer.index import Index
from lab import places
from lab.models.catalog import SCRIPT, open_model
from lab.models.endpoints import endpoints
from lab.models.model import Model
from lab.models.scripted import SHIPPED
from lab.prepare import InputError, open_index, open_store
from lab.store import Store


@st.cache_resource(show_spinner="Reading the site's articles …", ttl="1m")
def index(folder: str = "") -> Index:
    """The index of a folder; without one, the sample site's."""
    return open_index(folder)


@st.cache_resource
def store() -> Store:
    """Where runs are kept."""
    return open_store()


def local() -> bool:
    """True where only the person at this machine can reach the page."""
    return st.get_option("server.address") in places.LOOPBACK


def opened(name: str, protocol: str, base_url: str = "") -> Model:
    """The model of that name, as far as a visitor may use it. Raises a LabError."""
    if name.startswith(SCRIPT) and name.removeprefix(SCRIPT) not in SHIPPED and not local():
        raise InputError("Scripts are played from files only where the page is bound to loopback.")
    return open_model(name, keys(), base_url, protocol)


def keys() -> Mapping[str, str]:
    """Keys of the environment, where only the person at this machine can use them."""
    return os.environ if local() or os.environ.get("LAB_SHARED_KEYS") == "1" else {}


def model_names() -> list[str]:
    """Models to choose from: stand-ins, then what a key is there for, then local servers."""
    names = ["demo", *(f"scripted:{name}" for name in SHIPPED)]
    at_hand = [e for e in endpoints().values() if not e.key or keys().get(e.key)]
    return names + [f"{e.name}/{model}" for e in at_hand for model in e.models]
