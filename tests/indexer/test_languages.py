"""Pages are read, and found, in the language that they are written in.

The small sites under `spoken/` say nowhere which one that is.
"""

import shutil
from pathlib import Path

import pytest
from articles_of import articles_of
from hypothesis import given
from hypothesis import strategies as st

from indexer.blocks import read_blocks
from indexer.index import Index
from indexer.languages import code, language_of, said_in, spoken

SITES = Path(__file__).parent / "spoken"
CORPUS = Path(__file__).parents[2] / "corpus"

GERMAN = [
    ("Häusern", "wlan"),
    ("Haus", "wlan"),
    ("Haeuser", "wlan"),
    ("Speicher", "arbeitsspeicher"),
    ("Verwaltung von Speicher", "arbeitsspeicher"),
    ("Rechnern RAM", "arbeitsspeicher"),
    ("Boden Heizung", "wlan"),
    ("wie werden Daten gesichert", "sicherung"),
    ("Sicherungen", "sicherung"),
    ("Kennwörtern", "kennwort"),
    ("Passt der Schlüssel zur Anmeldung mit Kennwort?", "kennwort"),
    ("Schlange von Aufträgen", "drucker"),
    ("Versicherung", "balkonkraftwerk"),
    ("Modul", "balkonkraftwerk"),
    ("harte Verweise im Dateisystem", "dateisystem"),
    ("größtes Verzeichnis", "dateisystem"),
]
JAPANESE = [
    ("キャッシュ", "cache"),
    ("KVキャッシュ", "cache"),
    ("ＫＶｷｬｯｼｭ", "cache"),
    ("Llama3", "cache"),
    ("モデル", "cache"),
    ("言語モデルの量子化", "cache"),
    ("復元する", "backup"),
    ("書いた", "backup"),
    ("何度も書く", "function"),
    ("届いた電波", "wifi"),
    ("壁", "wifi"),
    ("鍵", "password"),
    ("盗む", "password"),
    ("印刷した", "printer"),
    ("値を返した", "function"),
    ("関数とは何ですか", "function"),
]
MIXED = [
    ("Speicher im Rechner", "arbeitsspeicher"),
    ("Häuser", "wlan"),
    ("how do I restore a backup", "backups"),
    ("memory modules", "memory"),
    ("houses", "wireless"),
    ("the same password for both devices", "wireless"),
    ("Kopien an verschiedenen Orten", "sicherung"),
    ("データの復元", "backup"),
]


def site_of(folder: Path, *names: str, language: str = "") -> Path:
    """A folder with the pages of the sites named, which says a language only if one is given."""
    for name in names:
        shutil.copytree(SITES / name, folder / "articles", dirs_exist_ok=True)
    said = f'language = "{language}"\n' if language else ""
    (folder / "site.toml").write_text(f'name = "Sample"\n{said}', "utf-8")
    return folder


@pytest.fixture(scope="module")
def indexes(tmp_path_factory):
    made = {
        "german": (("german",), ""),
        "german, said": (("german",), "de"),
        "japanese": (("japanese",), ""),
        "japanese, said": (("japanese",), "ja"),
        "mixed": (("english", "german", "japanese"), ""),
        "mixed, said": (("english", "german", "japanese"), "de"),
    }
    return {
        name: Index.build(site_of(tmp_path_factory.mktemp("site"), *sites, language=said))[0]
        for name, (sites, said) in made.items()
    }


@pytest.mark.parametrize(
    ("site", "query", "page"),
    [
        (f"{name}{said}", *row)
        for name, rows in (("german", GERMAN), ("japanese", JAPANESE), ("mixed", MIXED))
        for said in ("", ", said")
        for row in rows
    ],
)
def test_an_inflected_or_embedded_word_finds_its_page(indexes, site, query, page):
    hits = indexes[site].search(query)
    assert hits
    assert hits[0].passage.article == page


@pytest.mark.parametrize(("site", "own"), [("german", "de"), ("japanese", "ja"), ("english", "en")])
def test_a_page_is_of_the_language_it_is_written_in_unless_that_is_the_site_s(tmp_path, site, own):
    for said in ("", "de", "ja", "en"):
        _, articles, _, _ = articles_of(site_of(tmp_path / said, site, language=said))
        expected = "" if own == (said or "en") else own
        assert {each.language for each in articles} == {expected}, said


def test_no_page_of_the_sample_site_is_taken_for_another_language():
    _, articles, _, _ = articles_of(CORPUS)
    assert {each.language for each in articles} == {""}


def test_no_page_of_the_sample_site_is_changed_by_a_wrong_word_for_its_language():
    pages = [read_blocks(file.read_text("utf-8")) for file in (CORPUS / "articles").glob("*.md")]
    for said in ("de", "fr", "ja", "ru", "da"):
        assert {language_of(blocks, said, "en") for blocks in pages} == {""}


def test_a_hit_shows_the_word_that_was_found_in_the_page_s_own_language(indexes):
    [hit, *_] = indexes["mixed"].search("Auslagerung")
    assert hit.language == "de:"
    assert "Auslagerungsbereich" in hit.snippet
    assert hit.headings[-1] == "Die Speicherverwaltung beobachten"


def test_what_a_term_adds_is_told_for_a_page_in_another_language(indexes):
    index = indexes["mixed"]
    [hit, *_] = index.search("Speicher im Rechner")
    shares = index.explain("Speicher im Rechner", hit.passage.id)
    assert sum(share for _, share in shares) == pytest.approx(hit.score)


def test_a_query_that_only_one_language_knows_is_taken_for_that_one(indexes):
    index = indexes["mixed"]
    assert index.query_terms("Häuser") == ["de:haus"]
    assert index.query_terms("houses in the") == ["hous"]
    assert set(index.query_terms("router")) == {"router", "de:rout"}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Die Maschine wird mit dem Schalter gestartet, der an ihrer Seite ist. " * 4, "de"),
        ("La machine est mise en marche avec le bouton qui se trouve sur le côté. " * 4, "fr"),
        ("La máquina se enciende con el botón que está en la parte de atrás. " * 4, "es"),
        ("Машина включается кнопкой, которая находится сбоку.", "ru"),
        ("Машина вмикається кнопкою, яка є на боці, і це не все, що вона може. " * 4, "uk"),
        ("機械は横のボタンで動きます。とても簡単なので、だれでも使えます。", "ja"),
        ("机器用侧面的按钮启动，非常简单，谁都可以使用它。", "zh"),
        ("기계는 옆에 있는 버튼으로 시작됩니다. 아주 간단합니다.", "ko"),
        ("เครื่องเริ่มทำงานด้วยปุ่มด้านข้าง ง่ายมาก", "th"),
        ("تعمل الآلة بالزر الموجود على الجانب وهذا سهل جدا", "ar"),
        ("המכונה מופעלת בעזרת הכפתור שבצד, וזה קל מאוד.", "he"),
        ("मशीन बगल के बटन से चालू होती है और यह बहुत आसान है।", "hi"),
        ("Η μηχανή ξεκινά με το κουμπί στο πλάι.", "el"),
        ("The machine is started with the button on its side. " * 4, "en"),
        ("Der Knopf.", "en"),
        ("for i in range(10): print(die, der, das, und)", "en"),
        ("Qwen (通义千问) is a model.", "en"),
    ],
)
def test_the_language_of_a_text(text, language):
    assert spoken(text, "en") == language
    assert spoken(text, language) == language


def test_of_a_language_whose_words_are_not_known_what_is_said_holds():
    text = "A máquina ponse en marcha co botón que está no lado, e iso é moi doado. " * 5
    assert spoken(text, "gl") == "gl"


@pytest.mark.parametrize(
    ("values", "language"),
    [
        ({"lang": "de-AT"}, "de"),
        ({"language": "pt_BR"}, "pt"),
        ({"locale": "zh-Hans-CN"}, "zh"),
        ({"lang": "nb"}, "no"),
        ({"language": "python", "locale": "fr_FR.UTF-8"}, "fr"),
        ({"language": "Deutsch"}, ""),
        ({"lang": 3, "language": ["de"]}, ""),
        ({}, ""),
    ],
)
def test_the_language_that_front_matter_names(values, language):
    assert said_in(values) == language


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        ({"a.md": "A.", "a.de.md": "B."}, {"a.md": "", "a.de.md": "de"}),
        ({"en/a.md": "A.", "de/a.md": "B."}, {"en/a.md": "", "de/a.md": "de"}),
        ({"a.md": "---\nlang: fr\n---\nA."}, {"a.md": "fr"}),
        ({"de/a.md": "---\nlang: fr\n---\nA.", "en/a.md": "A."}, {"de/a.md": "fr", "en/a.md": ""}),
        ({"de/linux.md": "A.", "os/b.md": "B."}, {"de/linux.md": "", "os/b.md": ""}),
    ],
)
def test_metadata_comes_before_the_folder_or_name(tmp_path, pages, expected):
    (tmp_path / "site.toml").write_text('languages = ["all"]\n')
    for path, text in pages.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    _, articles, _, _ = articles_of(tmp_path)
    assert {each.source: each.language for each in articles} == expected


@given(st.text(), st.text())
def test_any_text_has_a_language_whatever_is_said_of_it(text, said):
    assert language_of(read_blocks(text), said, "en") == code(
        language_of(read_blocks(text), said, "en")
    )


@given(st.text(max_size=60), st.sampled_from(["de", "ja", "ru", "gl"]))
def test_a_short_latin_text_is_in_the_language_that_is_expected(text, expected):
    latin = text.encode("latin-1", "ignore").decode("latin-1")[:40]
    assert spoken(latin, expected) == expected
