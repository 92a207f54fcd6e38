"""Vue in Markdown: components go, what the page's front matter answers is written out."""

import pytest

from indexer.articles import Reading, read_article
from indexer.generators.generator import Page
from indexer.generators.vitepress import VITEPRESS
from indexer.markup.clean import clean
from indexer.site import Site
from indexer.sources import SourcePage

VALUES = {"title": "A & B<T>", "author": {"name": "Jane"}, "tags": ["x"], "draft": True}
FILLED = {
    "a text": ("{{ $frontmatter.title }}.", "A & B\\<T>."),
    "a value in a table": ("By {{ $page.frontmatter.author.name }}.", "By Jane."),
    "a value in a list": ("{{ frontmatter.tags[0] }}{{ $frontmatter.tags[1] }}", "x"),
    "what is no text": ("a{{ $frontmatter.draft }}b", "ab"),
    "what the page does not say": ("a{{ $frontmatter.none.x }}b{{ count }}", "ab"),
    "in the title of a box": (":::tip By {{$frontmatter.author.name}}", "**By Jane**"),
    "in the title of a box, unknown": (":::tip By {{ name }}", "**By**"),
    "in code": ("`{{ $frontmatter.title }}`", "`{{ $frontmatter.title }}`"),
    "in what is shown as it is": (
        "<b v-pre>{{ $frontmatter.title }}</b>{{ a }}",
        "{{ $frontmatter.title }}",
    ),
    "in a box that is shown as it is": ("::: v-pre\n{{ a }}\n:::\n{{ a }}", "\n{{ a }}\n\n"),
    "in what is shown as it is and never ends": ("<p v-pre>{{ a }}", ""),
}
TAGS = {
    "that is closed at once": ("<ReplMain/>a<my-comp/>", "a"),
    "with a hyphen after a capital": ("<Foo-Bar/>a</Foo-Bar>", "a"),
    "of Vue": ('<component :is="a">b</component>', "b"),
    "with tags in its attributes": ("<A-b :c=\"d > e ? '<i>' : 1\">f</A-b>", "f"),
    "with a text": ('<Badge type="tip" text="beta" />', "beta"),
    "right before a word": ('a<Badge text="b" />c', "a b c"),
    "that is spoken of": ("a \\<Foo> b", "a \\<Foo> b"),
}
CODE = {
    "lines that stand out": ("```js{1,3-4} [a.js]\nb\n```", "```js [a.js]\nb\n```"),
    "lines with numbers": ("```ts:line-numbers {1}\na\n```", "```ts\na\n```"),
    "lines with numbers from": ("```ts:no-line-numbers=2\na\n```", "```ts\na\n```"),
    "comments at the end of lines": (
        "```js\na() // [!code focus]\nb /* [!code --] */\n  // [!code word:a:2]\n```",
        "```js\na()\nb\n\n```",
    ),
    "a comment that is spoken of": ("Write `// [!code focus]`.", "Write `// [!code focus]`."),
}
IDS = {
    "a component": ('# Start <Badge type="tip" text="beta" />', "start"),
    "what a component encloses": ("# Start <Badge>new</Badge>", "start-new"),
    "an expression": ("# {{ $frontmatter.title }}", "frontmatter-title"),
    "an expression in code": ("# a `{{ b.c<d> }}`", "a-b-c-d"),
    "a picture": ("# ![alt text](/x.png) Image", "image"),
    "entities": ("# x &amp; y &lt;T&gt;", "x-amp-y-lt-t-gt"),
    "links and emphasis": ("# a**b** [c](d) & e", "ab-c-e"),
    "an address": ("# Link <https://x.y>", "link-https-x-y"),
    "an id of its own": ("# a & b {#c}", "c"),
    "an emoji": ("# a :rocket: b 10:30:20", "a-b-10-30-20"),
}


@pytest.mark.parametrize(("text", "left"), FILLED.values(), ids=FILLED)
def test_what_front_matter_answers_is_written_out(text, left):
    page = Page("a.md", "", VALUES)
    assert clean(text, VITEPRESS.for_page(VITEPRESS, page).markup)[0] == left


@pytest.mark.parametrize(("text", "left"), TAGS.values(), ids=TAGS)
def test_what_is_left_of_a_component(text, left):
    assert clean(text, VITEPRESS.markup)[0] == left


@pytest.mark.parametrize(("text", "left"), CODE.values(), ids=CODE)
def test_what_says_how_code_is_shown_is_not_shown(text, left):
    assert clean(text, VITEPRESS.markup)[0] == left


@pytest.mark.parametrize(("text", "id"), IDS.values(), ids=IDS)
def test_an_id_is_made_of_the_source_without_its_tags(text, id):
    page = SourcePage("a.md", f"---\ntitle: b\n---\n{text}")
    article = read_article(page, Site("", ""), pytest.fail, Reading(VITEPRESS))
    assert article.blocks[0].anchor == id
