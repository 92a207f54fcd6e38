"""Where a crawl begins: a page, or a list of pages, behind redirects of its own host at most.

Does not know what follows.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from indexer.crawl.addresses import normal, scope_of
from indexer.crawl.fetch import Answer, FetchError
from indexer.crawl.host import MOST_HOPS, Host, moves
from indexer.crawl.kept import Kept
from indexer.crawl.listings import MAX_BYTES
from indexer.crawl.types import is_html, is_listing
from indexer.errors import CrawlError
from indexer.html.decoding import MAX_PAGE_BYTES


@dataclass(frozen=True, slots=True)
class Start:
    """The first address that does not lead on."""

    address: str
    """In normal form."""
    answer: Answer | None
    """What it answered; None for a page that an interrupted crawl has kept."""

    @property
    def is_listing(self) -> bool:
        """Whether it is a sitemap or a feed."""
        return self.answer is not None and is_listing(self.answer.headers, self.answer.body)


def begin(address: str, host: Host, kept: Kept) -> Start:
    """Ask for the start of a crawl; raises CrawlError where it is nothing that can be read."""
    for _ in range(MOST_HOPS + 1):
        if not host.allows(address):
            raise CrawlError(f"The robots.txt of {host.scope.host} does not allow {address}.")
        record = kept.now(address)
        if record is not None and record.file:
            return Start(address, None)
        try:
            answer = host.get(address, any_kind, kept.before(address))
        except FetchError as error:
            raise CrawlError(f"{address} {error}.") from error
        if not moves(answer):
            start = Start(address, answer)
            if answer.status not in (200, 304):
                raise CrawlError(f"{address} answers {answer.status}. Look whether it is right.")
            if answer.status == 200 and not is_html(answer.headers, answer.body):
                _check_listing(start)
            return start
        to = normal(answer.headers.get("location", ""), address)
        if not to or scope_of(to).host != host.scope.host:
            raise CrawlError(
                f"{address} redirects to {to or 'no web page'}, which is not on this host. "
                "Give that address if it is meant."
            )
        host.scope = replace(host.scope, scheme=scope_of(to).scheme)
        address = to
    raise CrawlError(f"{address} redirects in a circle, or more than {MOST_HOPS} times.")


def any_kind(status: int, headers: Mapping[str, str]) -> int:
    """Return how many bytes are wanted of a page, or of a listing."""
    if status != 200:
        return 0
    return MAX_PAGE_BYTES + 1 if is_html(headers) else MAX_BYTES


def _check_listing(start: Start) -> None:
    if not start.is_listing:
        raise CrawlError(
            f"{start.address} is neither a page of HTML nor a sitemap nor a feed. Give one of them."
        )
