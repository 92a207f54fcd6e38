"""What goes over the wire in one attempt, seen at the SDK's HTTP client: bytes and times.

It knows no wire and no SDK.
"""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from lab.messages import Request
from lab.models.model import Watch

SHOWN_HEADERS = ("content-type", "user-agent", "anthropic-version", "anthropic-beta")
"""The only request headers that are kept; keys travel in others."""

MOST_BYTES = 20_000_000
"""An answer that is larger is given up: no model says so much."""

SHORTEST_KEY = 8
"""What is shorter is no secret, but a placeholder as local servers want it."""


class TooLargeError(Exception):
    """The answer is larger than MOST_BYTES."""


class Capture:
    """Sees a request as it leaves and its response as it comes."""

    def __init__(self, watch: Watch, key: str = "") -> None:
        self._watch, self._key = watch, key
        self._received = bytearray()
        self._sent_at: float | None = None
        self.address = ""
        """Where the request went; empty while none has left."""
        self.status: int | None = None
        """HTTP status of the response; None while there is none."""
        self.headers: dict[str, str] = {}
        """Headers of the response, names in lower case."""
        self.first_token: float | None = None
        """Seconds from sending until the first piece of the answer."""
        self.close: Callable[[], None] = lambda: None
        """Ends the call from another thread; set by whoever opens the connection."""

    def leaving(self, request: Any) -> None:
        """The HTTP client is about to send this."""
        headers = {k: request.headers[k] for k in SHOWN_HEADERS if k in request.headers}
        body = request.read().decode()
        self.address = str(request.url)
        self._watch.sent(Request(request.method, self.address, body, headers))
        self._sent_at = time.perf_counter()

    def arriving(self, response: Any) -> None:
        """The HTTP client has read the head of this."""
        self.status = response.status_code
        self.headers = {name.lower(): value for name, value in response.headers.items()}
        response.stream = tee()(response.stream, self._keep)

    def _keep(self, piece: bytes) -> None:
        self._received += piece
        if len(self._received) > MOST_BYTES:
            raise TooLargeError(f"the answer has over {MOST_BYTES:,} bytes")

    def heard(self) -> None:
        """Note that a piece of the answer itself has come."""
        if self.first_token is None:
            self.first_token = self.seconds()

    def seconds(self) -> float:
        """Seconds since the request left; what the SDK needed before is not the model's time."""
        return 0.0 if self._sent_at is None else time.perf_counter() - self._sent_at

    def text(self) -> str:
        """What was received so far, as text, without the key should it have been echoed."""
        received = bytes(self._received)
        if self.headers.get("content-encoding") in ("gzip", "deflate"):
            received = inflated(received)
        return without(self._key, received.decode(errors="replace"))

    def json(self) -> Any:
        """What was received as JSON; ValueError where it is none."""
        return json.loads(self.text())


@cache
def tee() -> Any:
    """The class of a response stream that also hands each of its pieces to `keep`."""
    import httpx2  # noqa: PLC0415  comes with the SDKs, and is loaded with them

    class Tee(httpx2.SyncByteStream):
        def __init__(self, stream: Any, keep: Callable[[bytes], None]) -> None:
            self._stream, self._keep = stream, keep

        def __iter__(self) -> Iterator[bytes]:
            for piece in self._stream:
                self._keep(piece)
                yield piece

        def close(self) -> None:
            self._stream.close()

    return Tee


def inflated(received: bytes) -> bytes:
    """Uncompressed bytes, as far as they go."""
    try:
        return zlib.decompressobj(wbits=47).decompress(received, MOST_BYTES)
    except zlib.error:
        return received


def without(key: str, text: str) -> str:
    """The text with the key put out of sight."""
    if len(key) < SHORTEST_KEY:
        return text
    escaped = json.dumps(key)[1:-1]
    for form in (key, escaped, escaped.replace("/", "\\/")):
        text = text.replace(form, "[key]")
    return text


def hidden(key: str, body: Any) -> Any:
    """A JSON value with the key put out of sight wherever it stands."""
    written = json.dumps(body)
    shown = without(json.dumps(key)[1:-1], written)
    return body if shown == written else json.loads(shown)
