"""Requests to one host at a pace it can bear: never faster than agreed, and later where it says so.

Does not know what is asked for.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from indexer.crawl.fetch import Answer, Bounds, FetchError, Wanted, get

_BUSY = (429, 502, 503, 504)
_TRIES = 3
_MOST_FAILURES = 5


@dataclass(frozen=True, slots=True)
class Manners:
    """How a site is asked."""

    agent: str
    """Who asks."""
    rate: float = 1.0
    """Requests a second."""
    first_wait: float = 2.0
    """Seconds before a failed request is tried again, where the server does not say."""
    longest_wait: float = 60.0
    """A server that wants a longer one is asked again another day."""
    bounds: Bounds = field(default_factory=Bounds)
    """What one request may take."""
    sleep: Callable[[float], None] = time.sleep
    """How to wait."""


class GaveUpError(Exception):
    """The site fails again and again; what is missing is for another day."""


class Visitor:
    """Asks one host, one request after another."""

    def __init__(self, manners: Manners) -> None:
        self._manners = manners
        self._next = 0.0
        self._failures = 0
        self.pause = 1 / manners.rate
        """Seconds between two requests."""

    def get(self, address: str, wanted: Wanted, headers: Mapping[str, str] | None = None) -> Answer:
        """Return an answer, tried again where the host is busy or does not answer.

        Raises FetchError where none comes, GaveUpError where that happens again and again.
        """
        said = {
            "User-Agent": self._manners.agent,
            "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.5",
            "Accept-Encoding": "gzip",
            "Connection": "close",
            **(headers or {}),
        }
        for tried in range(1, _TRIES + 1):
            self._wait()
            wait = self._manners.first_wait * tried
            try:
                answer = get(address, said, wanted, self._manners.bounds)
            except FetchError as error:
                if not error.again or tried == _TRIES or wait > self._manners.longest_wait:
                    self._count_failure()
                    raise
            else:
                if answer.status not in _BUSY:
                    self._failures = 0
                    return answer
                wait = _seconds(answer.headers.get("retry-after", "")) or wait
                if tried == _TRIES or wait > self._manners.longest_wait:
                    self._count_failure()
                    return answer
            self._manners.sleep(wait)
        raise AssertionError("unreachable")

    def _wait(self) -> None:
        left = self._next - time.monotonic()
        if left > 0:
            self._manners.sleep(left)
        self._next = time.monotonic() + self.pause

    def _count_failure(self) -> None:
        self._failures += 1
        if self._failures >= _MOST_FAILURES:
            raise GaveUpError


def _seconds(said: str) -> float:
    """Return the seconds that a Retry-After means; 0 where it means none."""
    if said.strip().isdecimal():
        return float(said[:9])
    try:
        date = parsedate_to_datetime(said)
    except (ValueError, TypeError):
        return 0.0
    return max(0.0, (date.replace(tzinfo=date.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
