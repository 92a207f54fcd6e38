"""The index of a site: find passages by words, read them by id, keep them on disk.

Does not know who asks. An engine that scores terms otherwise takes the place of `Bm25` here.
"""

import contextlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from indexer import storage
from indexer.bm25 import Bm25
from indexer.builder import BuildReport, Content, Progress, build_content, fingerprint_of
from indexer.errors import StoredIndexError
from indexer.passages import Passage
from indexer.settings import Settings
from indexer.site import Site
from indexer.snippets import snippet
from indexer.terms import terms


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that holds at least one term of the query."""

    passage: Passage
    """What was found."""
    score: float
    """BM25 score, above zero; comparable within one query only."""
    terms: frozenset[str]
    """The terms of the query."""
    language: str = "en"
    """Language the terms were made for."""

    @property
    def snippet(self) -> str:
        """At most 280 characters of the passage around its densest run of query terms."""
        return snippet(self.passage.text, self.terms, language=self.language)


class Index:
    """The passages of a site and the search over them; never changes once made."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self._positions = {each.id: at for at, each in enumerate(content.passages)}
        self._bm25 = Bm25(content.terms, content.settings.k1, content.settings.b)
        ranks = {each: rank for rank, each in enumerate(sorted(self._positions))}
        self._id_ranks = np.array([ranks[each.id] for each in content.passages])

    @property
    def site(self) -> Site:
        """The site the passages are from."""
        return self._content.site

    @property
    def passages(self) -> tuple[Passage, ...]:
        """All passages, in the order of the articles."""
        return self._content.passages

    @property
    def fingerprint(self) -> str:
        """16 hexadecimal digits that change with the sources and the settings."""
        return self._content.fingerprint

    def get(self, passage_id: str) -> Passage | None:
        """Return the passage with this id, or None."""
        at = self._positions.get(passage_id)
        return None if at is None else self.passages[at]

    def neighbours(self, passage_id: str) -> tuple[str | None, str | None]:
        """Return the ids of the passages before and after this one in the same article."""
        at = self._positions.get(passage_id)
        if at is None:
            return None, None
        article = self.passages[at].article
        return self._id_within(article, at - 1), self._id_within(article, at + 1)

    def _id_within(self, article: str, at: int) -> str | None:
        inside = 0 <= at < len(self.passages) and self.passages[at].article == article
        return self.passages[at].id if inside else None

    def nearest_ids(self, text: str, n: int = 3) -> list[str]:
        """Return the `n` ids most like `text`, best first, by shared runs of three characters."""
        wanted = _trigrams(text[:200])

        def likeness(passage_id: str) -> float:
            own = _trigrams(passage_id)
            return 2 * len(wanted & own) / (len(wanted) + len(own))

        return sorted(self._positions, key=lambda each: (-likeness(each), each))[:n]

    def search(self, query: str, limit: int = 5) -> list[Hit]:
        """Return at most `limit` hits, best first; ties go by id; empty where no term is found."""
        wanted = self._bm25.known(terms(query, self.site.language))
        if not wanted or limit < 1:
            return []
        scores = self._bm25.scores(wanted)
        order = np.lexsort((self._id_ranks, -scores))[:limit]
        found = frozenset(wanted)
        return [
            Hit(self.passages[at], float(scores[at]), found, self.site.language)
            for at in order
            if scores[at] > 0
        ]

    def explain(self, query: str, passage_id: str) -> list[tuple[str, float]]:
        """Return what each term adds to the passage's score, largest first."""
        at = self._positions.get(passage_id)
        if at is None:
            return []
        return self._bm25.shares(terms(query, self.site.language), at)

    @classmethod
    def build(
        cls, folder: Path, on_progress: Progress | None = None, settings: Settings | None = None
    ) -> tuple["Index", BuildReport]:
        """Index the articles of `folder`.

        Raises SourceError where no page or no passage is found, SiteError for a broken `site.toml`.
        """
        content, report = build_content(folder, settings or Settings(), on_progress)
        return cls(content), report

    def save(self, folder: Path) -> None:
        """Write the index into `folder`; raises StoredIndexError where that fails."""
        storage.write(self._content, folder)

    @classmethod
    def load(cls, folder: Path) -> "Index":
        """Return the index saved in `folder`; raises StoredIndexError saying what to do."""
        return cls(storage.read(folder))


def cached(folder: Path, cache_dir: Path) -> Index:
    """Return the index of `folder`, kept in `cache_dir`; built at first use and after a change."""
    fingerprint = fingerprint_of(folder, Settings())
    with contextlib.suppress(StoredIndexError):
        index = Index.load(cache_dir)
        if index.fingerprint == fingerprint:
            return index
    index, _ = Index.build(folder)
    # A cache that cannot be written costs time, not the answer.
    with contextlib.suppress(StoredIndexError):
        index.save(cache_dir)
    return index


def _trigrams(text: str) -> set[str]:
    padded = f"  {text.casefold()} "
    return {padded[at : at + 3] for at in range(len(padded) - 2)}
