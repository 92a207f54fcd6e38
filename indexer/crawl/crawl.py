"""A site's address -> its pages in a folder: by its sitemap, its feed, or the links of a page.

One host, at a pace it can bear, as its robots.txt allows, up to a limit. What was fetched stays
when it is interrupted. Does not know what becomes of the pages.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from indexer.crawl.addresses import folder_of, normal
from indexer.crawl.fetch import Answer, FetchError
from indexer.crawl.frontier import MOST_ALIKE, Found, Frontier
from indexer.crawl.host import MOST_HOPS, Host, moves
from indexer.crawl.kept import Kept, Record
from indexer.crawl.lists import listed
from indexer.crawl.polite import GaveUpError, Manners
from indexer.crawl.start import begin
from indexer.crawl.types import charset_of, is_html
from indexer.errors import CrawlError
from indexer.faults import Fault, Warn
from indexer.html.decoding import MAX_PAGE_BYTES, decode
from indexer.html.page import links_of

MAX_PAGES = 1000
"""Pages to read where nothing else is said."""
_MOST_ASKED = 5
"""Requests for each page that may be read: redirects and missing pages are bounded too."""
_GONE = (404, 410)

Progress = Callable[[int, int, float], None]
"""Called after each request with the pages there are, the addresses left, and requests a second."""


@dataclass(frozen=True, slots=True)
class Options:
    """How much is read, and how."""

    manners: Manners
    """How the site is asked."""
    max_pages: int = MAX_PAGES
    """Pages to read at most."""


def crawl(
    start: str, folder: Path, options: Options, warn: Warn, on_progress: Progress | None = None
) -> None:
    """Read the pages of a site into `folder`, or go on where that was interrupted.

    Raises CrawlError where the site cannot be read or does not want it; what was read is kept.
    """
    address = normal(start)
    if not address:
        raise CrawlError(f"{start} is no address of a web page. Give one such as https://host/.")
    host = Host(address, options.manners, warn)
    try:
        pages = _Crawl(host, Kept(folder, address), warn)
        pages.run(address, options.max_pages, on_progress)
    except OSError as error:
        raise CrawlError(f"{folder} cannot be written: {error.strerror}.") from error
    except GaveUpError as error:
        raise CrawlError(
            f"{host.scope.host} does not answer any more. What was read is kept: run the same "
            "command later to go on."
        ) from error


class _Crawl:
    def __init__(self, host: Host, kept: Kept, warn: Warn) -> None:
        self._host, self._kept, self._warn = host, kept, warn
        self._frontier = Frontier()
        self._follows = False
        self._pages = 0

    def run(self, start: str, most: int, on_progress: Progress | None) -> None:
        """Fetch until nothing is left, or the limit is reached."""
        began = time.monotonic()
        self._begin(start)
        while self._pages < most and self._host.asked < _MOST_ASKED * most + 100:
            if (found := self._frontier.next()) is None:
                break
            self._visit(found)
            if on_progress:
                rate = self._host.asked / max(0.001, time.monotonic() - began)
                on_progress(self._pages, len(self._frontier), rate)
        self._tell_rest()
        if not self._pages:
            raise CrawlError(f"No page could be read from {start}. Look whether it is right.")
        self._kept.finish()

    def _begin(self, address: str) -> None:
        """Let the start wait, or what it lists."""
        host, start = self._host, begin(address, self._host, self._kept)
        if start.is_listing and start.answer:
            body = start.address, start.answer.body
            for page in listed(host, self._warn, (), body):
                self._frontier.add(Found(page, listed=True))
            return
        self._follows = True
        host.scope = replace(host.scope, folder=folder_of(start.address))
        first = Found(start.address, listed=True)
        self._frontier.add(first)
        if start.answer is not None:
            self._frontier.next()
            self._take(first, start.answer)
        for page in listed(host, self._warn, host.sitemaps):
            if host.scope.holds(page):
                self._frontier.add(Found(page, listed=True))

    def _visit(self, found: Found) -> None:
        address = found.address
        if (record := self._kept.now(address)) is not None:
            self._go_on_from(record, found)
            return
        if not self._host.allows(address):
            self._host.leave_out("are not allowed by robots.txt", address)
            return
        try:
            answer = self._host.get(address, _page_only, self._kept.before(address))
        except FetchError as error:
            self._failed(found, str(error))
        else:
            self._take(found, answer)

    def _take(self, found: Found, answer: Answer) -> None:
        """Keep what an address answered, and let what it leads to wait."""
        address, before = found.address, self._kept.before(found.address)
        record, body = Record(address), None
        if answer.status == 304 and before is not None:
            record = before
        elif answer.status == 200 and is_html(answer.headers, answer.body):
            record, body = _record(address, answer.headers), answer.body
        elif moves(answer):
            record = Record(address, moved_to=self._host.target(answer, address, found.hops))
        elif answer.status == 200:
            self._host.leave_out("are no HTML", address)
        elif answer.status in _GONE:
            self._warn(Fault(address, 0, f"answers {answer.status}; left out"))
        else:
            self._failed(found, f"answers {answer.status}")
            return
        self._go_on_from(self._kept.keep(record, body), found)

    def _failed(self, found: Found, why: str) -> None:
        before = self._kept.before(found.address)
        if before is None:
            self._warn(Fault(found.address, 0, f"{why}; left out"))
            return
        self._warn(Fault(found.address, 0, f"{why}; as it was the last time"))
        self._go_on_from(self._kept.keep(before), found)

    def _go_on_from(self, record: Record, found: Found) -> None:
        if record.moved_to:
            if self._circles(record):
                self._warn(Fault(record.address, 0, "redirects in a circle; left out"))
            on = replace(found, address=record.moved_to, hops=found.hops + 1, listed=True)
            self._frontier.add(on)
        if not record.file:
            return
        self._pages += 1
        if not self._follows:
            return
        head, links = links_of(decode(self._kept.body(record), record.charset).text)
        base = normal(head.base, found.address) or found.address
        for address in filter(None, (head.canonical, head.moved_to)):
            self._add_link(address, base, found.depth)
        if not record.nofollow and head.robots.isdisjoint(("nofollow", "none")):
            for address in links:
                self._add_link(address, base, found.depth + 1)

    def _circles(self, record: Record) -> bool:
        """Tell whether an address leads back to itself by way of others."""
        here: Record | None = record
        for _ in range(MOST_HOPS):
            here = self._kept.now(here.moved_to) if here else None
            if here and here.address == record.address:
                return True
        return False

    def _add_link(self, written: str, base: str, depth: int) -> None:
        address = self._host.scope.own(normal(written, base))
        if address and self._host.scope.holds(address):
            self._frontier.add(Found(address, depth))

    def _tell_rest(self) -> None:
        self._host.tell_left_out()
        root = self._host.scope.root
        for shape, number in self._frontier.refused.items():
            why = (
                f"{number:,} addresses alike are left out: {MOST_ALIKE} of them were read. Give "
                "the address of the site's sitemap to read all"
            )
            self._warn(Fault(root.rstrip("/") + shape, 0, why))
        if left := len(self._frontier) + self._frontier.overflow:
            why = f"{left:,} addresses that are known were not read: the limit was reached"
            self._warn(Fault(root, 0, why))


def _record(address: str, headers: Mapping[str, str]) -> Record:
    robots = headers.get("x-robots-tag", "").lower()
    return Record(
        address,
        charset=charset_of(headers),
        etag=headers.get("etag", ""),
        modified=headers.get("last-modified", ""),
        noindex="noindex" in robots or "none" in robots,
        nofollow="nofollow" in robots or "none" in robots,
    )


def _page_only(status: int, headers: Mapping[str, str]) -> int:
    return MAX_PAGE_BYTES + 1 if status == 200 and is_html(headers) else 0
