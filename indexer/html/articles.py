"""An HTML page -> an article, or why it holds none to be read: it redirects, or is not listed.

Does not know whether the page is from a folder or from a server.
"""

from dataclasses import dataclass

from indexer.articles import Article
from indexer.faults import Fault, Warn
from indexer.generators.published import NOINDEX, REDIRECTS
from indexer.html.page import HtmlPage, read_page
from indexer.languages import language_of
from indexer.site import Site


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
    language: str = ""
    """The language that its place says it is in; empty where that says nothing."""


def article_of(place: Place, text: str, site: Site, warn: Warn) -> Article:
    """Return the article of a page; faults go to `warn`."""
    page = read_page(text)
    if page.fault:
        warn(Fault(place.source, page.fault_line, page.fault))
    absent = _why_not(page)
    if not page.blocks and not absent:
        warn(Fault(place.source, 0, "is empty: no passage comes from it"))
    return Article(
        slug=place.slug,
        title=page.title or place.slug.rsplit("/", 1)[-1],
        description=page.head.description,
        date=page.head.date,
        tags=(),
        url=place.url,
        source=place.source,
        blocks=() if absent else page.blocks,
        lines=page.lines,
        absent=absent,
        canonical=page.head.canonical,
        language=language_of(page.blocks, page.head.language or place.language, site.language),
    )


def _why_not(page: HtmlPage) -> str:
    if page.moves:
        return REDIRECTS
    return "" if page.head.robots.isdisjoint(("noindex", "none")) else NOINDEX
