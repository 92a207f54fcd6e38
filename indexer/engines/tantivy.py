"""tantivy as an engine: an inverted index in files, of which a query touches only a part.

Needs the extra `large`. tantivy is handed our terms as they are. Its BM25 is ours with k1 = 1.2
and b = 0.75; what makes another b of it is told at `padding`.
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import tantivy

from indexer.bm25 import K1
from indexer.engines.engine import Found, Material, Ranks, largest_first, settled
from indexer.errors import EngineError

B = 0.75
"""tantivy's own; it has no option for it, nor for k1."""
PAD = "_"
"""Never a term: those have no underscore."""
MOST = 10_000
"""So many hits are looked at to settle a tie; in a larger one the engine's order stands."""
HEAP = 1_000_000_000
"""Bytes the writer may use before it writes a segment: few segments make quick queries."""
THREADS = 2
"""That index. Each makes a segment: at 260,000 passages two are searched as quickly as one, and
more would wait for what feeds them."""


class Tantivy:
    """The index that `write` left in a folder."""

    def __init__(self, folder: Path, ranks: Ranks) -> None:
        index = tantivy.Index.open(str(folder))
        _register(index)
        # Never changes once written, so nobody has to watch for changes.
        index.config_reader("manual")
        index.reload()
        self._schema = index.schema
        self._searcher = index.searcher()
        self._ranks = ranks

    def known(self, terms: Sequence[str]) -> list[str]:
        """Return the terms that some passage holds, each once, in their order."""
        return [t for t in dict.fromkeys(terms) if t != PAD and self._searcher.doc_freq("terms", t)]

    def best(self, terms: Sequence[str], limit: int) -> Found:
        """Return at most `limit` places with scores above zero, best first; ties go by rank."""
        query = self._query(self.known(terms))
        return settled(lambda asked: self._hits(query, asked), self._ranks, limit, MOST)

    def shares(self, terms: Sequence[str], place: int) -> list[tuple[str, float]]:
        """Return what each term adds to the score of one passage, largest first."""
        here = tantivy.Query.range_query(
            self._schema, "place", tantivy.FieldType.Unsigned, place, place
        )
        [(_, address)] = self._searcher.search(here, 1, count=False).hits
        return largest_first([(term, self._share(term, address)) for term in self.known(terms)])

    def _share(self, term: str, address: tantivy.DocAddress) -> float:
        try:
            explained = self._query([term]).explain(self._searcher, address)
        except ValueError:  # the passage does not hold the term
            return 0.0
        return float(json.loads(explained.to_json())["value"])

    def _query(self, terms: Iterable[str]) -> tantivy.Query:
        def wanted(term: str) -> tantivy.Query:
            return tantivy.Query.term_query(self._schema, "terms", term, index_option="freq")

        return tantivy.Query.boolean_query([(tantivy.Occur.Should, wanted(t)) for t in terms])

    def _hits(self, query: tantivy.Query, asked: int) -> Found:
        hits = self._searcher.search(query, asked, count=False).hits
        places = self._searcher.fast_field_values("place", [address for _, address in hits])
        return [(int(at or 0), score) for at, (score, _) in zip(places, hits, strict=True)]


def write(folder: Path, material: Material) -> None:
    """Write the index of these terms into an empty folder."""
    if material.k1 != K1 or not 0 < material.b <= B:
        raise EngineError(
            f"tantivy scores with k1 = {K1} and b up to {B}, not with k1 = {material.k1:g} and "
            f"b = {material.b:g}. Use those, or the engine rank-bm25."
        )
    fields = tantivy.SchemaBuilder()
    fields.add_text_field("terms", tokenizer_name="blanks", index_option="freq")
    fields.add_unsigned_field("place", fast=True)
    index = tantivy.Index(fields.build(), str(folder))
    _register(index)
    writer = index.writer(HEAP, num_threads=THREADS)
    pad = padding(material)
    for place, terms in enumerate(material.documents.lines):
        document = tantivy.Document()
        document.add_text("terms", f"{terms} {pad}")
        document.add_unsigned("place", place)
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()


def padding(material: Material) -> str:
    """Return what every passage is lengthened by, so that tantivy's b works like a smaller one.

    A passage as long as r times the mean m is corrected by 1 - b + b r. With p more terms in each,
    tantivy corrects it by 1 - B + B (r m + p) / (m + p), which is the same for p = m (B - b) / b.
    """
    mean = material.documents.mean()
    return " ".join([PAD] * round(mean * (B - material.b) / material.b))


def _register(index: tantivy.Index) -> None:
    blanks = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
    index.register_tokenizer("blanks", blanks)
