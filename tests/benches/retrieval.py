"""How well the search finds what is judged relevant, beside other libraries on the same documents.

Run with `python -m tests.benches.retrieval [FOLDER]`. The collections are read from FOLDER, from
the folder that LAB_RETRIEVAL_DIR names, or from `../shared/retrieval`. It judges nothing: it says
which differences are larger than chance makes them.
"""

import os
import re
import sqlite3
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from indexer.collection import Judged, read_collection
from indexer.content import Content
from indexer.evaluate import evaluate
from indexer.index import Index
from indexer.measures import estimate, ndcg
from indexer.questions import read_questions
from indexer.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get("LAB_RETRIEVAL_DIR", ROOT.parent / "shared" / "retrieval"))
COLLECTIONS = ("scifact", "cranfield")
DEPTH = 10

Gains = NDArray[np.float64]
"""A number for each query, or for each document."""
Search = Callable[[str], list[str]]
"""A query to the ids of the first ten documents."""


def ours(content: Content) -> Search:
    """This repository's, with its defaults."""
    index = Index(content)
    return lambda query: [hit.passage.id for hit in index.search(query, DEPTH)]


def okapi(content: Content) -> Search:
    """rank-bm25 with its defaults and a blank split."""
    ids, peer = ids_of(content), BM25Okapi([text.split() for text in texts_of(content)])
    return lambda query: [ids[at] for at in best(peer.get_scores(query.split()))]


def bm25s_(content: Content) -> Search:
    """bm25s with its defaults and Snowball."""
    import bm25s
    import Stemmer

    stemmer = Stemmer.Stemmer("english")

    def cut(texts: list[str]) -> object:
        return bm25s.tokenize(texts, stemmer=stemmer, show_progress=False)

    ids, peer = ids_of(content), bm25s.BM25()
    peer.index(cut(texts_of(content)), show_progress=False)

    def search(query: str) -> list[str]:
        places, _ = peer.retrieve(cut([query]), k=DEPTH, show_progress=False)
        return [ids[at] for at in places[0]]

    return search


def tantivy_(content: Content) -> Search:
    """tantivy with its English stemmer."""
    import tantivy

    fields = tantivy.SchemaBuilder().add_text_field("text", tokenizer_name="en_stem")
    index = tantivy.Index(fields.add_unsigned_field("place", fast=True).build())
    writer = index.writer(num_threads=1)
    for place, text in enumerate(texts_of(content)):
        document = tantivy.Document()
        document.add_text("text", text)
        document.add_unsigned("place", place)
        writer.add_document(document)
    writer.commit()
    index.reload()
    ids, searcher = ids_of(content), index.searcher()

    def search(query: str) -> list[str]:
        parsed = index.parse_query(" ".join(re.findall(r"[^\W_]+", query.lower())), ["text"])
        hits = searcher.search(parsed, DEPTH).hits
        places = searcher.fast_field_values("place", [address for _, address in hits])
        return [ids[int(at or 0)] for at in places]

    return search


def fts5(content: Content) -> Search:
    """SQLite's full-text search with its Porter stemmer."""
    database = sqlite3.connect(":memory:")
    database.execute("create virtual table t using fts5 (text, tokenize = 'porter unicode61')")
    database.executemany("insert into t (rowid, text) values (?, ?)", enumerate(texts_of(content)))
    ids = ids_of(content)

    def search(query: str) -> list[str]:
        wanted = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", query))
        sql = f"select rowid from t where t match ? order by rank limit {DEPTH}"
        return [ids[at] for (at,) in database.execute(sql, (wanted,))]

    return search


def ids_of(content: Content) -> list[str]:
    """The ids by place."""
    return [passage.id for passage in content.passages]


def texts_of(content: Content) -> list[str]:
    """What the others are given: title and text."""
    return [f"{passage.title} {passage.text}" for passage in content.passages]


def best(scores: Gains) -> list[int]:
    """The places of the ten highest."""
    return [int(at) for at in np.argsort(-scores, kind="stable")[:DEPTH]]


PEERS: dict[str, tuple[str, Callable[[Content], Search]]] = {
    "rank-bm25, defaults": ("rank_bm25", okapi),
    "bm25s, Snowball": ("bm25s", bm25s_),
    "tantivy, en_stem": ("tantivy", tantivy_),
    "SQLite FTS5, porter": ("sqlite3", fts5),
}


def gains(search: Search, judged: Sequence[Judged]) -> Gains:
    """nDCG at 10 of each query."""
    return np.array(
        [
            ndcg([id in each.relevant for id in search(each.query)], len(each.relevant), DEPTH)
            for each in judged
        ]
    )


def compared(folder: Path) -> None:
    """Print the table of one collection."""
    content, judged = read_collection(folder, Settings())
    own = gains(ours(content), judged)
    print(f"\n{folder.name}: {len(content.passages):,} documents, {len(judged)} queries")
    print(f"{'':24}nDCG@10  95 % interval    this one less it, 95 % interval")
    print(f"{'this one':24}{row(own)}")
    for name, (library, make) in PEERS.items():
        if not find_spec(library):
            print(f"{name:24}{library} is not installed")
            continue
        other = gains(make(content), judged)
        less = estimate(own - other)
        real = "real" if less.low > 0 or less.high < 0 else "may be chance"
        print(
            f"{name:24}{row(other)}    {less.value:+.3f}  {less.low:+.3f} to {less.high:+.3f}"
            f"  {real}"
        )


def row(values: Gains) -> str:
    """A mean with its interval."""
    mean = estimate(values)
    return f"{mean.value:7.4f}  {mean.low:.3f} to {mean.high:.3f}"


def main(folder: Path = FOLDER) -> None:
    """Print a table for each collection, and the measures of the sample site."""
    for name in COLLECTIONS:
        if (folder / name).is_dir():
            compared(folder / name)
        else:
            print(f"{folder / name} is not there, so {name} is not measured")
    index, _ = Index.build(ROOT / "corpus")
    found = evaluate(index, read_questions(ROOT / "corpus" / "questions.jsonl"))
    print(f"\nsample site, {found.n} questions")
    for name, mean in (("recall@5", found.recall[5]), ("MRR", found.mrr), ("nDCG@10", found.ndcg)):
        print(f"{name:24}{mean.value:7.4f}  {mean.low:.3f} to {mean.high:.3f}")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
