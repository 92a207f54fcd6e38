"""What of a model call's cost its input was. A recorded cost is that of the whole call."""

from __future__ import annotations

import math
from dataclasses import replace

from lab.errors import LabError
from lab.prices import cost_of
from lab.steps import Step


def input_usd(step: Step, model: str) -> float | None:
    """US dollars for what a step was sent; None where nobody knows.

    It is reckoned with the prices of now, and only where they give the cost that was recorded.
    `model` is the run's, ENDPOINT/MODEL.
    """
    usd = step.exchange.cost.usd if step.exchange else None
    if usd is None or not step.reply or not step.exchange:
        return None
    if usd == 0:
        return 0.0
    endpoint, _, asked = model.partition("/")
    usage = step.reply.usage
    for name in dict.fromkeys((step.exchange.model, asked)):
        try:
            whole = cost_of(endpoint, name, usage).usd
            of_input = cost_of(endpoint, name, replace(usage, tokens_out=0)).usd
        except LabError:
            return None
        if whole is not None and math.isclose(whole, usd, rel_tol=1e-6):
            return of_input
    return None
