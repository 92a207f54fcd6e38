import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.stopwords import STOP_WORDS
from indexer.terms import page_line, terms, word_terms

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


STEMMED = [
    ("de", "Häuser Häusern Haus Haeuser", "haus"),
    ("de", "Verwaltung verwaltet verwalten", "verwalt"),
    ("fr", "mémoires mémoire l'mémoire", "mémoir"),
    ("fr", "l’état d'états qu’état", "état"),
    ("es", "configuración configuracion configurar", "configur"),
    ("ru", "файл файлы файлов ФАЙЛОМ", "файл"),
    ("ru", "ёлка елки", "елк"),
    ("tr", "ışık IŞIK", "ışık"),
    ("tr", "bellek belleği BELLEKLER", "bellek"),
    ("el", "μνήμη μνήμης ΜΝΉΜΗ", "μνημ"),
    ("hi", "किताब किताबें किताबों", "किताब"),
    ("ar", "كتاب كِتَابٌ الكتاب كـتـاب", "كتاب"),
    ("fa", "کتاب کتاب‌ها کتابها كتاب", "كتاب"),
    ("he", "שלום שָׁלוֹם", "שלום"),
    ("no", "minnet minne", "minn"),
    ("nb-NO", "minnet minne", "minn"),
    ("de_AT", "Häuser Haus", "haus"),
    ("sr", "меморија memorija меморије", "memorij"),
    ("vi", "Việt Vie\u0323\u0302t VIỆT", "việt"),
    ("en", "caf\u00e9 cafe\u0301", "café"),
    ("ja", "caches Cache ｃａｃｈｅｓ", "cach"),
    ("ru", "caches Cache", "cach"),
]


@pytest.mark.parametrize(("language", "words", "term"), STEMMED)
def test_forms_and_ways_of_writing_a_word_are_one_term(language, words, term):
    assert set(terms(words, language)) == set(page_line(words, language).split()) == {term}


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("de", "Wie werden die Daten gesichert?", "dat gesichert"),
        ("fr", "Qu’est-ce que l’eau ?", "est-ce est ce eau"),
        ("ja", "KVキャッシュの値", "kv キャ ャッ ッシ シュ ュの の値 値"),
        ("ja", "Llama3モデル", "llama3 llama モデ デル"),
        ("ja", "ｷｬｯｼｭﾊﾟｽ", "キャ ャッ ッシ シュ ュパ パス"),
        ("ja", "4,096個 C++言語 v5.3.2では", "4096 個 c++ 言語 v5.3.2 5.3.2 5.3 5 3 2 では"),
        ("ja", "人々", "人々"),
        ("ja", "the 本 of", "本"),
        ("ko", "GPU를 쓰는 값", "gpu 를 쓰는 값"),
        ("zh", "使用GPU计算", "使用 gpu 计算"),
        ("th", "ที่นี่ GPU", "ที่นี่ gpu"),
        ("he", "ה-GPU של", "ה-gpu ה gpu"),
        ("de", "Speicher\u00adverwaltung", "speicherverwalt"),
        ("en", "❤️ 👨‍👩‍👧 🇩🇪", ""),
    ],
)
def test_terms_of_other_languages(language, text, expected):
    assert terms(text, language) == expected.split()


@pytest.mark.parametrize(
    ("language", "word", "asked"),
    [
        ("de", "Arbeitsspeichers", "Speicher"),
        ("de", "Speicherverwaltung", "Verwaltungen"),
        ("de", "Zugriffsrechte", "Recht"),
        ("de", "Datenbankverbindung", "Datenbanken"),
        ("de", "Laufzeitumgebung", "Umgebung"),
        ("de", "Arbeitsplatzbeschreibung", "Beschreibungen"),
        ("de", "Gesetzbuch", "Gesetze"),
        ("de", "Marktplatz", "Märkte"),
        ("de", "Schutzbrille", "Schutz"),
        ("de", "Produktionskosten", "Kosten"),
        ("de", "Datenschutzgrundverordnung", "Datenschutz"),
        ("de", "Datenschutzgrundverordnung", "Grundverordnung"),
        ("de", "Datenschutzerklärung", "Erklärung"),
        ("de", "Rechtsschutzversicherungen", "Rechtsschutz"),
        ("ja", "按键值", "值"),
        ("ko", "키를", "키"),
        ("ja", "走った", "走る"),
    ],
)
def test_a_page_is_found_by_a_word_within_a_word(language, word, asked):
    assert set(page_line(word, language).split()) & set(terms(asked, language))
    assert set(page_line(word, f"{language}:").split()) & set(terms(asked, f"{language}:"))


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("Haftpflichtversicherung", "Sicherung"),
        ("Konfiguration", "Ration"),
        ("Netzwerkkonfiguration", "Nation"),
        ("Eigentümlichkeit", "Keit"),
        ("Stromversorgung", "Sorgen"),
    ],
)
def test_a_derived_word_is_not_found_by_what_it_happens_to_end_in(word, other):
    assert not set(page_line(word, "de").split()) & set(terms(other, "de"))


def test_of_english_a_page_has_the_terms_of_a_query():
    text = "The KV-cache of Llama 3.1 8B, `camelCase` and café: 4,096 tokens' worth (v5.3.2)."
    assert page_line(text).split() == terms(text)


def test_words_of_a_language_kept_apart_are_marked_and_what_has_none_is_shared():
    apart = terms("Häuser kv-Cache 4,096 v3.1 mp3s 検索", "de:")
    assert apart == ["de:haus", "de:kv-cach", "de:kv", "de:cach", "4096", "v3.1", "3.1", "mp3s",
                     "de:mp", "検索"]  # fmt: skip
    assert not set(terms("gift", "de:")) & set(terms("gift", "en"))


@given(st.text(), st.sampled_from([*STOP_WORDS, "ja", "zh", "ko", "th", "km", "xx"]))
def test_what_a_text_is_asked_by_is_among_what_a_page_of_it_is_found_by(text, language):
    for each in (language, f"{language}:"):
        found = [term for word in text.split() for term in word_terms(word, each)]
        assert page_line(text, each).split() == found  # so no term holds a blank
        assert set(terms(text, each)) <= set(found)
        assert not any("_" in term for term in found)


MARKED = [("कतबगहन", "ािीुेोंॉ्"), ("கதபமன", "ாிீுேொ்"), ("абвгд", "\u0301\u0300"), ("বকতগ", "ািীেো")]


@given(st.sampled_from(MARKED), st.data())
def test_marks_are_no_borders_of_words(script, data):
    letter = st.tuples(st.sampled_from(script[0]), st.sampled_from(["", *script[1]]))
    word = "".join("".join(each) for each in data.draw(st.lists(letter, min_size=1)))
    assert terms(word, "none") == [unicodedata.normalize("NFKC", word)]
