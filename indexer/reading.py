"""One page of a source -> what comes of it: passages, their terms, what was wrong."""

import re
from pathlib import Path

from indexer.cutting import cut
from indexer.errors import IndexerError
from indexer.faults import Fault
from indexer.generators.published import UNREADABLE
from indexer.opening import Source
from indexer.outcomes import Outcome
from indexer.passages import Passage
from indexer.settings import Settings
from indexer.sources import SourcePage
from indexer.terms import page_line

LINK_TARGET = re.compile(r"\]\([^()\s]*\)")
"""An address is no text of this passage, and the words in it are those of another page's title."""


def read_page(path: str, file: Path, source: Source, settings: Settings) -> Outcome:
    """Return what comes of one page."""
    faults: list[Fault] = []
    page = source.page(path, file, faults.append)
    if page is None:
        return Outcome(path, absent=UNREADABLE, faults=tuple(faults), passing=True)
    try:
        return _outcome(source, page, settings, faults)
    except IndexerError:
        raise
    except Exception as error:  # whatever one page holds, the others are read
        what = f"{type(error).__name__}: {error}"
        faults.append(
            Fault(path, 0, f"could not be read, by a fault of the lab ({what}); left out")
        )
        return Outcome(path, absent=UNREADABLE, faults=tuple(faults), passing=True)


def _outcome(source: Source, page: SourcePage, settings: Settings, faults: list[Fault]) -> Outcome:
    article = source.article(page, faults.append)
    passages = tuple(cut(article, settings.sizes))
    return Outcome(
        page.path,
        article.slug,
        article.absent,
        article.canonical,
        passages,
        tuple(passage_line(each, source.site.language, settings) for each in passages),
        tuple(faults),
        tuple((each, source.included(each)) for each in article.included),
        article.passing,
    )


def passage_line(passage: Passage, language: str, settings: Settings) -> str:
    """Return the terms a passage is found by: its title, its heading path and its text.

    With a blank between. `language` is the site's own.
    """
    language = passage.terms_language(language)
    title = page_line(passage.title, language)
    headings = page_line(" ".join(passage.headings), language)
    text = page_line(LINK_TARGET.sub("] ", passage.text), language)
    lines = [title] * settings.title_weight + [headings] * settings.heading_weight + [text]
    return " ".join(filter(None, lines))
