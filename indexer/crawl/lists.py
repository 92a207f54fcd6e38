"""Sitemaps and feeds -> the addresses of this host that they list, those of further ones too.

Does not know what becomes of the addresses.
"""

from collections import deque
from collections.abc import Iterable, Iterator

from indexer.crawl.addresses import normal
from indexer.crawl.feed import is_feed, read_feed
from indexer.crawl.fetch import FetchError, unpacked
from indexer.crawl.host import Host
from indexer.crawl.listings import MAX_BYTES, Listing
from indexer.crawl.sitemap import read_sitemap
from indexer.crawl.start import any_kind
from indexer.faults import Fault, Warn

_MOST_LISTINGS = 500


def listed(
    host: Host, warn: Warn, addresses: Iterable[str], body: tuple[str, bytes] | None = None
) -> Iterator[str]:
    """Yield the pages that listings give, in normal form; `body` is one that is there already."""
    met = dict.fromkeys(addresses)
    waiting = deque(met)
    if body is not None:
        listing = _read(*body, warn)
        waiting += [each for each in listing.more if each not in met]
        met |= dict.fromkeys(listing.more)
        yield from _own(listing, host)
    for _ in range(_MOST_LISTINGS):
        if not waiting:
            return
        address = host.scope.own(normal(waiting.popleft()))
        listing = _fetched(address, host, warn) if address else Listing()
        waiting += [each for each in listing.more if each not in met]
        met |= dict.fromkeys(listing.more)
        yield from _own(listing, host)


def _fetched(address: str, host: Host, warn: Warn) -> Listing:
    try:
        answer = host.get(address, any_kind)
    except FetchError as error:
        warn(Fault(address, 0, f"{error}; left out"))
        return Listing()
    if answer.status != 200:
        warn(Fault(address, 0, f"answers {answer.status}; left out"))
        return Listing()
    return _read(address, answer.body, warn)


def _read(address: str, body: bytes, warn: Warn) -> Listing:
    body = unpacked(body, MAX_BYTES)
    listing = read_feed(body) if is_feed(body) else read_sitemap(body)
    if listing.fault:
        warn(Fault(address, 0, listing.fault))
    return listing


def _own(listing: Listing, host: Host) -> Iterator[str]:
    for page in listing.pages:
        if address := host.scope.own(normal(page)):
            yield address
        else:
            host.leave_out("are listed, but not on this host", page)
