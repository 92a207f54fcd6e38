"""Names like one that an endpoint does not know, from what it says it has and from its entry."""

from __future__ import annotations

from difflib import get_close_matches

from lab.models.aside import Aside
from lab.models.endpoints import Endpoint
from lab.models.listing import listed
from lab.models.model import ModelError, Watch

LIKENESS = 0.5


def near_names(model: str, endpoint: Endpoint, key: str, watch: Watch) -> str:
    """At most three models of the endpoint that are called alike, as a sentence; empty for none."""
    try:
        names = listed(endpoint, key, Aside(watch))
    except ModelError:
        names = ()
    names = tuple(dict.fromkeys((*names, *endpoint.models)))
    near = get_close_matches(model, names, n=3, cutoff=LIKENESS)
    return f" Near names: {', '.join(near)}." if near else ""
