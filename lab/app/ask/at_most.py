"""What a question may cost at most, in words, for what is chosen on the page."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from indexer.index import Index
from lab.app.ask import chosen
from lab.errors import LabError
from lab.messages import Conversation, Cost, Question, Usage
from lab.models import local
from lab.models.catalog import find, is_standin, needs_no_endpoint
from lab.prepare import settings_for
from lab.prices import FREE, cost_of
from lab.settings import Settings
from lab.tools.site import site_tools
from lab.worst_case import (
    Price,
    WorstCase,
    first_request,
    largest_result,
    words,
    worst_case,
)

ASSUMED = (
    "Reckoned before anything is sent: every step is taken, every reply is as long as it may be, "
    "all tool calls allowed are made at once, each brings the largest result there is, and all of "
    "it is sent again with every step. A token is taken for four characters, and nothing for read "
    "from a cache. A question usually costs far less. Lower the limits to lower it."
)


def of_choice(question: str, index: Index) -> str:
    """The worst case of a question asked as the controls say; empty where it cannot be."""
    try:
        settings = settings_for(chosen.choice(), index, site_tools(index).schemas())
    except LabError:  # pressing Ask says what is wrong
        return ""
    asked = (Question(question),)
    return of(settings, Conversation(settings.system, settings.tools, asked), index)


def of(settings: Settings, conversation: Conversation, index: Index) -> str:
    """The worst case of a question that ends this conversation; empty where its model is gone."""
    if is_standin(settings.model):
        return "free: no model is called"
    case = case_of(settings, conversation, index)
    return words(case) if case else ""


def case_of(settings: Settings, conversation: Conversation, index: Index) -> WorstCase | None:
    """The worst case itself; None where its model is gone."""
    try:
        cap, price = priced(settings)
    except LabError:
        return None
    first = first_request(conversation, settings.protocol)
    return worst_case(first, cap, largest(index), settings.limits, price)


@st.cache_data(
    max_entries=20, show_spinner=False, hash_funcs={Index: lambda index: index.fingerprint}
)
def largest(index: Index) -> int:
    """Tokens of the largest result of a tool, reckoned once for a site."""
    return largest_result(index)


def priced(settings: Settings) -> tuple[int, Price]:
    """How long a reply of the run's model may be, and what a call of it costs at most."""
    if needs_no_endpoint(settings.model):
        return local.CAP, free
    endpoint, model = find(settings.model)
    if endpoint.free:
        return endpoint.cap, free

    def price(usage: Usage) -> Cost:
        plain = cost_of(endpoint.name, model, usage)
        if not settings.cache:
            return plain
        written = cost_of(endpoint.name, model, replace(usage, cache_write=usage.tokens_in))
        return max(plain, written, key=lambda cost: cost.usd or 0.0)

    return endpoint.cap, price


def free(_: Usage) -> Cost:
    """The price of what runs on the person's own machine."""
    return FREE
