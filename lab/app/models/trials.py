"""What can be tried at an endpoint: its models listed, one of them probed at a price told first."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from lab import wording
from lab.app import resources, state
from lab.app.models import cards, keys, trying
from lab.app.told import literal
from lab.errors import LabError
from lab.limits import several
from lab.messages import Cost
from lab.models.endpoints import Endpoint
from lab.models.probe import LARGEST, SMALLEST, most_used
from lab.prepare import InputError
from lab.prices import FREE, cost_of

TICK_SECONDS = 0.4
"""How often the card looks how far a trial is."""
SIZES = (SMALLEST, 8_000, LARGEST, 128_000)
"""Tokens of the largest prompt to try, to choose from."""


def show_trials(endpoint: Endpoint) -> None:
    """What can be tried, and what came of it."""
    name = endpoint.name
    with st.expander("Try it", key=f"try-{name}"):
        st.button(
            "List its models",
            key=f"list-{name}",
            on_click=list_models,
            args=[endpoint],
            help="One request, which costs nothing. It shows whether key and address are right.",
        )
        show_trial(name, "list")
        model, largest = show_choice(endpoint)
        price = likely_cost(endpoint, model, largest)
        st.caption(
            "A probe makes about 20 calls: does it call tools, count tokens, keep to JSON, "
            f"and how much context does it take? {literal(price_words(price))}"
        )
        if st.button("Probe" if price.usd == 0 else "Probe …", key=f"probe-{name}"):
            ask_for(endpoint, model, largest, price)
        show_trial(name, "probe")


def show_choice(endpoint: Endpoint) -> tuple[str, int]:
    """Which model to probe, empty for none, and how large a prompt to try."""
    name = endpoint.name
    known = list(dict.fromkeys((*endpoint.models, *trying.names(name))))
    with st.container(horizontal=True, gap="small"):
        model = st.selectbox(
            "Model to probe",
            known,
            index=0 if known else None,
            key=f"probed-{name}",
            accept_new_options=True,
            placeholder="Its name",
        )
        largest = st.selectbox(
            "Largest prompt to try",
            SIZES,
            index=SIZES.index(LARGEST),
            key=f"largest-{name}",
            format_func=lambda tokens: f"{tokens:,} tokens",
        )
    return (model or "").strip(), largest


def show_trial(name: str, kind: trying.Kind) -> None:
    """How far a trial is, or what came of it."""
    known = trying.trial(name, kind)
    if known is None:
        return
    if known.working:
        show_working(name, kind)
    elif known.error:
        st.html(cards.note_html(known.error, bad=True))
    elif isinstance(known.found, tuple):
        st.html(cards.names_html(name, known.found))
    elif known.stopped:
        st.html(cards.note_html(f"Stopped after {several(known.calls, 'call')}; nothing was kept."))


@st.fragment(run_every=TICK_SECONDS)
def show_working(name: str, kind: trying.Kind) -> None:
    """A trial under way; looks again and again until it is over."""
    known = trying.trial(name, kind)
    if known is None or not known.working:
        st.rerun()
    st.html(cards.note_html(f"{known.what} … {known.doing} {several(known.calls, 'call')} so far."))
    st.button("■ Stop", key=f"stop-{kind}-{name}", on_click=known.stop)


def list_models(endpoint: Endpoint) -> None:
    """Ask the endpoint which models it has."""
    try:
        there, key = with_key(endpoint)
    except LabError as error:
        complain(endpoint, error)
        return
    trying.begin(endpoint.name, "list", "Asking for its models", trying.listing(there, key))


def ask_for(endpoint: Endpoint, model: str, largest: int, price: Cost) -> None:
    """Probe a model, after a person agreed to what it may cost."""
    try:
        with_key(endpoint)
        if not model:
            raise InputError("Choose a model to probe, or type its name.")
    except LabError as error:
        st.html(cards.note_html(str(error), bad=True))
        return
    if price.usd == 0:
        probe(endpoint, model, largest)
        st.rerun()
    confirm(endpoint, model, largest, price)


@st.dialog("Probe this model?")
def confirm(endpoint: Endpoint, model: str, largest: int, price: Cost) -> None:
    """Ask before money is spent."""
    st.text(f"{endpoint.name}/{model} at {keys.reached_at(endpoint)}")
    st.write(f"About 20 calls, the largest of {largest:,} tokens. {literal(price_words(price))}")
    with st.container(horizontal=True):
        asked = [endpoint, model, largest]
        if st.button("Probe", type="primary", key="confirm-probe", on_click=probe, args=asked):
            st.rerun()
        if st.button("Leave it", key="leave-probe"):
            st.rerun()


def probe(endpoint: Endpoint, model: str, largest: int) -> None:
    """Start the probe."""
    try:
        there, key = with_key(endpoint)
    except LabError as error:
        complain(endpoint, error)
        return
    work = trying.probing(model, there, key, largest)
    trying.begin(endpoint.name, "probe", f"Probing {model}", work)


def with_key(endpoint: Endpoint) -> tuple[Endpoint, str]:
    """The endpoint as this session reaches it, and its key. InputError where one is missing."""
    address = keys.reached_at(endpoint)
    return replace(endpoint, base_url=address), resources.key_for(endpoint, address)


def likely_cost(endpoint: Endpoint, model: str, largest: int) -> Cost:
    """What a probe costs, at most."""
    try:
        return FREE if endpoint.free else cost_of(endpoint.name, model, most_used(largest))
    except LabError as error:
        return Cost(None, str(error))


def price_words(price: Cost) -> str:
    """The likely cost as a sentence."""
    if price.usd == 0:
        return "It is free."
    if price.usd is None:
        return "What it costs is unknown: no price is known for this model."
    return f"It may cost at most {wording.ESTIMATED}{wording.money(price.usd)}."


def complain(endpoint: Endpoint, error: LabError) -> None:
    """Keep what was wrong, to be shown on the endpoint's card."""
    st.session_state[state.ENDPOINT_FAULT] = (endpoint.name, str(error))
