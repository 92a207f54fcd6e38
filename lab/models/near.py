"""Names like one that an endpoint does not know, from what it says it has and from its entry."""

from __future__ import annotations

from difflib import get_close_matches

from lab.messages import Cost, Request, Usage
from lab.models.endpoints import Endpoint
from lab.models.listing import listed
from lab.models.model import ModelError, Watch

LIKENESS = 0.5


class Aside:
    """Watches a request that is no part of the run: not recorded, and tried once."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch

    def sent(self, request: Request) -> None: ...

    def noticed(self, about: str, text: str) -> None: ...

    def about_to_send(self, likely: Usage, cost: Cost) -> None: ...

    def streaming(self) -> None: ...

    def streamed(self, text: str) -> None: ...

    def give_up(self) -> str:
        return self._watch.give_up()

    def seconds_left(self) -> float:
        return 0.0


def near_names(model: str, endpoint: Endpoint, key: str, watch: Watch) -> str:
    """At most three models of the endpoint that are called alike, as a sentence; empty for none."""
    try:
        names = listed(endpoint, key, Aside(watch))
    except ModelError:
        names = ()
    names = tuple(dict.fromkeys((*names, *endpoint.models)))
    near = get_close_matches(model, names, n=3, cutoff=LIKENESS)
    return f" Near names: {', '.join(near)}." if near else ""
