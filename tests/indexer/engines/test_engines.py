"""What holds for every engine, and for an index whose passages stay on disk."""

import shutil
import subprocess
import sys
from dataclasses import replace

import pytest
from engines import ROOT, with_engine
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.bm25 import Bm25
from indexer.engines import choosing
from indexer.engines.engine import Material, settled
from indexer.errors import EngineError, StoredIndexError
from indexer.index import Index
from indexer.places import ranked
from indexer.settings import Settings
from indexer.term_lines import TermLines

QUERY = "How much KV cache does Llama 3.1 8B need for one 32K-token conversation?"


def test_hits_have_a_score_and_ties_go_by_id(site, opened, engine):
    hits = opened(site, engine).search("the formula of a cache", 300)
    assert hits == sorted(hits, key=lambda hit: (-hit.score, hit.passage.id))
    assert all(hit.score > 0 for hit in hits)


def test_a_tie_at_the_limit_goes_by_id(folder, tmp_path, engine):
    pages = {f"{at:02}.md": f"same text {'.' * at}" for at in reversed(range(60))}
    Index.build(folder(pages), settings=Settings(engine=engine))[0].save(tmp_path / "index")
    index = Index.load(tmp_path / "index")
    ids = [f"{at:02}#intro" for at in range(60)]
    for limit in (1, 5, 60):
        assert [hit.passage.id for hit in index.search("same", limit)] == ids[:limit]


def test_the_shares_of_the_terms_add_up_to_the_score(site, opened, engine):
    index = opened(site, engine)
    for hit in index.search(QUERY, 5):
        shares = index.explain(QUERY, hit.passage.id)
        assert sum(share for _, share in shares) == pytest.approx(hit.score, rel=1e-5)
        assert shares == sorted(shares, key=lambda pair: (-pair[1], pair[0]))


def test_a_repeated_or_unknown_word_changes_nothing(site, opened, engine):
    index = opened(site, engine)
    assert index.search("cache cache zzzz layers _") == index.search("cache layers")
    assert index.search("zzzz _") == index.search("cache", 0) == []


def test_an_index_that_was_not_saved_is_searched_all_the_same(site, opened, engine):
    index = with_engine(site, engine)
    assert index.search(QUERY) == opened(site, engine).search(QUERY)


def test_passages_of_a_loaded_index_are_read_one_by_one(site, opened, engine):
    index = opened(site, engine)
    assert len(index.passages) == len(site.passages)
    assert list(index.passages) == list(site.passages)
    assert index.passages[-1] == site.passages[-1]
    assert index.passages[3:5] == tuple(site.passages[3:5])
    with pytest.raises(IndexError):
        index.passages[len(site.passages)]
    whole = with_engine(site, "rank-bm25")
    for passage in site.passages:
        assert index.get(passage.id) == passage
        assert index.neighbours(passage.id) == whole.neighbours(passage.id)
    for unknown in ("", "zzz", "kv-cache-sizing#paged", "\U0010ffff"):
        assert index.get(unknown) is None
        assert index.nearest_ids(unknown) == whole.nearest_ids(unknown)


def test_saving_again_leaves_one_set_of_files(site, tmp_path, engine):
    for _ in range(2):
        with_engine(site, engine).save(tmp_path)
        assert len(list(tmp_path.glob("index-*"))) == 1
    with_engine(site, "rank-bm25").save(tmp_path)
    [files] = tmp_path.glob("index-*")
    names = ["about.json", "passages.jsonl", "terms.txt"]
    assert sorted(each.name for each in files.iterdir()) == names


@pytest.mark.parametrize(
    ("name", "said"),
    [("index-*/passages.jsonl", "was changed"), ("index-*/places.npy", "was changed")],
)
def test_files_that_were_changed_are_told(site, tmp_path, name, said):
    pytest.importorskip("tantivy")
    with_engine(site, "tantivy").save(tmp_path)
    [file] = tmp_path.glob(name)
    file.write_bytes(file.read_bytes()[:-9])
    with pytest.raises(StoredIndexError, match=f"{said}.*lab index"):
        Index.load(tmp_path)


def test_missing_files_of_an_engine_are_told(site, tmp_path):
    pytest.importorskip("tantivy")
    with_engine(site, "tantivy").save(tmp_path)
    [files] = tmp_path.glob("index-*/engine")
    shutil.rmtree(files)
    with pytest.raises(StoredIndexError, match="lab index"):
        Index.load(tmp_path)


def test_tantivy_s_scores_are_those_of_our_b():
    pytest.importorskip("tantivy")
    lengths = (4, 12, 6, 10)  # with 7 more, what tantivy keeps of a length is the length
    documents = TermLines.of(["cache", *(f"w{at}" for at in range(n - 1))] for n in lengths)
    index = with_files(Material(documents, 1.2, 0.4), ranked(list("abcd")))
    expected = Bm25(documents).scores(["cache"])
    assert dict(index.best(["cache"], 4)) == pytest.approx(dict(enumerate(expected)))


def with_files(material, ranks):
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        choosing.write("tantivy", Path(folder), material)
        return choosing.opened("tantivy", Path(folder), ranks)


def test_a_save_that_fails_leaves_the_index_that_was_there(site, tmp_path):
    pytest.importorskip("tantivy")
    with_engine(site, "tantivy").save(tmp_path)
    other = replace(site, settings=Settings(k1=1.5, engine="tantivy"))
    with pytest.raises(EngineError):
        Index(other).save(tmp_path)
    assert Index.load(tmp_path).search(QUERY)
    assert len(list(tmp_path.iterdir())) == 4


def test_a_server_that_is_not_there_is_told(site, tmp_path):
    pytest.importorskip("pymilvus")
    with pytest.raises(EngineError, match=r"Milvus at http://127.0.0.1:9 cannot be used"):
        with_engine(site, "milvus:http://127.0.0.1:9").save(tmp_path)


def test_weights_that_tantivy_does_not_have_are_refused(site):
    pytest.importorskip("tantivy")
    other = replace(site, settings=Settings(k1=1.5, engine="tantivy"))
    with pytest.raises(EngineError, match=r"k1 = 1.2 .* or the engine rank-bm25"):
        Index(other).search("cache")


@pytest.mark.parametrize(
    ("asked", "passages", "name"),
    [
        ("", 275, "rank-bm25"),
        ("", 20_000, "rank-bm25"),
        ("", 20_001, "tantivy"),
        ("rank-bm25", 10**6, "rank-bm25"),
        ("tantivy", 1, "tantivy"),
        ("milvus", 1, "milvus"),
        ("milvus:http://localhost:19530", 1, "milvus:http://localhost:19530"),
    ],
)
def test_the_engine_is_the_one_asked_for_or_goes_by_the_number(monkeypatch, asked, passages, name):
    monkeypatch.setattr(choosing, "find_spec", lambda library: library)
    assert choosing.chosen(asked, passages) == name


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (
            "",
            r'20,001 passages, .* need the library tantivy.*pip install "site-agent-lab\[large\]"',
        ),
        ("tantivy", r'The engine tantivy needs .*pip install "site-agent-lab\[large\]"\.$'),
        ("milvus", r'The engine milvus needs .*pip install "site-agent-lab\[milvus\]"\.$'),
        ("lucene", "no engine 'lucene'. The engines are rank-bm25, tantivy, milvus"),
        ("tantivy:http://x", "no engine 'tantivy:http://x'"),
    ],
)
def test_what_is_missing_is_told_with_what_to_do(monkeypatch, asked, said):
    monkeypatch.setattr(choosing, "find_spec", lambda library: None)
    with pytest.raises(EngineError, match=said):
        choosing.chosen(asked, 20_001)


@given(st.lists(st.integers(0, 3), max_size=40), st.integers(1, 50), st.integers(1, 60))
@settings(max_examples=200)
def test_a_tie_is_settled_whole_whatever_the_engine_s_order(scores, limit, most):
    found = sorted(enumerate(map(float, scores)), key=lambda pair: (-pair[1], -pair[0]))
    ranks = ranked([f"{at:02}" for at in range(len(scores))])
    best = settled(lambda asked: found[:asked], ranks, limit, max(most, limit))
    if most >= len(scores):
        assert best == sorted(found, key=lambda pair: (-pair[1], pair[0]))[:limit]
    assert len(best) == min(limit, len(scores), max(most, limit))


def test_nothing_of_an_engine_is_loaded_before_it_is_used():
    code = (
        "import sys, lab.cli.ask, lab.cli.search_eval\n"
        "from pathlib import Path\n"
        "from indexer.index import Index\n"
        f"Index.build(Path({str(ROOT / 'corpus')!r}))[0].search('cache')\n"
        "extras = {'tantivy', 'pymilvus', 'sentence_transformers', 'torch'}\n"
        "print(sorted(extras & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.strip() == "[]"
