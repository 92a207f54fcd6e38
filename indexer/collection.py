"""A test collection for retrieval: documents, queries, and which documents answer them.

Its folder holds `corpus.jsonl.gz` (id, title, text), `queries.tsv` (id, text) and `qrels.txt`
(query, 0, document, relevance). A document becomes one passage, uncut. Knows no measures.
"""

import gzip
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from indexer.content import Content, Origin
from indexer.errors import QuestionsError
from indexer.passages import Passage
from indexer.reading import passage_line
from indexer.settings import Settings
from indexer.site import Site
from indexer.term_lines import TermLines

CORPUS, QUERIES, JUDGEMENTS = "corpus.jsonl.gz", "queries.tsv", "qrels.txt"


@dataclass(frozen=True, slots=True)
class Judged:
    """A query of which is known what answers it."""

    id: str
    """Unique among those it is measured with."""
    query: str
    """What is searched for."""
    relevant: frozenset[str]
    """Ids of the passages that answer it; at least one."""


def read_collection(folder: Path, settings: Settings) -> tuple[Content, list[Judged]]:
    """Return the documents of a collection as passages, and its queries that have an answer.

    Raises QuestionsError where a file is missing or not as expected.
    """
    try:
        data = (folder / CORPUS).read_bytes()
        passages = [_passage(line) for line in gzip.decompress(data).splitlines()]
        return _content(folder, data, passages, settings), _judged(folder)
    except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
        raise QuestionsError(
            f"{folder} cannot be read as a test collection: {error}. "
            f"It should hold {CORPUS}, {QUERIES} and {JUDGEMENTS}."
        ) from error


def _content(folder: Path, data: bytes, passages: list[Passage], settings: Settings) -> Content:
    site = Site(name=folder.resolve().name, base="")
    listed = TermLines([passage_line(each, site.language, settings) for each in passages])
    digest = hashlib.blake2b(settings.as_text().encode() + data, digest_size=8)
    return Content(site, Origin(digest.hexdigest()), settings, passages, listed)


def _judged(folder: Path) -> list[Judged]:
    relevant: dict[str, set[str]] = {}
    for line in (folder / JUDGEMENTS).read_text("utf-8").splitlines():
        query, _, document, relevance = line.split()
        if int(relevance) > 0:
            relevant.setdefault(query, set()).add(document)
    queries = (line.split("\t", 1) for line in (folder / QUERIES).read_text("utf-8").splitlines())
    return [Judged(id, query, frozenset(relevant[id])) for id, query in queries if id in relevant]


def _passage(line: bytes) -> Passage:
    values = json.loads(line)
    id, title, text = (values[key] for key in ("id", "title", "text"))
    lines = text.count("\n") + 1
    return Passage(id, id, title, "", (), text, CORPUS, 1, lines, len(text.split()))
