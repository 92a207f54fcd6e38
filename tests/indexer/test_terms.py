from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.terms import terms

FILE = Path(__file__).parents[1] / "cases" / "terms.md"
ROWS = [
    [cell.strip() for cell in line.strip("|\n").split("|")]
    for line in FILE.read_text("utf-8").split("\n")
    if line.startswith("| ")
][1:]


@pytest.mark.parametrize(("text", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_terms(text, expected):
    assert terms(text) == expected.split()


@given(st.text() | st.text(st.characters(categories=["Cs", "Lu", "Lo", "Mn"])), st.text())
def test_any_text_in_any_language_has_terms_without_blanks(text, language):
    for each in (terms(text), terms(text, language)):
        assert all(term and not term.split()[1:] for term in each)


@given(st.text())
def test_case_does_not_matter_within_ascii_words(text):
    words = " ".join(filter(str.isalpha, text.encode("ascii", "ignore").decode().lower().split()))
    assert terms(words) == terms(words.upper())


@given(st.text())
def test_terms_left_unstemmed_are_their_own_terms(text):
    first = set(terms(text, "none"))
    assert first <= set(terms(" ".join(first), "none"))


@pytest.mark.parametrize("query", ["kv cache", "KV-cache", "kv caches", "KV_Cache", "kvCache"])
def test_ways_of_writing_a_name_share_terms(query):
    assert set(terms("kv cache")) <= set(terms(query))


def test_words_of_other_languages_are_left_whole():
    assert terms("Häuser running the", "de") == ["häuser", "running", "the"]
