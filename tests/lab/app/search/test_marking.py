"""What is marked in a text is what the index finds there, and nothing else changes."""

from __future__ import annotations

import re
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.reading import LINK_TARGET
from indexer.terms import terms
from lab.app.search.marking import marked

MARK = re.compile(r'<mark class="lab-term-[0-7]">(.*?)</mark>', re.DOTALL)
WORDS = st.sampled_from(
    [
        *("caching", "KV-cache", "the", "C++", "4,096", "v5.3.2", "camelCase", "[x](a-b.md#c)"),
        *("<script>", "&amp;", "</mark>", '<mark class="lab-term-0">', "“cached”", "ﬁle", "模型"),
    ]
)
TEXTS = st.lists(WORDS | st.text(max_size=8), max_size=12).map(" ".join) | st.text()


def found(text: str, query: str) -> list[str]:
    """The words marked for a query."""
    return MARK.findall(marked(text, terms(query)))


@given(TEXTS, TEXTS)
def test_without_the_marks_the_escaped_text_is_left(text: str, query: str) -> None:
    assert MARK.sub(r"\1", marked(text, terms(query))) == escape(text)


@given(TEXTS, TEXTS)
def test_something_is_marked_exactly_where_the_index_finds_a_term(text: str, query: str) -> None:
    indexed = set(terms(LINK_TARGET.sub("] ", text)))
    assert bool(found(text, query)) == bool(indexed & set(terms(query)))


@pytest.mark.parametrize(
    ("text", "query", "words"),
    [
        ("Caches, cached (caching) and cash", "cache", ["Caches", "cached", "caching"]),
        ("the KV-cache of it", "cache", ["KV-cache"]),
        ("**size**: 4,096 bytes.", "4096 size", ["size", "4,096"]),
        ("C++ or C", "c++", ["C++"]),
        ("a|cache|b", "cache", ["cache"]),
        ("[about caches](kv-cache.md#cache), cache", "cache", ["caches", "cache"]),
        ("the of and", "the of and", []),
        ("cache", "", []),
        ("<b>cache</b>", "cache", ["cache"]),
    ],
)
def test_words_are_marked_by_their_stems(text: str, query: str, words: list[str]) -> None:
    assert found(text, query) == words


def test_a_mark_has_the_colour_of_its_term() -> None:
    assert re.findall(r"lab-term-(\d)", marked("size cache size", ["cach", "size"])) == list("101")
