"""The models that an endpoint says it has: one request, which costs nothing."""

from __future__ import annotations

from itertools import islice

from lab.models.call import call_model
from lab.models.capture import Capture, without
from lab.models.endpoints import Endpoint
from lab.models.model import Watch
from lab.models.wires import WIRES, lines_to

MOST = 500
"""Models that are listed; some gateways have more than anybody reads."""


def listed(endpoint: Endpoint, key: str, watch: Watch) -> tuple[str, ...]:
    """Names of models, as the endpoint gives them. ModelError where it gives none."""
    lines = lines_to(endpoint, key)

    def ask(capture: Capture) -> tuple[str, ...]:
        with lines.lent(capture) as client:
            names = list(islice(WIRES[endpoint.wire].names(client), MOST))
            return tuple(without(key, name) for name in names if isinstance(name, str))

    where = f"The list of {endpoint.name}'s models at {endpoint.base_url}"
    names, _ = call_model(ask, where, watch, key)
    return names
