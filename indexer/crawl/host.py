"""One host as a crawl asks it: by its robots.txt, for what has changed, never beyond itself.

Does not know which addresses are asked for.
"""

from collections import Counter
from dataclasses import replace

from indexer.crawl.addresses import normal, scope_of
from indexer.crawl.fetch import Answer, FetchError, Wanted
from indexer.crawl.kept import Record
from indexer.crawl.polite import Manners, Visitor
from indexer.crawl.robots import MAX_BYTES, Robots
from indexer.errors import CrawlError
from indexer.faults import Fault, Warn

MOST_HOPS = 5
"""Redirects from one address."""
_MOVED = (301, 302, 303, 307, 308)


class Host:
    """The host of an address in normal form."""

    def __init__(self, address: str, manners: Manners, warn: Warn) -> None:
        self.scope = scope_of(address)
        """What belongs to the crawl; narrowed to a folder by whoever knows which."""
        self.asked = 0
        """Requests, but for those tried again."""
        self._visitor = Visitor(manners)
        self._warn = warn
        self._left_out: Counter[str] = Counter()
        self._examples: dict[str, str] = {}
        self._robots = Robots(self._robots_text(), manners.agent)
        self._visitor.pause = max(self._visitor.pause, self._robots.delay)

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """Addresses of the sitemaps that the robots.txt names."""
        return self._robots.sitemaps

    def allows(self, address: str) -> bool:
        """Tell whether the robots.txt allows an address."""
        return self._robots.allows(address)

    def get(self, address: str, wanted: Wanted, before: Record | None = None) -> Answer:
        """Return what an address answers; status 304 where it is still as it was `before`.

        Raises FetchError where no answer comes, GaveUpError where that happens again and again.
        """
        self.asked += 1
        conditions = {
            "If-None-Match": before.etag if before else "",
            "If-Modified-Since": before.modified if before else "",
        }
        sent = {name: value for name, value in conditions.items() if value}
        return self._visitor.get(address, wanted, sent)

    def target(self, answer: Answer, address: str, hops: int = 0) -> str:
        """Return where a redirect leads; empty where it is not followed, and why is told."""
        if not moves(answer):
            return ""
        to = normal(answer.headers.get("location", ""), address)
        if to and scope_of(to) == replace(self.scope, scheme="https", folder="/"):
            self.scope = replace(self.scope, scheme="https")
            if self.scope.own(address) == to and address != to:
                return to
        own = self.scope.own(to)
        if not own:
            where = to or "no web page"
            self._warn(Fault(address, 0, f"redirects to {where}, not on this host; not followed"))
        elif own == address or hops >= MOST_HOPS:
            self._warn(Fault(address, 0, "redirects in a circle, or too often; left out"))
        else:
            return own
        return ""

    def leave_out(self, why: str, address: str) -> None:
        """Count an address that is not asked for; `why` follows on "12 addresses"."""
        self._left_out[why] += 1
        self._examples.setdefault(why, address)

    def tell_left_out(self) -> None:
        """Tell what was left out, a line for each reason."""
        for why, number in self._left_out.items():
            said = f"{number:,} addresses {why}, such as {self._examples[why]}"
            self._warn(Fault(self.scope.root, 0, said))

    def _robots_text(self) -> str:
        """Return the robots.txt; empty where there is none, which allows everything."""
        address = f"{self.scope.root}robots.txt"
        for _ in range(MOST_HOPS):
            try:
                answer = self.get(address, lambda status, _: MAX_BYTES if status == 200 else 0)
            except FetchError as error:
                why = f"{self.scope.host} {error}. Look whether the address is right."
                raise CrawlError(why) from error
            if answer.status >= 500 or answer.status == 429:
                raise CrawlError(
                    f"{address} answers {answer.status}, so what may be read is not known. "
                    "Try again later."
                )
            to = self.target(answer, address)
            if not to:
                return answer.body.decode("utf-8", "replace") if answer.status == 200 else ""
            address = to
        return ""


def moves(answer: Answer) -> bool:
    """Tell a redirect."""
    return answer.status in _MOVED
