"""The Models page: a card an endpoint, with its key, its address, its prices and its probes."""

from __future__ import annotations

import os
from pathlib import Path

import streamlit as st

from lab.app import resources
from lab.app.be.browser import show_browser_card
from lab.app.models import keys
from lab.app.models.cards import note_html
from lab.app.models.endpoint import show_endpoint
from lab.app.told import literal
from lab.errors import LabError
from lab.models.endpoints import endpoints
from lab.models.findings import kept_cards
from lab.models.hosted import in_the_clear

CSS = Path(__file__).parent / "page.css"


def view() -> None:
    """Draw the page."""
    st.html(CSS)
    st.html("<div class='lab-head'><h1>Models and keys</h1></div>")
    show_words()
    try:
        table = endpoints()
    except LabError as error:
        st.html(note_html(str(error), bad=True))
        table = {}
    kept = kept_cards()
    hosted = [endpoint for endpoint in table.values() if not keys.is_local(endpoint)]
    local = [endpoint for endpoint in table.values() if keys.is_local(endpoint)]
    if hosted:
        st.subheader("Hosted models", anchor=False)
        st.caption(
            "Their addresses are fixed by their entries, so that no key goes astray. A gateway or "
            "another provider is an entry of its own in endpoints.toml, see the README."
        )
        with st.container(key="endpoints-hosted"):
            for endpoint in hosted:
                show_endpoint(endpoint, kept)
    if local:
        st.subheader("Servers of your own", anchor=False)
        if not resources.local():
            st.caption("Their addresses can be changed only where the page is bound to loopback.")
        with st.container(key="endpoints-local"):
            for endpoint in local:
                show_endpoint(endpoint, kept)
    st.subheader("Without a server", anchor=False)
    with st.container(key="endpoints-none"):
        show_in_process()
        show_browser_card()


def show_words() -> None:
    """Where a key is, where it goes, and when it is gone."""
    st.markdown(
        "A key typed here is held in the app's memory for this browser tab alone. It is sent to "
        "the address on its card with each call, and nowhere else; it is in no file, no log, no "
        "saved run and no web address. It is gone when you press *Forget key*, reload the page or "
        "close the tab; a run under way keeps it to its end."
    )
    st.markdown(f"{literal(environment_words())} Without any key, *demo* and the scripts run.")
    url = st.context.url or ""
    if in_the_clear(url):
        said = (
            "This page comes over plain http: a key typed here can be read on the way. Serve it "
            "over https, or open it on the machine itself."
        )
        st.html(note_html(said, bad=True))


def environment_words() -> str:
    """What is done with keys of the environment."""
    if resources.local():
        return "Keys of the environment are used too, as only this machine can reach the page."
    if os.environ.get("LAB_SHARED_KEYS") == "1":
        return (
            "Keys of the environment are used for everybody who can reach the page "
            "(LAB_SHARED_KEYS=1)."
        )
    return "Keys of the environment are not used, as others can reach the page."


def show_in_process() -> None:
    """The model that runs in this process, or how to get it."""
    ready = resources.in_process_ready()
    with st.container(border=True, key="endpoint-in-process"):
        badge = "✓ installed" if ready else "not installed"
        st.html(
            f"<div class='lab-endpoint'><h4>In this very process</h4><span class='lab-badge"
            f"{' lab-good' if ready else ''}'>{badge}</span></div><p class='lab-where'>"
            f"<b>{', '.join(resources.in_process_names())}</b>: so small that it is often wrong. "
            "No key, no server, free; nothing leaves the machine.</p>"
        )
        if not ready:
            st.code('pip install -e ".[local]"', language="sh")
            st.caption(
                "Run this in the lab's folder, then start the page anew. It builds llama.cpp, "
                "which takes some minutes and a C++ compiler."
            )
