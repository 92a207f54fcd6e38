"""The index of a site: find passages by words, read them by id, keep them on disk.

Does not know who asks, nor how passages are scored: an engine does that (see `indexer.engines`).
"""

import shutil
import tempfile
import weakref
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from indexer import files, storage
from indexer.content import BuildReport, Content
from indexer.engines import choosing
from indexer.engines.engine import Engine, Found
from indexer.passages import Passage
from indexer.places import Listed, Part, Places
from indexer.settings import Settings
from indexer.site import Site
from indexer.snippets import excerpt
from indexer.terms import terms

if TYPE_CHECKING:
    from indexer.semantic import Vectors


@dataclass(frozen=True)
class Hit:
    """A passage that holds at least one term of the query."""

    passage: Passage
    """What was found."""
    score: float
    """BM25 score, above zero; comparable within one query only. Where meaning is searched too, the
    sum of 1 / (60 + rank) over both rankings."""
    terms: frozenset[str]
    """The terms of the query."""
    language: str = "en"
    """Language of the passage's terms, as `indexer.terms` takes it: `de:` is apart from the site's
    own."""

    @property
    def snippet(self) -> str:
        """At most 280 characters of the passage around its densest run of query terms."""
        return self._excerpt[0]

    @property
    def headings(self) -> tuple[str, ...]:
        """The heading path that the query's terms in the snippet stand under.

        A passage may hold several short sections; its own path is that of the first.
        """
        passage = self.passage
        return passage.headings_at(self._excerpt[1]) if passage.below else passage.headings

    @cached_property
    def _excerpt(self) -> tuple[str, int]:
        return excerpt(self.passage.text, self.terms, language=self.language)


class Index:
    """The passages of a site and the search over them; never changes once made."""

    def __init__(
        self,
        content: Content,
        places: Places | None = None,
        engine: Engine | None = None,
        vectors: "Vectors | None" = None,
    ) -> None:
        self._content = content
        self._places = places or Places.of(content.passages)
        self._opened = engine
        if engine is None and choosing.in_memory(self.engine):
            self._opened = choosing.made(files.material(content), self._places.ranks)
        self._read_vectors = vectors

    @cached_property
    def _engine(self) -> Engine:
        """What scores the passages; of an index that was not saved, written at the first search."""
        if self._opened:
            return self._opened
        folder = Path(tempfile.mkdtemp())
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        choosing.write(self.engine, folder, files.material(self._content))
        return choosing.opened(self.engine, folder, self._places.ranks)

    @property
    def engine(self) -> str:
        """What scores the passages: `rank-bm25`, `tantivy`, `milvus` or `milvus:ADDRESS`."""
        return choosing.chosen(self._content.settings.engine, len(self.passages))

    @property
    def site(self) -> Site:
        """The site the passages are from."""
        return self._content.site

    @property
    def passages(self) -> Sequence[Passage]:
        """All passages, in the order of the articles; of a large index each is read when asked."""
        return self._content.passages

    @property
    def fingerprint(self) -> str:
        """16 hexadecimal digits that change with the sources and the settings."""
        return self._content.origin.fingerprint

    def get(self, passage_id: str) -> Passage | None:
        """Return the passage with this id, or None."""
        at = self._places.find(passage_id)
        return None if at is None else self.passages[at]

    def at_address(self, url: str) -> Passage | None:
        """Return the first passage of that address, with or without a slash at its end, or None."""
        at = self._places.at_address(url)
        return None if at is None else self.passages[at]

    def articles(self) -> list[Listed]:
        """Return all articles, in their order; reads one passage of each."""
        return self._places.articles()

    def longest(self, part: Part, n: int) -> list[Passage]:
        """Return the `n` passages with most characters there, longest first."""
        return [self.passages[at] for at in self._places.longest(part, n)]

    def neighbours(self, passage_id: str) -> tuple[str | None, str | None]:
        """Return the ids of the passages before and after this one in the same article."""
        at = self._places.find(passage_id)
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

        return sorted(self._places.near(text), key=lambda each: (-likeness(each), each))[:n]

    def search(self, query: str, limit: int = 5) -> list[Hit]:
        """Return at most `limit` hits, best first; ties go by id; empty where no term is found."""
        if limit < 1:
            return []
        wanted = self._engine.known(self.query_terms(query))
        found, own = frozenset(wanted), self.site.language
        return [
            Hit(passage, score, found, passage.terms_language(own))
            for at, score in self._best(query, wanted, limit)
            for passage in (self.passages[at],)
        ]

    def query_terms(self, query: str) -> list[str]:
        """Return the terms of a query, each once; some may be in no passage.

        A query does not say its language: it is taken for each that pages are in, and those count
        of which the index knows the largest share of the query's words.
        """
        own = self.site.language
        if not self._content.languages:
            return list(dict.fromkeys(terms(query, own)))
        listed = [
            [found for word in query.split() if (found := terms(word, language))]
            for language in (own, *(f"{each}:" for each in self._content.languages))
        ]
        known = set(self._engine.known([t for words in listed for word in words for t in word]))
        shares = [
            sum(not known.isdisjoint(word) for word in words) / max(1, len(words))
            for words in listed
        ]
        best = [words for words, share in zip(listed, shares, strict=True) if share == max(shares)]
        return list(dict.fromkeys(term for words in best for word in words for term in word))

    def _best(self, query: str, wanted: list[str], limit: int) -> Found:
        if not self.semantic:
            return self._engine.best(wanted, limit) if wanted else []
        from indexer import semantic  # noqa: PLC0415  an extra, loaded only where it is used

        by_terms = self._engine.best(wanted, semantic.DEPTH) if wanted else []
        by_meaning = semantic.nearest(query, self._vectors, self._places.ranks)
        return semantic.fused(by_terms, by_meaning, self._places.ranks)[:limit]

    @cached_property
    def _vectors(self) -> "Vectors":
        """A vector for each passage, made at the first search where they were not read."""
        from indexer.semantic import vectors  # noqa: PLC0415

        return vectors(self.passages) if self._read_vectors is None else self._read_vectors

    @property
    def semantic(self) -> bool:
        """Whether passages are found by meaning too."""
        return self._content.settings.semantic

    def finding(self, semantic: bool) -> "Index":
        """Return the same index, which finds passages by meaning too, or by terms alone.

        Raises EngineError where the extra `semantic` is not installed.
        """
        if semantic:
            from indexer.semantic import check_installed  # noqa: PLC0415  an extra

            check_installed()
        settings = replace(self._content.settings, semantic=semantic)
        content = replace(self._content, settings=settings)
        return Index(content, self._places, self._engine, self._read_vectors)

    def explain(self, query: str, passage_id: str) -> list[tuple[str, float]]:
        """Return what each term adds to the passage's score, largest first."""
        at = self._places.find(passage_id)
        if at is None:
            return []
        return self._engine.shares(self.query_terms(query), at)

    @classmethod
    def build(cls, folder: Path, settings: Settings | None = None) -> tuple["Index", BuildReport]:
        """Index the articles of `folder`; see `indexer.builder.build_content`."""
        # Imported here: who only searches a saved index does not wait for what reads pages.
        from indexer.builder import build_content  # noqa: PLC0415

        content, report = build_content(folder, settings or Settings())
        return cls(content), report

    def save(self, folder: Path) -> None:
        """Write the index into `folder`; raises StoredIndexError where that fails."""
        storage.write(self._content, folder)

    @classmethod
    def load(cls, folder: Path) -> "Index":
        """Return the index saved in `folder`; raises StoredIndexError saying what to do."""
        content, held = storage.read(folder)
        return cls(content, held.places, held.engine, held.vectors)


def _trigrams(text: str) -> set[str]:
    padded = f"  {text.casefold()} "
    return {padded[at : at + 3] for at in range(len(padded) - 2)}
