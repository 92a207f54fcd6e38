import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.characters import border
from indexer.snippets import WIDTH, excerpt
from indexer.terms import terms

FILLER = "Nothing of this matters here at all. " * 20
MARKS = re.compile(r"[`*~\[\]()<>!]")


def snippet(text, query_terms, width=WIDTH, language="en"):
    return excerpt(text, query_terms, width, language)[0]


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


PLAIN = st.text(st.characters(exclude_characters="`*~[]()<>!"))


@given(PLAIN, PLAIN, st.integers(20, 400))
def test_a_snippet_keeps_to_its_width_and_to_whole_words_of_the_text(text, query, width):
    shown, before = excerpt(text, terms(query), width)
    assert len(shown) <= width
    words = text.split()
    inner = shown.removeprefix("… ").removesuffix(" …").split()
    assert " ".join(inner) in " ".join(words)
    if all(len(word) <= 10 for word in words):
        assert set(inner) <= set(words)
        assert not inner or words[before] in inner


@given(st.lists(st.sampled_from(["cache", "key", "of", "the", "zz"]), max_size=120))
def test_no_other_stretch_holds_more_of_the_query_s_terms(words):
    def held(stretch):
        return len({"cach", "key"} & set(terms(stretch)))

    text, width = " ".join(words), 40
    shown = snippet(text, terms("cache key"), width)
    stretches = (" ".join(words[at:]) for at in range(len(words)))
    assert held(shown) >= max((held(each[: width - 4]) for each in stretches), default=0)


def test_text_without_blanks_is_cut_to_the_width():
    text = "検索" * 500 + "答え" + "検索" * 500
    shown = snippet(text, ["答え"])
    assert len(shown) <= WIDTH
    assert "答え" in shown


@pytest.mark.parametrize(
    ("opening", "closing"),
    [("`", "`"), ("``", "``"), ("```py ", " ```"), ("**", "**"), ("~~", "~~"), ("[", "](/a/b)")],
)
@pytest.mark.parametrize("filled", [3, 200])
def test_markup_that_is_cut_loses_both_ends_and_what_is_whole_keeps_them(opening, closing, filled):
    inner = "cache sizes " + "word " * filled + "end"
    text = f"{FILLER}{opening}{inner}{closing} {FILLER}"
    shown = snippet(text, terms("cache"))
    assert "cache sizes" in shown
    assert (opening.strip() in shown) == (closing.strip() in shown) == (filled == 3)


@given(
    st.lists(
        st.sampled_from(
            ["`a b`", "**c d e**", "` a b`", "[f g](h)", "<b class=x>", "cache", "word"]
        )
    ),
    st.integers(20, 120),
)
def test_no_markup_stays_open(parts, width):
    shown = snippet(" ".join(parts), ["cach"], width)
    assert len(shown) <= width
    assert shown == " ".join(shown.split())
    assert shown.count("`") % 2 == shown.count("**") % 2 == 0
    assert shown.count("[") == shown.count("](") == shown.count(")")
    assert shown.count("<") == shown.count(">")
    text = " ".join(MARKS.sub(" ", " ".join(parts)).split())
    bare = MARKS.sub(" ", shown.removeprefix("… ").removesuffix(" …"))
    assert set(bare.split()) <= set(text.split())


WHOLE = ["👨‍👩‍👧‍👦", "👍🏽", "🇩🇪", "e\u0301\u0302", "किं", "ที่", "שָׁ", "\u1100\u1161\u11a8", "❤️"]


@pytest.mark.parametrize("character", WHOLE)
@pytest.mark.parametrize("width", range(20, 60, 7))
def test_no_character_is_cut(character, width):
    text = character * 200
    shown = snippet(text, [], width).removeprefix("… ").removesuffix(" …")
    assert shown
    assert len(shown) <= width
    assert not shown.replace(character, "")


@given(st.lists(st.sampled_from([*WHOLE, "a", "検", " "]), max_size=20), st.integers(0, 60))
def test_a_border_is_where_a_character_begins(characters, at):
    text = "".join(characters)
    begins = {len("".join(characters[:n])) for n in range(len(characters) + 1)}
    if at <= len(text):
        found = border(text, at)
        assert found <= at
        assert found in begins


def test_marks_without_end_are_cut_all_the_same():
    text = "a" + "\u0301" * 1000
    assert border(text, 500) == 500


def test_text_from_right_to_left_keeps_its_order_and_its_words():
    text = "הזיכרון של המחשב מלא. " * 30 + "כך מוסיפים זיכרון חדש למחשב ישן. " + "ועוד מילים. " * 30
    shown = snippet(text, terms("זיכרון חדש", "he"), language="he")
    assert "כך מוסיפים זיכרון חדש למחשב ישן." in shown
    assert set(shown.removeprefix("… ").removesuffix(" …").split()) <= set(text.split())


def test_a_part_of_a_compound_and_a_character_in_a_run_are_shown():
    text = "Nichts davon. " * 40 + "Die Speicherverwaltung zählt mit. " + "Nichts davon. " * 40
    assert "Speicherverwaltung" in snippet(text, terms("Verwaltung", "de:"), language="de:")
    text = "何もない。" * 100 + "関数が値を返す。" + "何もない。" * 100
    assert "値" in snippet(text, terms("値", "ja"), language="ja")
