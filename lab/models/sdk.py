"""What both SDKs are used for alike: their HTTP clients are set up, and a body is posted.

A body goes out as it is, through the SDKs' own way for parameters they do not know: their typed
one takes longer than all that the lab does in a step, and refuses what only another endpoint knows.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import urlsplit

from lab.messages import Json
from lab.models.capture import Capture
from lab.models.lines import Hooks
from lab.places import LOOPBACK

if TYPE_CHECKING:
    import ssl

CONNECT_SECONDS = 10.0
IDLE_SECONDS = 120.0
"""A stream that says nothing for so long has stalled."""
WHOLE_SECONDS = 600.0
"""So long an answer that is not streamed may take."""


CERTIFICATES = ("SSL_CERT_FILE", "SSL_CERT_DIR")
"""Variables that name what is trusted in place of what the SDKs bring along."""

Read: TypeAlias = Callable[[Iterable[bytes]], Iterator[Json]]
"""Takes a stream apart, as `lab.models.sse.events` does."""


def http_options(base_url: str, hooks: Hooks, streamed: bool) -> dict[str, Any]:
    """Options for the HTTP client of either SDK.

    A redirect is answered as the fault it is: it would carry the key to another address. This
    machine is reached without the proxy that the environment may name.
    """
    import httpx2  # noqa: PLC0415  comes with the SDKs, and is loaded with them

    address = urlsplit(base_url)
    return {
        "event_hooks": hooks,
        "follow_redirects": False,
        "headers": {"accept-encoding": "identity"},
        "timeout": httpx2.Timeout(
            IDLE_SECONDS if streamed else WHOLE_SECONDS, connect=CONNECT_SECONDS
        ),
        "trust_env": address.hostname not in LOOPBACK,
        "verify": trusted() if address.scheme == "https" else False,
    }


def answered(client: Any, path: str, body: Json, capture: Capture, read: Read) -> Iterator[Json]:
    """Post a body; yields what a streamed answer is made of, or the one body of another.

    Raises the SDK's errors and those of `read`.
    """
    import httpx2  # noqa: PLC0415

    streamed = bool(body.get("stream"))
    response = client.post(path, body=body, cast_to=httpx2.Response, stream=streamed)
    try:
        if streamed:
            yield from read(response.iter_bytes())
        else:
            yield capture.json()
    finally:
        response.close()


def model_names(client: Any) -> Iterator[Any]:
    """The names in the list of models, which the clients of both SDKs give alike."""
    return (model.id for model in client.models.list())


def fetched(client: Any, url: str, capture: Capture) -> Any:
    """What stands at an address beside the API, as JSON. Raises the SDK's errors, ValueError."""
    import httpx2  # noqa: PLC0415

    client.get(url, cast_to=httpx2.Response)
    return capture.json()


@cache
def trusted() -> ssl.SSLContext:
    """The certificates that are trusted; read once, since that takes longer than a local call."""
    import httpx2  # noqa: PLC0415

    try:
        context: ssl.SSLContext = httpx2.create_ssl_context()
    except OSError as error:
        named = " or ".join(filter(os.environ.get, CERTIFICATES)) or "this machine"
        raise OSError(f"the certificates that {named} names cannot be read: {error}") from error
    return context
