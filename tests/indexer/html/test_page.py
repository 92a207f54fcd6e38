"""HTML -> blocks: what is kept, what is dropped, and which line of the file each is from."""

import time
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from indexer.html.decoding import decode
from indexer.html.page import HtmlPage, links_of, read_page

CASES = Path(__file__).with_name("cases.txt").read_text("utf-8").split("\n== ")[1:]


def described(page: HtmlPage) -> str:
    lines = []
    for block in page.blocks:
        first, last = (page.lines[each - 1] for each in (block.first_line, block.last_line))
        anchor = f" #{block.anchor}" if block.anchor else " none" if block.anchor is None else ""
        lines += [f"@{block.kind}{anchor} {first}-{last}", block.text]
    return "\n".join(lines)


@pytest.mark.parametrize("case", CASES, ids=[each.partition("\n")[0] for each in CASES])
def test_a_page_gives_the_blocks_written_down(case: str) -> None:
    html, _, expected = case.partition("\n")[2].partition("\n--\n")
    assert described(read_page(html)) == expected.strip("\n")


UNSEEN = ("script", "style", "nav", "footer", "noscript", "template", "button", "textarea", "svg")
TAGS = (
    "p",
    "div",
    "ul",
    "li",
    "table",
    "tr",
    "td",
    "main",
    "article",
    "h1",
    "pre",
    "b",
    "dl",
    "dd",
)
PIECES = st.one_of(
    st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS]),
    st.sampled_from(["seen", " ", "\n", "<!-- x -->", "<br>", "<a href=x>", "</a>", "&amp;"]),
    st.sampled_from([f"<{tag}>SECRET</{tag}>" for tag in UNSEEN]),
)


@given(st.lists(PIECES, max_size=40))
def test_no_text_of_scripts_styles_navigation_and_footers_is_read(pieces: list[str]) -> None:
    page = read_page("".join(pieces))
    assert not any("SECRET" in block.text for block in page.blocks)


@given(st.lists(PIECES, max_size=40).map("".join))
def test_blocks_count_their_lines_without_a_gap_and_each_is_a_line_of_the_file(html: str) -> None:
    page = read_page(html)
    at = 0
    for block in page.blocks:
        assert at < block.first_line <= at + 2
        assert block.text.count("\n") == block.last_line - block.first_line
        at = block.last_line
    assert at == len(page.lines)
    assert all(1 <= line <= html.count("\n") + 1 for line in page.lines)


@given(st.binary(max_size=400), st.sampled_from(["", "utf-8", "shift_jis", "rot13", "utf-16", "é"]))
@example(b"<p \xef\xb7\xaa=1-2>", "")
@example(b"<!-->", "")
@example(b"<html><frameset><frame></frameset>", "")
def test_whatever_the_bytes_nothing_is_raised(raw: bytes, charset: str) -> None:
    text = decode(raw, charset).text
    read_page(text)
    links_of(text)


@given(st.text(st.sampled_from("<>/!-= '\"apdivscrt\n&#;x12\ufdea"), max_size=120))
def test_whatever_the_markup_nothing_is_raised(text: str) -> None:
    read_page(text)
    links_of(text)


ENDLESS = {
    "div": "<div>" * 300_000,
    "bold": "<b><p>" * 100_000,
    "misnested": "<span><div></span></div>" * 50_000,
    "svg": "<svg/>" * 99_999,
    "void": "<div/>" * 100_000,
    "tables": "<table><tr><td>" * 60_000,
    "lists": "<ul><li>" * 100_000,
    "formatting": "<p>" + "".join(f"<font size={n}>" for n in range(400)) + "<p>x" * 20_000,
    "left open": "".join(f"<div><b id={n}></div>" for n in range(400)) + "<p>x" * 20_000,
    "links": "".join(f"<a href={n}><p>" for n in range(20_000)),
    "open tags": "<a title='" * 99_999,
}


@pytest.mark.parametrize("html", ENDLESS.values(), ids=list(ENDLESS))
def test_a_page_that_nests_without_end_is_cut_and_quick(html: str) -> None:
    began = time.perf_counter()
    read_page(f"<p>Before</p>{html}")
    assert time.perf_counter() - began < 20


def test_the_end_of_a_page_that_nests_too_deep_is_a_fault() -> None:
    page = read_page("<p>Before</p>\n" + "<div>" * 600 + "after")
    assert [block.text for block in page.blocks] == ["Before"]
    assert (page.fault_line, "512" in page.fault) == (2, True)


HEADS = [
    ("<title>Tides | Sea</title><body><p>x", "Tides"),
    ('<title>Sea - Tides</title><meta property="og:site_name" content="Sea"><body>x', "Tides"),
    ("<title>No &amp; more</title>", "No & more"),
    ("<title>T</title><body><h2>Second</h2><h1>First</h1>", "First"),
    ("<title>T</title><body><h1>1. Part</h1>a<h1>2. Part</h1>b", "T"),
    ("<title>First - S</title><body><h1>First</h1>a<h1>Other</h1>b", "First"),
    ("<title>Tide | Sea V2 Docs</title><body><h1>Sea v2 docs</h1><h2>Tide</h2>x", "Tide"),
    ("<title>Home | Sea</title><body><h1>Sea</h1><h2>Tide</h2>x", "Sea"),
    ("<title>Tide (Sea (2))</title><body><h3>1.2 Tide</h3>x", "Tide"),
    ("<title>Tide (high)</title><body><h3>Moon</h3>x", "Tide (high)"),
    ("<body><h2>Second</h2>", "Second"),
    ("<body>x", ""),
]


@pytest.mark.parametrize(("html", "title"), HEADS)
def test_the_title_is_the_first_heading_or_the_page_without_the_site(html: str, title: str) -> None:
    assert read_page(html).title == title


MOVES = [
    ('<meta http-equiv="refresh" content="0; url=/new/"><body><p>Go <a href=/new/>on</a>', True),
    ("<meta http-equiv=Refresh content='0;URL=x'>", True),
    ('<meta http-equiv="refresh" content="300; url=/new/"><p>Text', False),
    ('<meta http-equiv="refresh" content="5"><p>Text', False),
    ("<script>window.location.href = '/new/'</script>", True),
    ("<script>window.location.href = '/new/'</script><p>Text", False),
]


@pytest.mark.parametrize(("html", "moves"), MOVES)
def test_a_page_that_only_leads_elsewhere_is_known(html: str, moves: bool) -> None:
    assert read_page(html).moves is moves


ENCODINGS = [
    ("é".encode(), "", "é"),
    ("é".encode(), "utf-8", "é"),
    (b"<meta charset=iso-8859-1>\x93\xe9\x94", "", "“é”"),
    (b'<meta http-equiv=content-type content="text/html; charset=windows-1251">\xcc', "", "М"),
    (b"<meta charset=utf-8>\xcc\xe8", "windows-1251", "Ми"),
    ("é".encode("utf-16"), "", "é"),
    (b"\xef\xbb\xbf\xc3\xa9", "iso-8859-1", "é"),
    (b"<meta charset=utf-16>\xc3\xa9", "", "é"),
    ("日本".encode("shift_jis"), "Shift_JIS", "日本"),
    ("中文".encode("gbk"), "gb2312", "中文"),
]


@pytest.mark.parametrize(("raw", "charset", "text"), ENCODINGS)
def test_bytes_are_read_as_a_browser_reads_them(raw: bytes, charset: str, text: str) -> None:
    decoded = decode(raw, charset)
    assert decoded.text.endswith(text)
    assert decoded.fault == ""


def test_bytes_that_are_not_what_they_declare_are_a_fault_and_read_all_the_same() -> None:
    decoded = decode(b"<meta charset=utf-8>\nm\xfcde")
    assert decoded.text.endswith("m\ufffdde")
    assert "line 2" in decoded.fault


def test_links_not_to_be_followed_are_left_out() -> None:
    html = (
        '<nav><a href=" a#b ">A</a></nav><a rel="nofollow x" href=no>N</a><map><area href=c></map>'
    )
    assert links_of(html)[1] == ["a#b", "c"]
