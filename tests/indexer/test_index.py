import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer import builder
from indexer.again import cached, update
from indexer.builder import build_content
from indexer.errors import SourceError, StoredIndexError
from indexer.index import Index
from indexer.settings import Settings

CORPUS = Path(__file__).parents[2] / "corpus"
SHAPE = [".lock", "index", "passages.jsonl", "search.json"]
QUERY = "How much KV cache does Llama 3.1 8B need for one 32K-token conversation?"


def shape(folder):
    return sorted(each.name.partition("-")[0] for each in folder.iterdir())


def written(folder):
    """All that an index is, byte for byte; what builds remember of pages is beside it."""
    files = (each for each in folder.rglob("*") if each.is_file() and each.name != "pages.db")
    return {str(each.relative_to(folder)): each.read_bytes() for each in files}


def test_a_hit_is_a_passage_with_a_snippet_that_shows_why(sample):
    hit = sample.search(QUERY)[0]
    assert "Llama 3.1 8B" in hit.snippet
    assert len(hit.snippet) <= 280


def test_hits_are_ordered_by_score_then_id(sample):
    hits = sample.search("the formula of a cache", 300)
    assert hits == sorted(hits, key=lambda hit: (-hit.score, hit.passage.id))


def test_ties_go_by_id(folder):
    index, _ = Index.build(folder({"b.md": "same text.", "a.md": "same text", "c.md": "other"}))
    index_ids = [hit.passage.id for hit in index.search("same")]
    assert index_ids == ["a#intro", "b#intro"]


@given(st.text() | st.sampled_from(["cache", "of the", "zzzz", "4,096", QUERY]), st.integers(-1, 9))
def test_no_hit_scores_zero_and_no_query_fails(sample, query, limit):
    hits = sample.search(query, limit)
    assert len(hits) <= max(0, limit)
    assert all(hit.score > 0 for hit in hits)


@given(st.lists(st.sampled_from(QUERY.split()), min_size=1))
def test_the_shares_of_the_terms_add_up_to_the_score(sample, words):
    query = " ".join(words)
    for hit in sample.search(query, 3):
        shares = sample.explain(query, hit.passage.id)
        assert sum(share for _, share in shares) == pytest.approx(hit.score)


def test_a_repeated_word_changes_nothing(sample):
    assert sample.search("cache layers cache cache") == sample.search("cache layers")


def test_title_and_headings_are_searched(folder):
    page = "---\ntitle: Zebra\n---\n# Quokka\n\n" + "text " * 150 + "\n\n" + "more " * 150
    index, _ = Index.build(folder({"a.md": page}))
    assert len(index.search("zebra")) == len(index.search("quokka")) == len(index.passages) == 2


def test_a_passage_is_read_by_its_id_and_knows_its_neighbours(sample):
    for before, passage in zip(sample.passages, sample.passages[1:], strict=False):
        assert sample.get(passage.id) is passage
        same = before.article == passage.article
        assert sample.neighbours(passage.id)[0] == (before.id if same else None)
        assert sample.neighbours(before.id)[1] == (passage.id if same else None)


def test_an_unknown_id_has_no_passage_and_the_nearest_ids_stand_in(sample):
    assert sample.get("kv-cache-sizing#paged") is None
    assert sample.neighbours("x") == (None, None)
    assert sample.explain("cache", "x") == []
    assert sample.nearest_ids("kv-cache-sizing#paged")[0] == "kv-cache-sizing#paged-allocation"
    assert len(sample.nearest_ids("")) == 3


def test_a_loaded_index_is_the_saved_one(sample, tmp_path):
    sample.save(tmp_path)
    loaded = Index.load(tmp_path)
    assert (loaded.site, loaded.fingerprint) == (sample.site, sample.fingerprint)
    assert loaded.passages == sample.passages
    assert loaded.search(QUERY, 20) == sample.search(QUERY, 20)


def test_saving_twice_gives_the_same_bytes_and_leaves_nothing_else(sample, tmp_path):
    sample.save(tmp_path)
    first = written(tmp_path)
    sample.save(tmp_path)
    assert written(tmp_path) == first
    assert shape(tmp_path) == SHAPE


def test_a_saved_passage_is_one_line_of_json_with_its_fields(sample, tmp_path):
    sample.save(tmp_path)
    lines = (tmp_path / "passages.jsonl").read_text("utf-8").splitlines()
    keys = "id, article, title, url, headings, text, source, first_line, last_line, words"
    assert ", ".join(json.loads(lines[0])) == keys
    assert len(lines) == len(sample.passages)


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("search.json", lambda data: b"", "is damaged"),
        ("search.json", lambda data: data[:500], "is damaged"),
        (
            "search.json",
            lambda data: data.replace(b'"format": ', b'"format": 9'),
            "another version",
        ),
        ("search.json", lambda data: data.replace(b'"files"', b'"piles"'), "is damaged"),
        ("index-*/about.json", lambda data: b"{}", "is damaged"),
        ("index-*/passages.jsonl", lambda data: data[:-9], "was changed"),
        ("index-*/terms.txt", lambda data: data + b"x", "was changed"),
        ("index-*/terms.txt", None, "is missing"),
    ],
)
def test_a_damaged_index_says_so_and_building_it_again_mends_it(tmp_path, name, change, said):
    built = tmp_path / "index"
    update(CORPUS, built, Settings())
    whole = written(built)
    [file] = built.glob(name)
    file.write_bytes(change(file.read_bytes())) if change else file.unlink()
    with pytest.raises(StoredIndexError, match=f"{said}.*lab index"):
        Index.load(built)
    update(CORPUS, built, Settings())
    assert written(built) == whole


def test_a_missing_index_says_what_to_do(tmp_path):
    with pytest.raises(StoredIndexError, match=r"There is no index in .*lab index"):
        Index.load(tmp_path)


def test_a_save_that_fails_leaves_the_old_index_whole(sample, tmp_path, monkeypatch):
    sample.save(tmp_path)

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoredIndexError, match="No space left"):
        sample.save(tmp_path)
    assert Index.load(tmp_path).passages == sample.passages
    assert shape(tmp_path) == SHAPE


def test_the_cache_is_used_until_a_page_or_the_site_changes(folder, tmp_path, monkeypatch):
    root = folder({"a.md": "one"})
    cache = tmp_path / "cache"
    first = cached(root, cache)
    with monkeypatch.context() as patch:
        patch.setattr(builder, "content_of", None)
        assert cached(root, cache).fingerprint == first.fingerprint
    folder({"a.md": "two"})
    second = cached(root, cache)
    assert second.search("two")
    folder({"site.toml": 'name = "New"'})
    assert cached(root, cache).site.name == "New"


def test_a_build_reports_what_it_read_and_its_progress(folder):
    root = folder({"a.md": "one two", "b.md": "", "c.md": b"caf\xe9"})
    seen = []
    content, report = build_content(root, Settings(), lambda *at: seen.append(at))
    assert (report.pages, report.passages, report.words) == (2, 2, 3)
    assert report.left_out["without text"] == 1
    assert [fault.file for fault in report.faults] == ["c.md"]
    assert seen == [(1, 3), (2, 3), (3, 3)]
    assert len(content.passages) == 2


def test_a_page_that_cannot_be_read_is_none_of_those_indexed(folder, monkeypatch):
    root = folder({"a.md": "one two", "b.md": "three"})
    monkeypatch.setattr("indexer.folder.read_text", lambda path, *_: "x" if path < "b" else None)
    report = Index.build(root)[1]
    assert (report.pages, report.left_out) == (1, {"unreadable": 1})


def test_a_folder_of_empty_pages_is_refused(folder):
    with pytest.raises(SourceError, match=r"No page in .*Left out: 1 without text\."):
        Index.build(folder({"a.md": "\n"}))


def test_pages_of_one_name_get_ids_of_their_own(folder):
    index, report = Index.build(folder({"a.md": "x", "a.markdown": "y"}))
    assert {passage.id for passage in index.passages} == {"a#intro", "a.md#intro"}
    assert len(report.faults) == 1


def test_a_page_of_nothing_but_punctuation_is_indexed_and_never_found(folder):
    index, _ = Index.build(folder({"…….md": "!!!"}))
    assert index.search("anything") == []
