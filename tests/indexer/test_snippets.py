from hypothesis import given
from hypothesis import strategies as st

from indexer.snippets import WIDTH, snippet
from indexer.terms import terms

FILLER = "Nothing of this matters here at all. " * 20


def test_a_short_text_is_its_own_snippet_on_one_line():
    assert snippet("a\n  b\tc", []) == "a b c"


def test_the_densest_run_of_query_terms_is_shown_with_an_ellipsis_on_each_cut_side():
    text = f"{FILLER}cache {FILLER} cache sizes per layer {FILLER}"
    shown = snippet(text, terms("cache size layer"))
    assert "cache sizes per layer" in shown
    assert shown.startswith("… ")
    assert shown.endswith(" …")


def test_the_beginning_is_shown_where_no_term_is_found():
    assert snippet(FILLER, ["x"]).startswith("Nothing of this")


@given(st.text(), st.text(), st.integers(20, 400))
def test_a_snippet_keeps_to_its_width_and_to_whole_words_of_the_text(text, query, width):
    shown = snippet(text, terms(query), width)
    assert len(shown) <= width
    words = text.split()
    inner = shown.removeprefix("… ").removesuffix(" …").split()
    assert " ".join(inner) in " ".join(words)
    if all(len(word) <= 10 for word in words):
        assert set(inner) <= set(words)


def test_text_without_blanks_is_cut_to_the_width():
    text = "検索" * 500 + "答え" + "検索" * 500
    shown = snippet(text, ["答え"])
    assert len(shown) <= WIDTH
    assert "答え" in shown
