"""A folder of articles -> passages and the terms each is found by, with a report of what was seen.

Does not know how they are searched or kept.
"""

import hashlib
import re
import time
from dataclasses import replace
from pathlib import Path

from indexer.articles import Article
from indexer.content import BuildReport, Content, Progress
from indexer.cutting import cut
from indexer.errors import SourceError
from indexer.faults import Fault, Warn
from indexer.opening import Source, open_source
from indexer.passages import Passage
from indexer.settings import Settings
from indexer.terms import terms

LINK_TARGET = re.compile(r"\]\([^()\s]*\)")
"""An address is no text of this passage, and the words in it are those of another page's title."""


def build_content(
    folder: Path, settings: Settings, on_progress: Progress | None = None
) -> tuple[Content, BuildReport]:
    """Read the articles of `folder` and cut them.

    Raises SourceError where no page or no passage is found, SiteError for a broken `site.toml`.
    """
    began = time.perf_counter()
    faults: list[Fault] = []
    source = open_source(folder)
    site = source.site
    # Taken before the pages are read: one that changes meanwhile shows at the next check.
    files, fingerprint = _pages(source, settings, faults.append)
    passages: list[Passage] = []
    slugs: set[str] = set()
    for done, page in enumerate(source.read(files, faults.append), 1):
        article = source.article(page, faults.append)
        if article:
            article = _named_once(article, slugs, faults.append)
            passages += cut(article, settings.sizes)
        if on_progress:
            on_progress(done, len(files))
    if not passages:
        why = "are not on the site, or empty" if source.unpublished else "are empty"
        raise SourceError(f"All {len(files)} pages in {folder} {why}. Give a folder with articles.")
    listed = tuple(tuple(passage_terms(each, site.language, settings)) for each in passages)
    words = sum(passage.words for passage in passages)
    seconds = time.perf_counter() - began
    content = Content(site, fingerprint, settings, tuple(passages), listed)
    return content, BuildReport(
        len(files) - source.unpublished, len(passages), words, tuple(faults), seconds,
        source.generator.name, dict(source.left_out), source.kept,
    )  # fmt: skip


def passage_terms(passage: Passage, language: str, settings: Settings) -> list[str]:
    """Return the terms a passage is found by: its title, its heading path and its text."""
    title = terms(passage.title, language) * settings.title_weight
    headings = terms(" ".join(passage.headings), language) * settings.heading_weight
    return title + headings + terms(LINK_TARGET.sub("] ", passage.text), language)


def fingerprint_of(folder: Path, settings: Settings) -> str:
    """Return 16 hexadecimal digits that change with pages, site description and settings."""
    return _pages(open_source(folder), settings, lambda _: None)[1]


def _pages(source: Source, settings: Settings, warn: Warn) -> tuple[list[tuple[str, Path]], str]:
    """Return the pages to read of a source just opened, and the fingerprint."""
    digest = hashlib.blake2b(settings.as_text().encode(), digest_size=8)
    digest.update(source.description().encode("utf-8", "replace"))
    files = source.pages(warn)
    for path, file in (*files, *source.parts):
        try:
            content = hashlib.blake2b(file.read_bytes()).digest()
        except OSError:
            content = b""
        digest.update(path.encode() + b"\0" + content)
    return files, digest.hexdigest()


def _named_once(article: Article, slugs: set[str], warn: Warn) -> Article:
    """Return the article under a slug no other has, so that ids stay unique."""
    if article.slug in slugs:
        warn(
            Fault(
                article.source,
                0,
                f"another page is called {article.slug}; known as {article.source}",
            )
        )
        article = replace(article, slug=article.source)
    slugs.add(article.slug)
    return article
