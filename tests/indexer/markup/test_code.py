"""What is code stays as it is written, wherever it stands; what is none loses its markup."""

import pytest

from indexer.generators.plain import PLAIN
from indexer.markup.clean import clean

CODE = {
    "in an item": (" * Put this first:\n\n\t\t<link rel='x' />\n\n * Then:", "<link rel='x' />"),
    "in an item of a list with numbers": ("1. Run\n\n        <b>make</b>", "<b>make</b>"),
    "in an item within an item": ("- a\n    - b\n\n            <i>c</i>", "<i>c</i>"),
    "in a box": ("!!! note\n\n    A box.\n\n        <b>code</b>", "<b>code</b>"),
    "after a list": ("- a\n\nText.\n\n    <b>code</b>", "<b>code</b>"),
    "in all lines of it": ("    <b>1</b>\n\n    <b>2</b>", "<b>1</b>\n\n    <b>2</b>"),
}
TEXT = {
    "that goes on an item": ("- a\n\n    <b>b</b>", "    b"),
    "that goes on an item farther in": ("1.  a\n\n    <b>b</b>", "    b"),
    "of an item within an item": ("- a\n\n    - b\n\n        <b>c</b>", "        c"),
    "that a paragraph goes on with": ("a\n      <b>b</b>", "b"),
    "of a box": ("!!! note\n\n    <b>b</b>", "b"),
}
PRE = {
    "is indented": ("<pre><code>if a:\n  b\n</code></pre>", "    if a:\n      b\n"),
    "says what its entities mean": ("<pre>a &amp;&amp; b &lt;c&gt;</pre>", "    a && b <c>"),
    "has no tags": ('<pre>\n<span class="k">def</span> f</pre>', "\n    def f"),
    "keeps what is no tag": ("<pre>vector<int> v</pre>", "    vector<int> v"),
    "holds no headings": ("<pre>\n# make\n- x\n</pre>", "\n    # make\n    - x\n"),
    "may stand in other elements": ("<div>\n  <pre>a\n  b</pre>\n</div>", "\n      a\n        b\n"),
    "may stand in a quote": ("> <pre>a *b*</pre>", ">     a *b*"),
    "keeps its place in the lines": ("a\n\n<pre>\n\nb\n</pre>\n\nc", "a\n\n\n\n    b\n\n\nc"),
    "may be spoken of": ("Use `<pre>` here.\n\n<b>b</b>", "Use `<pre>` here.\n\nb"),
    "may be shown": ("```\n<pre>a</pre>\n```", "```\n<pre>a</pre>\n```"),
    "that never ends is a tag": ("<pre>\n<b>a</b>", "\na"),
}


def test_a_fence_ends_with_the_quote_it_stands_in() -> None:
    text = "> > ```\n> > <b>1</b>\n> <b>2</b>\n\n> ```\n> > <b>3</b>\n> ```\n<b>4</b>"
    expected = "> > ```\n> > <b>1</b>\n> 2\n\n> ```\n> > <b>3</b>\n> ```\n4"
    assert clean(text, PLAIN.markup)[0] == expected


@pytest.mark.parametrize(("text", "kept"), CODE.values(), ids=CODE)
def test_indented_code_is_kept(text: str, kept: str) -> None:
    assert kept in clean(text, PLAIN.markup)[0]


@pytest.mark.parametrize(("text", "left"), TEXT.values(), ids=TEXT)
def test_indented_text_is_text(text: str, left: str) -> None:
    found = clean(text, PLAIN.markup)[0]
    assert left in found
    assert "<" not in found


@pytest.mark.parametrize(("text", "code"), PRE.values(), ids=PRE)
def test_preformatted_text(text: str, code: str) -> None:
    assert clean(text, PLAIN.markup)[0] == code
