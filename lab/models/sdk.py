"""How the SDKs' HTTP clients are set up: no redirects of their own, bounded idling."""

from __future__ import annotations

import ssl
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from lab.models.capture import Capture
from lab.places import LOOPBACK

CONNECT_SECONDS = 10.0
IDLE_SECONDS = 120.0
"""A stream that says nothing for so long has stalled."""
WHOLE_SECONDS = 600.0
"""So long an answer that is not streamed may take."""


def http_options(base_url: str, capture: Capture, streamed: bool) -> dict[str, Any]:
    """Options for the HTTP client of either SDK.

    A redirect is answered as the fault it is: it would carry the key to another address. This
    machine is reached without the proxy that the environment may name.
    """
    import httpx2  # noqa: PLC0415  comes with the SDKs, and is loaded with them

    address = urlsplit(base_url)
    return {
        "event_hooks": capture.hooks(),
        "follow_redirects": False,
        "headers": {"accept-encoding": "identity"},
        "timeout": httpx2.Timeout(
            IDLE_SECONDS if streamed else WHOLE_SECONDS, connect=CONNECT_SECONDS
        ),
        "trust_env": address.hostname not in LOOPBACK,
        "verify": _trusted() if address.scheme == "https" else False,
    }


@cache
def _trusted() -> ssl.SSLContext:
    """The certificates that are trusted; read once, since that takes longer than a local call."""
    import httpx2  # noqa: PLC0415

    context: ssl.SSLContext = httpx2.create_ssl_context()
    return context
