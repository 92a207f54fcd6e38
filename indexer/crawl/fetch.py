"""One GET, bounded in bytes and seconds, to a network address that was checked.

Follows no redirect and asks no proxy. Does not know what is fetched.
"""

import contextlib
import http.client
import socket
import ssl
import threading
import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlsplit, urlunsplit

from indexer.crawl.hosts import Resolve, checked, resolved

_PIECE = 64 * 1024
_CONNECTING = 10.0
_MOST_TRIED = 3
_GZIP_OR_ZLIB = 47


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server said."""

    status: int
    """Such as 200."""
    headers: Mapping[str, str]
    """Names in lower case; of several with one name the last."""
    body: bytes = b""
    """As far as it was wanted, unpacked."""


class FetchError(Exception):
    """No whole answer came; says why, for the end of a sentence."""

    def __init__(self, why: str, again: bool) -> None:
        super().__init__(why)
        self.again = again
        """Whether it may go better at once."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one GET may take."""

    seconds: float = 30.0
    """From the connection to the last byte."""
    resolve: Resolve = resolved
    """How names become network addresses."""


Wanted = Callable[[int, Mapping[str, str]], int]
"""Returns, by status and headers, how many bytes of the body are to be read."""


def get(address: str, headers: Mapping[str, str], wanted: Wanted, bounds: Bounds) -> Answer:
    """Return what the server at an address in normal form answers.

    Raises FetchError where it does not answer in time, or not in HTTP; CrawlError for a name that
    leads where it must not.
    """
    parts = urlsplit(address)
    tls = parts.scheme == "https"
    port = parts.port or (443 if tls else 80)
    host = parts.hostname or ""
    try:
        ips = checked(host, port, bounds.resolve)[:_MOST_TRIED]
        connection = _Connection(host, port, ips, tls, bounds.seconds)
        with connection, contextlib.closing(connection.asked(_target(address), headers)) as reply:
            named = {name.lower(): value for name, value in reply.getheaders()}
            most = wanted(reply.status, named)
            return Answer(reply.status, named, _body(reply, named, most) if most else b"")
    except (OSError, http.client.HTTPException, zlib.error, ValueError) as error:
        raise FetchError(_why(error, bounds), again=not isinstance(error, _FINAL)) from error


class _LateError(OSError):
    """The time is over."""


class _Connection(http.client.HTTPConnection):
    """Connects to one of the given network addresses, and is cut off when the time is over."""

    def __init__(self, host: str, port: int, ips: list[str], tls: bool, seconds: float) -> None:
        super().__init__(host, port, timeout=seconds)
        self._ips, self._tls = ips, tls
        self._ends = time.monotonic() + seconds
        self._clock = threading.Timer(seconds, self._cut)
        self._clock.daemon = True
        self._was_cut = False
        # Kept apart: the library lets go of its own when the head of an answer has come.
        self._held: socket.socket | None = None

    def __enter__(self) -> "_Connection":
        self._clock.start()
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._clock.cancel()
        self.close()
        if self._held:
            self._held.close()
        if self._was_cut and (error is None or isinstance(error, Exception)):
            raise _LateError from error

    def asked(self, target: str, headers: Mapping[str, str]) -> http.client.HTTPResponse:
        """Send the request, and return the answer when its head has come."""
        self.request("GET", target, headers=dict(headers))
        return self.getresponse()

    def connect(self) -> None:
        """Connect to the address that was checked, not to what the name means by now."""
        for n, ip in enumerate(self._ips, 1):
            try:
                left = max(0.01, self._ends - time.monotonic())
                self._hold(socket.create_connection((ip, self.port), min(left, _CONNECTING)))
                break
            except OSError:
                if n == len(self._ips):
                    raise
        self.sock.settimeout(max(0.01, self._ends - time.monotonic()))
        if self._tls:
            tls = _context().wrap_socket(
                self.sock, server_hostname=self.host, do_handshake_on_connect=False
            )
            self._hold(tls)
            tls.do_handshake()

    def _hold(self, sock: socket.socket) -> None:
        self.sock = self._held = sock

    def _cut(self) -> None:
        # Read and write fail from now on, in whatever call they are.
        self._was_cut = True
        if self._held:
            with contextlib.suppress(OSError):
                socket.socket.shutdown(self._held, socket.SHUT_RDWR)


@cache
def _context() -> ssl.SSLContext:
    return ssl.create_default_context()


_FINAL = (
    *(_LateError, TimeoutError, ValueError, zlib.error),
    *(ssl.SSLError, socket.gaierror, ConnectionRefusedError),
)
"""What will not be otherwise in a moment."""


def _target(address: str) -> str:
    parts = urlsplit(address)
    return urlunsplit(("", "", parts.path or "/", parts.query, ""))


def _body(reply: http.client.HTTPResponse, headers: Mapping[str, str], most: int) -> bytes:
    """Return the first bytes of a body, unpacked as they come, so that none is ever held whole."""
    packing = headers.get("content-encoding", "").strip().lower()
    if packing not in ("", "identity", "gzip", "x-gzip", "deflate"):
        raise ValueError(f"is packed as {packing[:20]}, which was not asked for")
    unpack = zlib.decompressobj(_GZIP_OR_ZLIB) if packing not in ("", "identity") else None
    parts: list[bytes] = []
    size = 0
    while size < most:
        piece = reply.read1(_PIECE)
        if not piece:
            if reply.length:
                raise http.client.IncompleteRead(b"")
            break
        if unpack:
            piece = unpack.decompress(piece, most - size)
        parts.append(piece)
        size += len(piece)
    return b"".join(parts)[:most]


def unpacked(body: bytes, most: int) -> bytes:
    """Return the first bytes of a file that may be gzip."""
    if not body.startswith(b"\x1f\x8b"):
        return body[:most]
    try:
        return zlib.decompressobj(_GZIP_OR_ZLIB).decompress(body, most)
    except zlib.error:
        return b""


def _why(error: Exception, bounds: Bounds) -> str:
    if isinstance(error, _LateError | TimeoutError):
        return f"took longer than {bounds.seconds:g} seconds"
    if isinstance(error, socket.gaierror):
        return "has a name that is not known"
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"has a certificate that cannot be trusted ({error.verify_message})"
    if isinstance(error, ConnectionRefusedError):
        return "refused the connection"
    if isinstance(error, http.client.IncompleteRead | http.client.RemoteDisconnected):
        return "broke off"
    said = " ".join((getattr(error, "strerror", "") or str(error)).split())[:120]
    if isinstance(error, ValueError):
        return said
    return f"cannot be read ({said or type(error).__name__})"
