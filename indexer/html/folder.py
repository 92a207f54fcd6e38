"""A folder of built HTML -> articles with the addresses they have on the site.

Does not know what generator built it.
"""

from dataclasses import replace
from pathlib import Path, PurePosixPath
from urllib.parse import quote, unquote, urlsplit

from indexer.articles import Article
from indexer.faults import Fault, Warn
from indexer.generators.published import PARTS
from indexer.html import SUFFIXES
from indexer.html.articles import Kind, Place, article_of
from indexer.html.described import PEEKED, commonest, described, peek
from indexer.html.head import Head
from indexer.html.page import PARSER
from indexer.html.pages import HtmlPages
from indexer.outcomes import Outcome
from indexer.site import Choices, Site, articles_folder, read_choices, read_site
from indexer.sources import SourcePage, list_files, no_pages
from indexer.variants import Told, choose

KIND = Kind("built HTML pages")
_INDEXES = ("index.html", "index.htm", "index.xhtml")
_NO_ARTICLES = ("404", "500", "search", "genindex", "py-modindex", "modindex", "http-index")


class HtmlFolder(HtmlPages):
    """Reads the pages of a site as it was built."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.generator = KIND
        """What the folder holds."""
        self._choices = read_choices(folder)
        self._root = articles_folder(folder)
        self._faults: list[Fault] = []
        self._files = dict(sorted(list_files(self._root, "", SUFFIXES, self._faults.append)))
        heads = {path: peek(file) for path, file in list(self._files.items())[:PEEKED]}
        self.site = _based(described(read_site(folder), self._choices, heads), self._choices, heads)
        """What the site says of itself."""

    def pages(self, warn: Warn) -> list[tuple[str, Path]]:
        """Return path and file of every page to read, sorted by path.

        Raises SourceError where there is none.
        """
        for fault in self._faults:
            warn(fault)
        found = self._files
        paths = [path for path in found if not _holds_no_article(path)]
        if not paths:
            raise no_pages(self._root, SUFFIXES)
        self.left_out[PARTS] = len(found) - len(paths)
        wanted = (self._choices.languages, self._choices.versions)
        chosen = choose(paths, self.site.language, Told(), *wanted)
        return [(path, found[path]) for path in self._take(chosen)]

    def article(self, page: SourcePage, warn: Warn) -> Article:
        """Return the article that a page holds."""
        address = _address(page.path)
        url = self.site.base + quote(address, safe="/+~:@!,;=&")
        place = Place(page.path, slug_of(address), url, self._spoken.get(page.path, ""))
        return article_of(place, page.text, self.site, warn)

    def description(self) -> str:
        """Return all that the pages' articles depend on besides their files, as text."""
        return repr((self.site, self._choices, KIND.name, PARSER))

    def _original(self, outcome: Outcome) -> str:
        """Return the page in this folder that a page names as the one to read instead."""
        base, canonical, own = self.site.base, outcome.canonical, _address(outcome.source)
        if not base or not canonical.startswith(base) or _is_at(canonical, own):
            return ""
        inner = unquote(urlsplit(canonical[len(base) :]).path)
        names = (inner, f"{inner}.html", f"{inner.rstrip('/')}/index.html".lstrip("/"))
        return next((name for name in names if name in self._files), "")


def slug_of(address: str) -> str:
    """Return what the article at an address below the site's base is called."""
    path = PurePosixPath(address)
    if path.suffix.lower() in SUFFIXES:
        path = path.with_suffix("")
    return path.as_posix().strip("./") or "index"


def _address(path: str) -> str:
    """Return a page's address below the base: that of its folder for its folder's index."""
    folder, _, name = path.rpartition("/")
    if name.lower() in _INDEXES:
        return f"{folder}/" if folder else ""
    return path


def _is_at(canonical: str, address: str) -> bool:
    """Tell whether a whole address may be that of a page, however its server shortens it."""
    return bool(_base_of(canonical, address))


def _base_of(canonical: str, address: str) -> str:
    """Return the base that makes `address` the canonical one; empty where none does."""
    if not canonical.startswith(("http://", "https://")):
        return ""
    whole = unquote(canonical.partition("#")[0].partition("?")[0])
    if urlsplit(whole).path in ("", "/") and not address:
        return whole.rstrip("/") + "/"
    bare = slug_of(address) if address else ""
    for tail in dict.fromkeys((address, bare, f"{bare}/", f"{address}index.html")):
        if tail and whole.endswith(f"/{tail}"):
            return whole[: -len(tail)]
    return "" if address or not whole.endswith("/") else whole


def _holds_no_article(path: str) -> bool:
    parts = PurePosixPath(path).with_suffix("").parts
    name = parts[-2] if parts[-1] == "index" and len(parts) > 1 else parts[-1]
    return name.lower() in _NO_ARTICLES and len(parts) <= 2


def _based(site: Site, choices: Choices, heads: dict[str, Head]) -> Site:
    """Return the site with the address that its pages say they are at."""
    if "base" in choices.given:
        return site
    bases = (_base_of(head.canonical, _address(path)) for path, head in heads.items())
    return replace(site, base=commonest(bases))
