"""The pages that a crawl kept -> articles. Does not know how they were fetched."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

from indexer.articles import Article
from indexer.crawl.addresses import normal, scope_of
from indexer.crawl.kept import kept_pages
from indexer.errors import SourceError
from indexer.faults import Warn
from indexer.generators.published import NOINDEX
from indexer.html.articles import Kind, Place, article_of
from indexer.html.described import PEEKED, described, peek
from indexer.html.folder import slug_of
from indexer.html.page import PARSER
from indexer.html.pages import HtmlPages
from indexer.outcomes import Outcome
from indexer.site import Choices, Site
from indexer.sources import SourcePage
from indexer.variants import Told, choose

KIND = Kind("HTML pages from an address")


class CrawledPages(HtmlPages):
    """Reads the pages in a folder that a crawl filled."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.generator = KIND
        """What the folder holds."""
        self._pages = kept_pages(folder)
        scope = scope_of(next(iter(self._pages), "http://site/"))
        heads = {each: peek(file) for each, (_, file) in list(self._pages.items())[:PEEKED]}
        self.site = described(Site(scope.host, scope.root), Choices(), heads)
        """What the site says of itself."""

    def pages(self, warn: Warn) -> list[tuple[str, Path]]:
        """Return address and file of every page to read, sorted by address.

        Raises SourceError where there is none.
        """
        shown = {each: file for each, (record, file) in self._pages.items() if not record.noindex}
        if not shown:
            raise SourceError(
                f"No page was read from {self.site.name}. Look whether the address is right, and "
                "what its robots.txt allows."
            )
        self.left_out[NOINDEX] = len(self._pages) - len(shown)
        inner = {self._inner(address): address for address in shown}
        chosen = choose(sorted(inner), self.site.language, Told())
        return [(inner[path], shown[inner[path]]) for path in self._take(chosen)]

    def _charset(self, path: str) -> str:
        return self._pages[path][0].charset

    def _inner(self, path: str) -> str:
        """Return an address below its host, as a reader would write it."""
        parts = urlsplit(path)
        return unquote(parts.path).lstrip("/") + (f"?{parts.query}" if parts.query else "")

    def article(self, page: SourcePage, warn: Warn) -> Article:
        """Return the article that a page holds."""
        inner = self._inner(page.path)
        place = Place(page.path, slug_of(inner), page.path, self._spoken.get(inner, ""))
        return article_of(place, page.text, self.site, warn)

    def description(self) -> str:
        """Return all that the pages' articles depend on besides their files, as text."""
        return repr((self.site, KIND.name, PARSER))

    def _original(self, outcome: Outcome) -> str:
        """Return the page that a page names as the one to read instead, if it was read too."""
        address = normal(outcome.canonical, outcome.source)
        return address if address in self._pages and address != outcome.source else ""
