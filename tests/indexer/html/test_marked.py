"""Marked pages: each tag knows its line, and no page nests without end, whatever its tags are."""

from hypothesis import example, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from indexer.html.marked import LINE, marked

NAMES = (
    *(
        "a",
        "b",
        "code",
        "span",
        "div",
        "p",
        "li",
        "ul",
        "ol",
        "dl",
        "dt",
        "dd",
        "table",
        "tr",
        "td",
    ),
    *("th", "tbody", "caption", "select", "option", "button", "svg", "math", "foreignObject", "mi"),
    *("title", "desc", "annotation-xml", "template", "section", "nobr", "h1", "h2", "ruby", "rt"),
    *("form", "noscript", "object", "marquee", "body", "html", "head", "frameset", "textarea"),
    *("style", "script", "font", "em", "label", "br"),
)
DEEP = 50
REPEATED = 500
IMPLIED = 5
"""Elements in one another that a parser adds, or that are closed by the next of their kind."""
TAGS = st.one_of(
    st.sampled_from([f"<{name}>" for name in NAMES]),
    st.sampled_from([f"</{name}>" for name in NAMES]),
    st.sampled_from([f"<{name}/>" for name in ("div", "svg", "path", "p", "br", "math")]),
    st.sampled_from(["x", " ", "<!-->", "<!--", "-->", "<a href='>'>", '<p title="<div>">']),
)


def depth(text: str) -> int:
    deepest, level, node = 0, 1, LexborHTMLParser(text).root
    while node is not None:
        if (child := node.first_child) is not None:
            node, level = child, level + 1
            deepest = max(deepest, level)
            continue
        while node is not None and node.next is None:
            node, level = node.parent, level - 1
        node = node.next if node is not None else None
    return deepest


@given(st.lists(TAGS, min_size=1, max_size=8).map("".join), st.lists(TAGS, max_size=4).map("".join))
@example("<span><div></span></div>", "")
@example("<div><table></div>", "")
@example("<svg><div/>", "")
@settings(max_examples=60)
def test_tags_that_are_repeated_do_not_nest_without_end(tags: str, first: str) -> None:
    assert depth(marked(first + tags * REPEATED, DEEP).text) <= IMPLIED * DEEP


@given(st.text(st.sampled_from("<>/ap'\"= \n-!x?titleb"), max_size=80))
def test_marks_are_in_no_text_and_no_other_attribute(text: str) -> None:
    tree = LexborHTMLParser(marked(text).text)
    assert LINE not in (tree.root.text() if tree.root else "")
    for node in tree.css("*"):
        assert not any(LINE in (value or "") for value in node.attributes.values())


@given(
    st.lists(
        st.sampled_from(["<p>", "\n", "x", "<br\n/>", "<!-- \n -->", "<b>", "</b>"]), max_size=30
    )
)
def test_each_tag_has_the_line_it_is_on(pieces: list[str]) -> None:
    text = "".join(pieces)
    expected = [
        text.count("\n", 0, sum(map(len, pieces[:n]))) + 1
        for n, piece in enumerate(pieces)
        if piece in ("<p>", "<br\n/>", "<b>")
    ]
    tree = LexborHTMLParser(marked(text).text)
    found = [node.attributes.get(LINE) or "" for node in tree.css("p,br,span")]
    assert [int(each.partition("-")[0]) for each in found if each] == expected
