"""An answer is untrusted: whatever it holds, the page shows text and safe links, no more."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.index import Index
from indexer.passages import Passage
from lab.html.answer import answer_html

TAGS = {
    *("a", "blockquote", "br", "code", "div", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr"),
    *("li", "ol", "p", "pre", "span", "strong", "sup"),
    *("table", "tbody", "td", "th", "thead", "tr", "ul"),
}
LINK = {"href", "title", "target", "rel"}
OURS = re.compile("lab-(answer|sources)|language-.*", re.DOTALL)
ALIGNED = re.compile("text-align:(left|right|center)")


def passage(name: str) -> Passage:
    id, url = f"kv#{name}", f"https://site.example/kv/#{name}"
    return Passage(id, "kv", "KV <cache>", url, ("Size & cost",), "", "kv.md", 1, 2, 3)


KNOWN = {f"kv#{name}": passage(name) for name in ("size", "cost")}


class Checked(HTMLParser):
    """Fails at the first tag or attribute that has no business in an answer."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[dict[str, str | None]] = []
        self.words = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS
        if tag == "a":
            found = dict(attrs)
            assert set(found) == LINK
            assert str(found["href"]).startswith(("http://", "https://"))
            assert found["rel"] == "noopener noreferrer nofollow"
            assert found["target"] == "_blank"
            self.links.append(found)
            return
        for name, value in attrs:
            allowed = {"class": OURS, "style": ALIGNED, "start": re.compile(r"\d+")}[name]
            assert allowed.fullmatch(str(value))

    def handle_data(self, data: str) -> None:
        self.words += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(f"a declaration: {decl}")

    def handle_pi(self, data: str) -> None:
        raise AssertionError(f"an instruction: {data}")


def shown(answer: str) -> Checked:
    return Checked(answer_html(answer, KNOWN.get))


HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '<a href="javascript:alert(1)">x</a>',
    "<!-- hidden --> <!DOCTYPE x> <?php x ?>",
    "<style>body{background:url(https://evil.example)}</style>",
    "<iframe src=https://evil.example></iframe>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java&#115;cript:alert(1))",
    "[x](&#106;avascript&colon;alert(1))",
    "[x](vbscript:msgbox(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](data:image/png;base64,AAAA)",
    "[x](//evil.example)",
    "[x](file:///etc/passwd)",
    '[x](https://evil.example "title\\" onclick=alert(1)")',
    "[x](https://evil.example/\"onmouseover='alert(1)')",
    "![x](https://evil.example/pixel.png)",
    "![x][pixel]\n\n[pixel]: https://evil.example/pixel.png",
    "[![x](https://evil.example/pixel.png)](https://evil.example)",
    "[x]\n\n[x]: javascript:alert(1)",
    "[kv#size]\n\n[kv#size]: https://evil.example",
    "<javascript:alert(1)>",
    "<https://evil.example/?a=<b>>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;img src=x onerror=alert(1)&#62;",
    "&#91;kv#size&#93;",
    r"\[kv#size\]",
    "[kv#size&#44;kv#cost]",
    "[read [kv#size] here](https://other.example)",
    "```html\n<script>alert(1)</script>\n```",
    '```"><script>\nx\n```',
    "`<script>`",
    "|a|\n|:-:|\n|<img src=x>|",
    "\x00\u202e<svg/onload=alert(1)>",
]


@pytest.mark.parametrize("answer", HOSTILE)
def test_a_hostile_answer_becomes_text_and_safe_links(answer: str) -> None:
    shown(answer)


MARKUP = st.lists(
    st.sampled_from([*HOSTILE, *"[]()<>!`*_&;#:|\\\"'\n -", "kv#size", "http://", "javascript:"])
    | st.text(max_size=5),
    max_size=12,
).map("".join)


@given(MARKUP | st.text())
def test_whatever_the_text_only_known_tags_and_attributes_come_out(answer: str) -> None:
    shown(answer)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("![a cat](https://evil.example/c.png)", "[image: a cat https://evil.example/c.png]"),
        ("[bank](https://evil.example)", "bank (https://evil.example)"),
        ("[https://bank.example](https://evil.example)", "(https://evil.example)"),
        ("[mail](mailto:a@b.example)", "mail (mailto:a@b.example)"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("<https://ok.example>", "https://ok.example"),
    ],
)
def test_what_is_made_harmless_is_still_told(answer: str, text: str) -> None:
    assert text in shown(answer).words


def test_an_address_that_is_its_own_text_is_told_once() -> None:
    assert shown("<https://ok.example>").words.count("https://ok.example") == 1


def test_known_ids_become_numbers_that_link_to_the_sources_listed() -> None:
    page = shown("First [kv#cost], then [kv#size; kv#cost].")
    cost, size = KNOWN["kv#cost"].url, KNOWN["kv#size"].url
    assert [link["href"] for link in page.links] == [cost, size, cost, cost, size]
    assert "First [1], then [2, 1]." in page.words
    assert page.words.count("KV <cache> / Size & cost") == 2
    assert cost in page.words


@pytest.mark.parametrize("answer", ["See [kv#none].", "See [1].", "See [x, kv#size].", "See [ ]."])
def test_brackets_that_hold_something_unknown_stay_text(answer: str) -> None:
    assert answer in shown(answer).words


@pytest.mark.parametrize("answer", ["&#91;kv#size&#93;", r"\[kv#size\]", "[kv#*size*] [kv#size]"])
def test_every_number_has_its_source_listed(answer: str) -> None:
    html = answer_html(answer, KNOWN.get)
    assert "<sup>[" in html
    assert KNOWN["kv#size"].url in Checked(html.partition("lab-sources")[2]).words


def test_every_passage_of_the_site_can_be_cited(sample: Index) -> None:
    ids = [p.id for p in sample.passages]
    html = answer_html("\n\n".join(f"x [{id}]" for id in ids), sample.get)
    assert html.count("<sup>[") == len(ids)
    assert len(Checked(html).links) == 2 * len(ids)


def test_an_answer_without_citations_lists_no_sources() -> None:
    assert "lab-sources" not in answer_html("Nothing.", KNOWN.get)
