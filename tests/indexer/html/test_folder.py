"""A folder of built HTML -> passages: which pages are read, and the addresses they get."""

from collections.abc import Callable
from pathlib import Path

import pytest

from indexer.content import BuildReport
from indexer.folder import SiteFolder
from indexer.generators.published import COPIES, LANGUAGES, NOINDEX, PARTS, REDIRECTS
from indexer.html.folder import HtmlFolder
from indexer.index import Index
from indexer.opening import open_source

Folder = Callable[..., Path]


def page(text: str, head: str = "", lang: str = "en") -> str:
    return (
        f'<html lang="{lang}"><head><title>{text} | Sea</title>{head}</head>\n'
        f'<body><nav>Menu</nav><main><h1 id="top">{text}</h1>\n<p>{text} of the sea.</p></main>'
        "<footer>Imprint</footer></body></html>"
    )


def canonical(path: str) -> str:
    return f'<link rel="canonical" href="https://sea.example/docs/{path}">'


def built(folder: Path) -> tuple[Index, BuildReport]:
    index, report = Index.build(folder)
    return index, report


def test_a_page_keeps_its_file_its_lines_its_anchors_and_its_address(folder: Folder) -> None:
    index, report = built(
        folder(
            {
                "index.html": page("Home", canonical("")),
                "tides/index.html": page("Tides", canonical("tides/")),
                "winds.html": page("Winds", canonical("winds")),
            }
        )
    )
    assert [(p.id, p.url, p.source) for p in index.passages] == [
        ("index#top", "https://sea.example/docs/#top", "index.html"),
        ("tides#top", "https://sea.example/docs/tides/#top", "tides/index.html"),
        ("winds#top", "https://sea.example/docs/winds.html#top", "winds.html"),
    ]
    tides = index.passages[1]
    assert (tides.title, tides.headings, tides.first_line, tides.last_line) == (
        *("Tides", ("Tides",)),
        *(2, 3),
    )
    assert tides.text == "# Tides\n\nTides of the sea."
    assert report.faults == ()
    assert report.generator == "built HTML pages"


LEFT_OUT = [
    (
        "old.html",
        '<meta http-equiv="refresh" content="0; url=tides/"><a href="tides/">on</a>',
        REDIRECTS,
    ),
    ("hidden.html", page("Hidden", '<meta name="robots" content="noindex, follow">'), NOINDEX),
    ("copy.html", page("Tides"), COPIES),
    ("older.html", page("Older tides", canonical("tides/")), COPIES),
    ("404.html", page("Not found"), PARTS),
    ("search/index.html", page("Search"), PARTS),
]


@pytest.mark.parametrize(("name", "content", "why"), LEFT_OUT)
def test_what_is_no_article_of_its_own_is_left_out_and_counted(
    folder: Folder, name: str, content: str, why: str
) -> None:
    index, report = built(
        folder(
            {
                "a.html": page("Home", canonical("a.html")),
                "b/index.html": page("Tides"),
                "tides/index.html": page("Tides now", canonical("tides/")),
                name: content,
            }
        )
    )
    assert {p.source for p in index.passages} == {"a.html", "b/index.html", "tides/index.html"}
    assert {reason: n for reason, n in report.left_out.items() if n} == {why: 1}
    assert report.pages == 3


def test_other_languages_are_left_out_and_the_language_is_that_of_the_pages(folder: Folder) -> None:
    files = {
        f"{lang}/{name}.html": page(f"{name} {lang}", lang=lang)
        for lang in ("de", "fr")
        for name in ("eins", "zwei", "drei")
    }
    index, report = built(folder({**files, "index.html": page("Start", lang="de-CH")}))
    assert index.site.language == "de"
    assert {p.source for p in index.passages} == {
        *("index.html", "de/eins.html", "de/zwei.html", "de/drei.html"),
    }
    assert report.left_out[LANGUAGES] == 3


KINDS: list[tuple[dict[str, str], type]] = [
    ({"a.html": "<p>x", "b.html": "<p>y", "LICENSE.md": "x"}, HtmlFolder),
    ({"a.md": "x", "assets/demo.html": "<p>x"}, SiteFolder),
    (
        {"hugo.toml": "", "content/a.md": "x", "layouts/a.html": "", "layouts/b.html": ""},
        SiteFolder,
    ),
    ({"a.md": "x", "site.toml": 'generator = "html"', "b.html": "<p>y"}, HtmlFolder),
    ({"a.html": "x", "site.toml": 'generator = "none"', "b.md": "y"}, SiteFolder),
    ({}, SiteFolder),
    ({"README.md": "x", "html/a.html": "<p>x", "html/b.html": "<p>y"}, HtmlFolder),
    ({"README.md": "x", "app/views/a.html": "", "app/views/b.html": ""}, SiteFolder),
    ({"a/b/c.html": "<p>x"}, HtmlFolder),
]


@pytest.mark.parametrize(("files", "kind"), KINDS)
def test_the_kind_of_a_folder_is_told_by_what_is_in_it(
    folder: Folder, files: dict[str, str], kind: type
) -> None:
    assert type(open_source(folder(files))) is kind


def test_a_site_toml_comes_before_what_the_pages_say(folder: Folder) -> None:
    index, _ = built(
        folder(
            {
                "site.toml": 'base = "https://other.example"\nname = "Mine"\nlanguage = "de"',
                "a.html": page("Home", canonical("a.html")),
            }
        )
    )
    assert (index.site.name, index.site.base, index.site.language) == (
        *("Mine", "https://other.example/"),
        "de",
    )
    assert index.passages[0].url == "https://other.example/a.html#top"


def test_faults_name_the_file_and_the_rest_is_read(folder: Folder) -> None:
    index, report = built(
        folder(
            {
                "a.html": page("Home"),
                "bad.html": b"<meta charset=utf-8><p>m\xfcde",
                "deep.html": "<p>Above</p>\n" + "<div>" * 600,
                "empty.html": "<nav>only this</nav>",
                "huge.html": "<p>Begin</p>" + " " * (4 * 2**20),
            }
        )
    )
    assert [str(fault).partition(" ")[0] for fault in report.faults] == [
        *("bad.html:", "deep.html:2:", "empty.html:", "huge.html:"),
    ]
    assert {p.source for p in index.passages} == {"a.html", "bad.html", "deep.html", "huge.html"}
