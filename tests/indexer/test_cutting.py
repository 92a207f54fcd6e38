import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from indexer.articles import read_article
from indexer.cutting import cut
from indexer.pieces import count_words
from indexer.settings import Sizes
from indexer.site import Site
from indexer.sources import SourcePage

SMALL = Sizes(least=6, most=20, block=40)

words = st.lists(
    st.sampled_from(["cache", "key", "4,096", "`x`", "$y$"]), min_size=1, max_size=SMALL.block
)
paragraphs = words.map(" ".join)
headings = st.builds(
    "{} {}".format, st.sampled_from(["#", "##", "###"]), st.sampled_from(["A", "A 1", "B & C", "?"])
)
fences = words.map(lambda each: "\n".join(["```", *each, "", "# no heading", "```"]))
tables = words.map(lambda each: "\n".join(["| a |", "|---|", *(f"| {word} |" for word in each)]))
lists = words.map(lambda each: "\n".join(f"- {word}" for word in each))
formulas = words.map(lambda each: "$$\n" + " ".join(each) + "\n$$")
blocks = st.one_of(paragraphs, headings, fences, tables, lists, formulas)
pages = st.lists(blocks, max_size=12).map("\n\n".join)


def passages(text, sizes=SMALL):
    return cut(read_article(SourcePage("page.md", text), Site("", ""), lambda _: None), sizes)


def visible(text):
    return [line for line in text.split("\n") if line.strip()]


@given(pages)
def test_joined_the_passages_hold_every_line_that_is_not_blank(page):
    assert visible("\n".join(each.text for each in passages(page))) == visible(page)


UNSEEN = re.compile("[\u200b\u2060\ufeff\u00ad]")
NO_CHARACTERS = re.compile("[\ufdd0-\ufdef]")


@given(st.text())
def test_any_text_without_tags_and_references_is_held_in_its_order(text):
    assume(not re.search(r"<[A-Za-z/!?]|&#?\w+;", text))
    joined = " ".join(each.text for each in passages(text))
    seen = NO_CHARACTERS.sub("\ufffd", UNSEEN.sub("", text))
    assert joined.split() == seen.split() or text.startswith("---")


@given(pages)
def test_lines_are_those_of_the_source(page):
    lines = page.split("\n")
    for each in passages(page):
        assert each.words == count_words(each.text)
        assert each.text.split("\n") == lines[each.first_line - 1 : each.last_line]


@given(pages)
def test_ids_are_unique_and_made_of_slug_section_and_number(page):
    ids = [each.id for each in passages(page)]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"page#[\w-]+?(--\d+)?", each) for each in ids)


@given(st.lists(st.tuples(headings, paragraphs), min_size=2), st.data())
def test_an_edit_in_one_section_points_no_id_to_another(sections, data):
    def ids(parts):
        found = passages("\n\n".join(f"{heading}\n\n{text}" for heading, text in parts))
        return {each.id: each.text.split("\n")[-1 if "--" in each.id else 0] for each in found}

    at = data.draw(st.integers(0, len(sections) - 1))
    edited = list(sections)
    edited[at] = (sections[at][0], data.draw(paragraphs))
    before, after = ids(sections), ids(edited)
    firsts = [each for each in before.keys() & after.keys() if "--" not in each]
    assert all(before[each] == after[each] for each in firsts)


@pytest.mark.parametrize(
    "block",
    [
        "```\n" + "code line\n" * 15 + "```",
        "| a | b |\n|---|---|\n" + "| c | d |\n" * 4 + "| e | f |",
        "$$\n" + "x + y\n\n" * 9 + "z\n$$",
    ],
)
def test_a_fence_a_table_or_a_formula_is_never_split(block):
    page = f"## H\n\n{'word ' * 15}\n\n{block}\n\n{'word ' * 15}\n"
    assert sum(block in each.text for each in passages(page)) == 1


def test_a_fence_that_alone_is_too_long_is_cut_at_lines():
    found = passages("```\n" + "code line\n" * 100 + "```")
    assert len(found) > 1
    assert all(each.words <= SMALL.block for each in found)
    assert found[1].first_line == found[0].last_line + 1


def test_a_line_that_alone_is_too_long_is_cut_between_words():
    found = passages("word " * 100)
    assert [each.words for each in found] == [40, 40, 20]
    assert {(each.first_line, each.last_line) for each in found} == {(1, 1)}


@pytest.mark.parametrize("line", ["x" * 25_000, "é" * 25_000, "word " * 5000, "漢" * 25_000])
def test_a_line_of_more_than_20_000_characters_gives_passages_of_bearable_length(line):
    found = passages(f"# H\n\n{line}\n", Sizes())
    assert "".join(each.text for each in found).replace("# H", "").split() == line.split() or (
        "".join("".join(each.text for each in found).replace("# H", "").split())
        == line.replace(" ", "")
    )
    assert max(len(each.text) for each in found) < 13_000


def test_what_is_small_joins_its_nearest_kin():
    page = f"# A\n\n{'a ' * 10}\n\n# B\n\nfew\n\n## C\n\n{'c ' * 10}\n"
    assert [(each.id, each.headings) for each in passages(page)] == [
        ("page#a", ("A",)),
        ("page#b", ("B",)),
    ]


def test_sections_of_one_name_are_told_apart_and_each_passage_lands_at_its_anchor():
    page = "".join(f"# {name}\n\n{'w ' * 19}\n\n" for name in ("Same", "Same", "Same 1", "Intro"))
    page = "w " * 19 + "\n\n" + page + "v " * 19
    assert [(each.id, each.url) for each in passages(page)] == [
        ("page#intro", "page/"),
        ("page#same", "page/#same"),
        ("page#same-1", "page/#same-1"),
        ("page#same-1-1", "page/#same-1-1"),
        ("page#intro-1", "page/#intro"),
        ("page#intro-1--2", "page/#intro"),
    ]


def test_a_lead_too_small_to_stand_alone_goes_under_its_first_section():
    found = passages(f"few words\n\n# A\n\n{'a ' * 10}\n")
    assert [(each.id, each.first_line) for each in found] == [("page#a", 1)]


def test_the_sample_site_is_cut_into_passages_of_like_length(sample):
    lengths = [each.words for each in sample.passages]
    assert 240 <= len(lengths) <= 280
    assert sum(100 <= each <= 260 for each in lengths) > 0.8 * len(lengths)
