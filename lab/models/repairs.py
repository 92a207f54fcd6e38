"""What to leave out when an endpoint refuses a request, by what it says. Pure.

A change is made once, is told, and stays for the rest of the run. It only ever drops or renames
what was sent for convenience, never what the question needs.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from lab.messages import Json
from lab.models.endpoints import Endpoint
from lab.models.failures import TOOL_USE_FAILED
from lab.models.model import ModelError

Change = Callable[[Endpoint], Endpoint]

_NO_BOUND = r"(?s)^(?!.*(too large|at most|exceed|maximum))"
"""A cap that is too high is no field that is refused."""

REPAIRS: tuple[tuple[str, Change, str], ...] = (
    (
        rf"{_NO_BOUND}.*max_completion_tokens",
        lambda e: replace(
            e,
            cap_field="max_completion_tokens" if e.cap_field == "max_tokens" else "max_tokens",
        ),
        "it refused the field that limits output tokens; its other name is used",
    ),
    (
        rf"{_NO_BOUND}.*max_tokens",
        lambda e: replace(e, cap_field="max_completion_tokens"),
        "it refused max_tokens; max_completion_tokens is used",
    ),
    (
        "stream_options",
        lambda e: replace(e, stream_usage=False),
        "it refused stream_options; token counts may be unknown",
    ),
    ("response_format", lambda e: replace(e, json=""), "it refused response_format; left out"),
    (r"\bformat\b", lambda e: replace(e, json=""), "it refused format; left out"),
    ("output_config", lambda e: replace(e, json=""), "it refused output_config; left out"),
    (
        r"(?s)^(?!.*signature).*\bthinking\b",  # a block that does not verify is another matter
        lambda e: replace(e, thinking=()),
        "it refused thinking; left out",
    ),
    ("cache_control", lambda e: replace(e, cache=False), "it refused cache_control; left out"),
    (
        r"(?s)(?=.*\bcontent\b).*\b(null|None|valid string)\b",
        lambda e: replace(e, null_content=False),
        "it refused null content; an empty text is sent",
    ),
    (
        r"(?s)(?=.*\bcontent\b).*\b([Ee]mpty|at least 1 character)\b",
        lambda e: replace(e, empty_content=False),
        "it refused an empty text; one that says so is sent",
    ),
    (
        r"\bstrict\b",
        lambda e: replace(e, schema="plain"),
        "it refused strict tools; plain ones are sent",
    ),
    (
        "additionalProperties",
        lambda e: replace(e, schema="gemini"),
        "it refused keywords of the tools' schemas; they are left out",
    ),
    (
        "schema",
        lambda e: replace(e, schema="plain"),
        "it refused strict tools; plain ones are sent",
    ),
    (
        r"\bstream(ing)?\b",
        lambda e: replace(e, stream=False),
        "it refused streaming; whole answers are asked for",
    ),
)
"""A pattern in the refusal, what to change, what to tell. The first that changes a thing counts."""

_UNSAID = re.compile(r'"\w+"\s*:\s*null')
"""A field of an error body that says nothing, such as `"param": null`."""


def repaired(
    endpoint: Endpoint, refusal: ModelError, body_for: Callable[[Endpoint], Json]
) -> tuple[Endpoint, str] | None:
    """The endpoint as it may be sent to, and what was changed; None where nothing helps.

    `body_for` gives what would be sent: what changes nothing of that cannot have been refused.
    """
    refused = body_for(endpoint)
    said = refusal.exchange.response or str(refusal)
    if TOOL_USE_FAILED in said:
        return None  # it refuses what its own model wrote, not what it was sent
    said = _UNSAID.sub("", said)
    for pattern, change, note in REPAIRS:
        if re.search(pattern, said) and body_for(changed := change(endpoint)) != refused:
            return changed, note
    return None
