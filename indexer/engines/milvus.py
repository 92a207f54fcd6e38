"""Milvus as an engine: in this process from a folder (Milvus Lite), or a server or cluster.

Needs the extra `milvus`. Every passage is a sparse vector, one dimension a term, that carries the
part of BM25 that is the passage's own; the query's vector carries the idf; their inner product is
the score. Milvus has BM25 of its own, but reckons idf and mean length within each segment or shard
and cuts text by its own tokenizers; so made, the order does not depend on how it is spread out.
"""

import json
import logging
import os
import sqlite3
import uuid
import weakref
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import Any

from pymilvus import DataType, MilvusClient, MilvusException

from indexer.bm25 import idf
from indexer.engines.engine import Found, Material, Ranks, largest_first, settled
from indexer.errors import EngineError

MOST = 10_000
"""So many hits are looked at to settle a tie; Milvus gives at most 16,384."""
BATCH = 1_000
"""Passages sent at a time."""
_NOTHING = 0
"""The dimension of passages without terms, since no vector may be empty."""
_INDEX = {"index_type": "SPARSE_INVERTED_INDEX", "metric_type": "IP"}
_ABOUT, _VOCABULARY, _LITE = "milvus.json", "vocabulary.db", "milvus.db"

# It prints each error it raises, with tracebacks: what went wrong is told once, by who asked.
logging.getLogger("pymilvus").setLevel(logging.CRITICAL + 1)


class Milvus:
    """The collection that `write` made."""

    def __init__(self, folder: Path, ranks: Ranks, address: str) -> None:
        about = json.loads((folder / _ABOUT).read_bytes())
        self._collection: str = about["collection"]
        self._documents: int = about["documents"]
        self._ranks = ranks
        self._explained = partial(_explained, folder, address)
        self._vocabulary = sqlite3.connect(folder / _VOCABULARY, check_same_thread=False)
        weakref.finalize(self, self._vocabulary.close)
        self._reading = Lock()
        with self._explained():
            self._client = _client(folder, address)
            self._client.load_collection(self._collection)

    def known(self, terms: Sequence[str]) -> list[str]:
        """Return the terms that some passage holds, each once, in their order."""
        return [term for term in dict.fromkeys(terms) if self._row(term)]

    def best(self, terms: Sequence[str], limit: int) -> Found:
        """Return at most `limit` places with scores above zero, best first; ties go by rank."""
        vector = {dimension: weight for _, dimension, weight in self._weighed(terms)}
        return settled(lambda asked: self._hits(vector, asked), self._ranks, limit, MOST)

    def shares(self, terms: Sequence[str], place: int) -> list[tuple[str, float]]:
        """Return what each term adds to the score of one passage, largest first."""
        [row] = self._answer(
            lambda: self._client.get(self._collection, ids=[place], output_fields=["terms"])
        )
        own = row["terms"]
        return largest_first([(t, own.get(at, 0.0) * w) for t, at, w in self._weighed(terms)])

    def _weighed(self, terms: Sequence[str]) -> list[tuple[str, int, float]]:
        """Return the known terms with their dimensions and weights."""
        rows = [(term, self._row(term)) for term in dict.fromkeys(terms)]
        return [(term, row[0], idf(self._documents, row[1])) for term, row in rows if row]

    def _row(self, term: str) -> tuple[int, int] | None:
        """Return the dimension of a term and the number of passages that hold it."""
        with self._reading:
            found: tuple[int, int] | None = self._vocabulary.execute(
                "select dimension, passages from terms where term = ?", (term,)
            ).fetchone()
        return found

    def _hits(self, vector: dict[int, float], asked: int) -> Found:
        [hits] = self._answer(
            lambda: self._client.search(
                self._collection,
                data=[vector],
                anns_field="terms",
                limit=asked,
                search_params={"metric_type": "IP"},
            )
        )
        return [(int(hit["place"]), float(hit["distance"])) for hit in hits]

    def _answer(self, ask: Callable[[], Any]) -> Any:
        """Return what a call gives; a server that has started anew has to load the collection."""
        with self._explained():
            try:
                return ask()
            except MilvusException:
                self._client.load_collection(self._collection)
                return ask()


def write(folder: Path, material: Material, address: str) -> None:
    """Make a collection of these terms, and write into an empty folder what finds it again."""
    collection = f"passages_{uuid.uuid4().hex}"
    about = {"collection": collection, "documents": len(material.documents)}
    (folder / _ABOUT).write_text(json.dumps(about), "utf-8")
    dimensions = _write_vocabulary(folder / _VOCABULARY, material)
    with _explained(folder, address):
        client = _client(folder, address)
        schema = client.create_schema(auto_id=False)
        schema.add_field("place", DataType.INT64, is_primary=True)
        schema.add_field("terms", DataType.SPARSE_FLOAT_VECTOR)
        index = client.prepare_index_params()
        index.add_index("terms", **_INDEX)
        client.create_collection(
            collection, schema=schema, index_params=index, consistency_level="Strong"
        )
        rows = _rows(material, dimensions)
        while batch := list(islice(rows, BATCH)):
            client.insert(collection, batch)
        client.flush(collection)
        client.close()
    if not address:
        _release(folder)


def _rows(material: Material, dimensions: dict[str, int]) -> Iterator[dict[str, Any]]:
    """Yield a vector for each passage: tf (k1 + 1) / (tf + k1 (1 - b + b length / mean length))."""
    k1, b = material.k1, material.b
    mean = material.documents.mean() or 1.0
    for place, terms in enumerate(material.documents):
        slow = k1 * (1 - b + b * len(terms) / mean)
        vector = {dimensions[t]: n * (k1 + 1) / (n + slow) for t, n in Counter(terms).items()}
        yield {"place": place, "terms": vector or {_NOTHING: 1.0}}


def _write_vocabulary(file: Path, material: Material) -> dict[str, int]:
    """Write all terms with the number of passages that hold them; return their dimensions."""
    holding = Counter(term for terms in material.documents for term in set(terms))
    dimensions = {term: at for at, term in enumerate(sorted(holding), _NOTHING + 1)}
    rows = ((term, dimensions[term], holding[term]) for term in dimensions)
    with closing(sqlite3.connect(file)) as database, database:
        database.execute(
            "create table terms (term text primary key, dimension integer, passages integer) "
            "without rowid"
        )
        database.executemany("insert into terms values (?, ?, ?)", rows)
    return dimensions


def _client(folder: Path, address: str) -> MilvusClient:
    """Return a client of the server, whose token is in MILVUS_TOKEN, or of Milvus Lite."""
    if address:
        return MilvusClient(uri=address, token=os.environ.get("MILVUS_TOKEN", ""))
    return MilvusClient(str(folder / _LITE))


def _release(folder: Path) -> None:
    """Let another process have the folder; closing a client does not."""
    from milvus_lite.server_manager import server_manager_instance  # noqa: PLC0415

    server_manager_instance.release_server(str(folder / _LITE))


@contextmanager
def _explained(folder: Path, address: str) -> Iterator[None]:
    try:
        yield
    except (MilvusException, OSError) as error:
        what, do = (
            (f"Milvus at {address}", "See that it runs, and that its token is in MILVUS_TOKEN.")
            if address
            else (f"Milvus Lite in {folder}", "Let no other process have it open, or use a server.")
        )
        said = error.message if isinstance(error, MilvusException) else error
        raise EngineError(f"{what} cannot be used: {said}. {do}") from error
