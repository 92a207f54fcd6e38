"""HTML pages -> articles, without those that are not to be read: redirects, copies, unlisted ones.

Does not know whether the pages are from a folder or from a server.
"""

import hashlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from indexer.articles import Article
from indexer.blocks import Block
from indexer.faults import Fault, Warn
from indexer.generators.published import COPIES, NOINDEX, REDIRECTS
from indexer.html.page import HtmlPage, read_page


@dataclass(frozen=True, slots=True)
class Kind:
    """What the pages are."""

    name: str
    """For people."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page is."""

    source: str
    """The file, or the address."""
    slug: str
    """What its article is called in ids."""
    url: str
    """Its address, as far as that is known."""


class Articles:
    """Reads pages one after another, and counts those that are left out."""

    def __init__(self, original: Callable[[Place, HtmlPage], str]) -> None:
        self._original = original
        self._copies: set[str] = set()
        self._seen: set[bytes] = set()
        self.left_out: Counter[str] = Counter()
        """How many pages were left out, by the reason."""

    @property
    def unread(self) -> int:
        """How many pages were left out."""
        return sum(self.left_out.values())

    def read(self, place: Place, text: str, warn: Warn) -> Article | None:
        """Return the article of a page; None, and counted, where it has none of its own."""
        page = read_page(text)
        if page.fault:
            warn(Fault(place.source, page.fault_line, page.fault))
        if why := self._why_not(place, page):
            self.left_out[why] += 1
            return None
        if not page.blocks:
            warn(Fault(place.source, 0, "is empty: no passage comes from it"))
        return Article(
            slug=place.slug,
            title=page.title or place.slug.rsplit("/", 1)[-1],
            description=page.head.description,
            date=page.head.date,
            tags=(),
            url=place.url,
            source=place.source,
            blocks=page.blocks,
            lines=page.lines,
        )

    def _why_not(self, place: Place, page: HtmlPage) -> str:
        if page.moves:
            return REDIRECTS
        if not page.head.robots.isdisjoint(("noindex", "none")):
            return NOINDEX
        original = self._original(place, page)
        if original and original not in self._copies:  # of two that name each other one is read
            self._copies.add(place.source)
            return COPIES
        if page.blocks:
            digest = _digest(page.blocks)
            if digest in self._seen:
                return COPIES
            self._seen.add(digest)
        return ""


def _digest(blocks: tuple[Block, ...]) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for block in blocks:
        digest.update(block.text.encode("utf-8", "replace") + b"\0")
    return digest.digest()
