"""Passage ids in an answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.index import Index
from lab.citations import CITATION, cited, ids_in


@pytest.mark.parametrize(
    ("answer", "ids"),
    [
        ("Nothing is named.", []),
        ("The moon does [tides#tides].", ["tides#tides"]),
        ("Both [winds#winds] and [tides#tides].", ["winds#winds", "tides#tides"]),
        ("Both [tides#tides, winds#winds].", ["tides#tides", "winds#winds"]),
        ("Both [tides#tides; winds#winds ;].", ["tides#tides", "winds#winds"]),
        ("Twice [tides#tides], see [tides#tides].", ["tides#tides"]),
        ("Made up [moons#tides].", []),
        ("One of them [moons#tides, tides#tides].", ["tides#tides"]),
        ("An interval [0, 1] and a list [x].", []),
        ("A link [tides#tides](https://example.org).", []),
        ("Nested [[tides#tides]].", ["tides#tides"]),
        ("Open [tides#tides", []),
        ("Empty [] and [ , ].", []),
    ],
)
def test_an_answer_names_passages_in_order_of_first_mention(
    answer: str, ids: list[str], small_index: Index
) -> None:
    assert [passage.id for passage in cited(answer, small_index.get)] == ids


@given(st.text(alphabet="[](),; tides#winds\n", max_size=60))
def test_whatever_the_answer_only_passages_that_exist_are_cited(
    small_index: Index, answer: str
) -> None:
    found = cited(answer, small_index.get)
    assert all(small_index.get(passage.id) is passage for passage in found)
    assert len({passage.id for passage in found}) == len(found)


@pytest.mark.parametrize(
    ("bracket", "ids"), [("a", ["a"]), (" a ,b;c ", ["a", "b", "c"]), (",;", [])]
)
def test_ids_in_a_bracket_are_parted_by_commas_or_semicolons(bracket: str, ids: list[str]) -> None:
    assert ids_in(bracket, lambda _: None) == ids


def test_the_name_of_a_page_may_hold_blanks_and_commas(tmp_path: Path) -> None:
    (tmp_path / "Salt, fat; heat.md").write_text("# Salt\n\nText.\n", encoding="utf-8")
    found = cited("So [Salt, fat; heat#salt].", Index.build(tmp_path)[0].get)
    assert [passage.id for passage in found] == ["Salt, fat; heat#salt"]


def test_a_citation_is_quick_to_find_in_a_long_answer() -> None:
    assert CITATION.findall("[" * 100_000 + "x" * 100_000) == []
