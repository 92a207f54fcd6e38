import gzip
import json

import pytest

from indexer.collection import read_collection
from indexer.errors import QuestionsError
from indexer.evaluate import measure
from indexer.index import Index
from indexer.settings import Settings

DOCUMENTS = [
    {"id": "1", "title": "Zebras", "text": "They have stripes."},
    {"id": "2", "title": "Moons", "text": "They have phases.\nAnd no stripes."},
]


@pytest.fixture
def collection(tmp_path):
    lines = "\n".join(json.dumps(each) for each in DOCUMENTS)
    (tmp_path / "corpus.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
    (tmp_path / "queries.tsv").write_text("a\tphases of moons\nb\tstripes\nc\tnobody knows\n")
    (tmp_path / "qrels.txt").write_text("a 0 2 1\nb 0 2 3\nb 0 1 -1\nc 0 1 0\n")
    return tmp_path


def test_a_document_is_a_passage_and_a_query_without_an_answer_is_left_out(collection):
    content, judged = read_collection(collection, Settings())
    assert [(each.id, each.title, each.last_line) for each in content.passages] == [
        ("1", "Zebras", 1),
        ("2", "Moons", 2),
    ]
    assert [(each.id, each.relevant) for each in judged] == [("a", {"2"}), ("b", {"2"})]


def test_a_search_is_measured_on_it(collection):
    content, judged = read_collection(collection, Settings())
    found = measure(Index(content), judged)
    assert found.n == 2
    assert found.ranks["a"] == 1
    assert found.recall[3].value == 1


@pytest.mark.parametrize("name", ["corpus.jsonl.gz", "queries.tsv", "qrels.txt"])
def test_a_file_that_is_missing_or_damaged_is_told(collection, name):
    for data in (b"\x1f\x8b\xff", None):
        (collection / name).write_bytes(data) if data else (collection / name).unlink()
        with pytest.raises(QuestionsError, match=r"test collection: .*It should hold corpus"):
            read_collection(collection, Settings())
