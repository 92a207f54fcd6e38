"""One page of a source -> what comes of it: passages, their terms, what was wrong."""

import re
from pathlib import Path

from indexer.cutting import cut
from indexer.faults import Fault
from indexer.opening import Source
from indexer.outcomes import Outcome
from indexer.passages import Passage
from indexer.settings import Settings
from indexer.terms import page_terms

LINK_TARGET = re.compile(r"\]\([^()\s]*\)")
"""An address is no text of this passage, and the words in it are those of another page's title."""


def read_page(path: str, file: Path, source: Source, settings: Settings) -> Outcome:
    """Return what comes of one page."""
    faults: list[Fault] = []
    page = source.page(path, file, faults.append)
    if page is None:
        return Outcome(path, faults=tuple(faults), passing=True)
    article = source.article(page, faults.append)
    passages = tuple(cut(article, settings.sizes))
    return Outcome(
        path,
        article.slug,
        article.absent,
        article.canonical,
        passages,
        tuple(" ".join(passage_terms(p, source.site.language, settings)) for p in passages),
        tuple(faults),
        tuple((each, source.included(each)) for each in article.included),
        article.passing,
    )


def passage_terms(passage: Passage, language: str, settings: Settings) -> list[str]:
    """Return the terms a passage is found by: its title, its heading path and its text.

    `language` is the site's own.
    """
    language = passage.terms_language(language)
    title = page_terms(passage.title, language) * settings.title_weight
    headings = page_terms(" ".join(passage.headings), language) * settings.heading_weight
    return title + headings + page_terms(LINK_TARGET.sub("] ", passage.text), language)
