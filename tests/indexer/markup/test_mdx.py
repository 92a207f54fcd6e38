"""MDX: what components are given to say is text, and code that they are given is code."""

from dataclasses import replace

import pytest

from indexer.generators.common import MDX, MDX_1
from indexer.generators.docusaurus import DOCUSAURUS
from indexer.generators.generator import Page
from indexer.markup.clean import clean

CASES = {
    "code in an attribute": ("<Code code={`<b>a</b>\n  b`} lang='x' />", "    <b>a</b>\n      b"),
    "code after other attributes": ('<Ex a="b" c={[d]} code={`e`} />', "    e"),
    "code that is computed in part": ("<Code code={`a ${b} \\`c\\``} />", "    a ${b} `c`"),
    "code with a heading's sign": ("a\n\n<Code code={`# b\n- c`} />", "a\n\n    # b\n    - c"),
    "code over lines as a child": ("<Code>\n{`a {b}\n\n# c`}\n</Code>", "\n    a {b}\n\n    # c\n"),
    "code of one line as a child": ("<Code>{`a`}</Code>", "`a`"),
    "a text over lines that is chosen": ("<A>{b ? `c\nd` : e}</A>", "\n"),
    "an import over two lines": ("import a from\n'./a.png';\n\nb", "\n\n\nb"),
    "an example of it": ("```\n<Code code={`a`} />\n```", "```\n<Code code={`a`} />\n```"),
    "texts that are shown": ('<Card title="a" description="b" href="c" />', "a b"),
    "children as an attribute": ('<Button children="Next" />', "Next"),
    "what is said before a text": ('<Card title="a">B.</Card>', "a B."),
    "one right after another": ("<Step>a</Step><Step>b.</Step><A>c</A>", "a b. c"),
    "one before a comma": ("(<Kbd>a</Kbd>), **<Kbd>b</Kbd>**, c", "(a), **b**, c"),
    "one before code, a link, an element": ("<A/>a<A/>`b`<A/>[c](d)<A/><b>e</b>", "a `b` [c](d) e"),
    "an element within a word": ("<b>a</b>b <i style={{c: 1}}>d</i>e", "ab de"),
    "attributes of every kind": ("<A b c='d' {...e} f={g} client:load h=i\n/>x", "\nx"),
    "a fragment": ("<>a</>", "a"),
    "a type's parameters": ("map<T = any, S | U>(a)", "map<T = any, S | U>(a)"),
    "an escaped sign": ("a \\<T> b", "a \\<T> b"),
    "an escaped sign of HTML": ("a \\<b> c", "a \\<b> c"),
    "an entity that begins no tag": ("a Set&lt;T> b", "a Set\\<T> b"),
    "less and greater": ("a < b and c > d", "a < b and c > d"),
    "a tag that a blank line ends": ("<Foo b\n\nc>", "<Foo b\n\nc>"),
}


@pytest.mark.parametrize(("text", "left"), CASES.values(), ids=CASES)
def test_what_is_left_of_a_component(text: str, left: str) -> None:
    assert clean(text, MDX)[0] == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("of { a, b }, and [c={}]", "of { a, b }, and [c={}]"),
        ("<p>{a.b}</p>\n\n{c}", "\n\n{c}"),
        ("<Tabs items={[1]} label='d'>\n{a} b\n</Tabs>", "d\n b\n"),
    ],
)
def test_in_mdx_of_old_braces_are_text_but_in_a_block_that_begins_with_a_tag(
    text: str, left: str
) -> None:
    assert clean(text, MDX_1)[0] == left


def test_what_front_matter_answers_is_written_out_where_braces_hold_expressions():
    values = {"title": "A"}
    page = Page("a.mdx", "", values)
    filled = DOCUSAURUS.for_page(DOCUSAURUS, page).mdx
    assert filled
    assert clean("b {frontMatter.title} {frontMatter.none}`{frontMatter.title}`", filled)[0] == (
        "b A `{frontMatter.title}`"
    )
    of_old = replace(DOCUSAURUS, markup=MDX_1, mdx=MDX_1)
    assert DOCUSAURUS.for_page(of_old, page) == of_old
