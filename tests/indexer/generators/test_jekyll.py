"""What a Jekyll site's configuration makes of its pages."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from articles_of import articles_of

Write = Callable[[dict[str, str]], Path]

SCOPES = """
collections: {tabs: {output: true}}
defaults:
  - {scope: {path: guides/deep}, values: {permalink: "/deep/:basename/"}}
  - {scope: {path: guides}, values: {permalink: "/help/:basename/", lang: de}}
  - {scope: {path: ""}, values: {title: By the site}}
  - {scope: {path: "", type: posts}, values: {permalink: "/posts/:title/"}}
  - {scope: {path: "", type: tabs}, values: {permalink: "/:title/"}}
  - {scope: {path: "", type: pages}, values: {title: First}}
  - {scope: {path: "", type: pages}, values: {title: A page}}
  - {scope: {path: "x/*/old"}, values: {permalink: "/old/:path/:basename:output_ext"}}
  - {scope: {path: _posts/gone}, values: {published: false}}
"""
DEFAULTS = {
    "of posts": ("_posts/2024-01-02-begin.md", "", ["By the site | posts/begin/"]),
    "of a collection": ("_tabs/about.md", "", ["By the site | about/"]),
    "of pages, the later of two": ("a.md", "", ["A page | a.html"]),
    "of a folder": ("guides/a.md", "", ["A page | help/a/"]),
    "of a folder within it, which comes first": ("guides/deep/a.md", "", ["A page | deep/a/"]),
    "of no other folder": ("guidesbook/a.md", "", ["A page | guidesbook/a.html"]),
    "of a pattern": ("x/y/old/a.md", "", ["A page | old/x/y/old/a.html"]),
    "not published": ("_posts/gone/2024-01-02-a.md", "", []),
    "below its own": ("guides/a.md", "permalink: /b/\ntitle: B\n", ["B | b/"]),
}


@pytest.mark.parametrize(("page", "front", "read"), DEFAULTS.values(), ids=DEFAULTS)
def test_defaults_are_front_matter_of_the_pages_in_their_scope(
    folder: Write, page: str, front: str, read: list[str]
) -> None:
    root = folder({"_config.yml": SCOPES, page: f"---\n{front}---\nText.\n"})
    assert [f"{each.title} | {each.url}" for each in articles_of(root)[1]] == read


BROKEN = ["defaults: x", "defaults: [x, {scope: y, values: {a: b}}, {values: z}, {}]"]


@pytest.mark.parametrize("config", BROKEN)
def test_defaults_that_are_none_say_nothing(folder: Write, config: str) -> None:
    root = folder({"_config.yml": config, "a.md": "Text.\n"})
    assert [each.url for each in articles_of(root)[1]] == ["a.html"]


CATEGORIES = {
    "one, with its blank": ("category: Machine Learning", "machine learning"),
    "several, in a text": ("categories: One two", "one/two"),
    "several, listed": ("categories: [Web Dev, C++]", "web dev/c++"),
    "one and others": ("category: A b\ncategories: [c, a b]", "a b/c"),
    "a number": ("category: 2024", "2024"),
    "none": ("categories:", ""),
}


@pytest.mark.parametrize(("front", "shown"), CATEGORIES.values(), ids=CATEGORIES)
def test_categories_are_folders_in_an_address(folder: Write, front: str, shown: str) -> None:
    page = f"---\n{front}\n---\nText.\n"
    root = folder({"_config.yml": "", "_posts/2024-01-02-x.md": page})
    expected = f"{quote(shown, safe='/+')}/2024/01/02/x.html".lstrip("/")
    assert [each.url for each in articles_of(root)[1]] == [expected]


@pytest.mark.parametrize("config", ["", "exclude: [drafts.md]"])
def test_what_gems_bring_is_excluded_as_jekyll_does_by_itself(folder: Write, config: str) -> None:
    gems = ("vendor/bundle/gems/x/a.md", "vendor/cache/a.md", "gemfiles/a.md")
    names = (*gems, "vendor/a.md", "docs/vendor/bundle/a.md")
    root = folder({"_config.yml": config, **dict.fromkeys(names, "Text.\n")})
    _, read, left_out, _ = articles_of(root)
    assert [each.source for each in read] == ["docs/vendor/bundle/a.md", "vendor/a.md"]
    assert left_out == {"excluded": 3}


FILLED = {
    "a text": ("{{ page.title }}", "A page"),
    "a number": ("{{-page.order-}}", "3"),
    "a default": ("{{ page.author.name }}", "Ann"),
    "what the site says": ("{{ site.title }}", "Site"),
    "in code": ("`{{ page.title }}`", "`A page`"),
    "raw": ("{% raw %}{{ page.title }}{% endraw %}", "{{ page.title }}"),
    "markup of the language, as text": ("{{ page.example }}", "{% tag %}"),
    "a filter": ("x{{ page.title | upcase }}", "x"),
    "a list, a truth, what nothing says": ("x{{ page.tags }}{{ page.toc }}{{ page.y }}", "x"),
}


@pytest.mark.parametrize("kind", ["md", "html"])
@pytest.mark.parametrize(("text", "shown"), FILLED.values(), ids=FILLED)
def test_a_page_says_what_its_front_matter_says(
    folder: Write, text: str, shown: str, kind: str
) -> None:
    defaults = "defaults: [{scope: {path: ''}, values: {author: {name: Ann}}}]"
    front = "title: A page\norder: 3\ntags: [a]\ntoc: true\nexample: '{% tag %}'"
    page = f"---\n{front}\n---\n{text if kind == 'md' else f'<p>{text}</p>'}\n"
    root = folder({"_config.yml": f"title: Site\n{defaults}", f"a.{kind}": page})
    assert [block.text for block in articles_of(root)[1][0].blocks] == [shown]


PARTS = {
    "_includes/a.html": '<p>One <b>two</b></p>\n{% if x %}\n    <i class="y"></i>\n{% endif %}\n',
    "_includes/b.md": "B {% include a.html %}\n",
    "_includes/say.html": '<a href="{{ include.url }}">{{ include.content }}</a> said\n',
    "_includes/box.html": "<b>Box</b> {{ include.content | markdownify }}\n",
    "_includes/code.html": "<script>\n\nlet a;\n</script>\n<style>b {}</style>\n<!-- c -->\n",
    "_includes/lines.md": "first\n\nlast\n",
    "_includes/round.md": "round {% include round.md %}\n",
    "_includes/list.html": "Of all:\n{% for p in site.posts %}\n{{ p.title }} by me\n{% endfor %}",
    "near.md": "---\ntitle: Near\npublished: false\n---\nnear\n",
}
INCLUDES = {
    "alone": ("{% include a.html %}", "One two"),
    "in a line": ("x {%- include a.html -%} y", "x One two y"),
    "twice in a line": ("{% include a.html %} and {% include b.md %}", "One two and B One two"),
    "over several lines": ('{% include say.html\n  content="50% of"\n%}', "50% of said"),
    "of several paragraphs": ("x {% include lines.md %} y", "x first last y"),
    "beside the page": ("x {% include_relative near.md %}", "x near"),
    "as it is kept": ("{% include_cached a.html %}", "One two"),
    "told what it says": ('{% include say.html content="Hi" url="/x" %}', "Hi said"),
    "told what it alters": ('{% include box.html content="Hi" %}', "Hi Box"),
    "told what it does not say": ('{% include a.html title="Hi" %}', "Hi One two"),
    "of markup alone": ("x {% include code.html %} y", "x y"),
    "with a loop": ("{% include list.html %}", "Of all:"),
    "raw": ("{% raw %}\n{% include a.html %}\n{% endraw %}", "{% include a.html %}"),
    "of a theme": ("x {% include theme/a.html content='Hi' %}", "x Hi"),
    "of itself": ("{% include round.md %}", "round"),
}


@pytest.mark.parametrize("kind", ["md", "html"])
@pytest.mark.parametrize(("text", "shown"), INCLUDES.values(), ids=INCLUDES)
def test_what_a_page_includes_is_read_where_it_stands(
    folder: Write, text: str, shown: str, kind: str
) -> None:
    page = f"---\n---\n{text}\n" if kind == "md" else f"---\n---\n<div>{text}</div>\n"
    _, read, _, faults = articles_of(folder({"_config.yml": "", f"p.{kind}": page, **PARTS}))
    assert " ".join(" ".join(block.text for block in read[0].blocks).split()) == shown
    assert ["includes it again" in str(each) for each in faults] == [True] * ("round" in text)


def test_an_included_line_is_that_of_its_tag(folder: Write) -> None:
    page = "a\n\n{% include lines.md %}\n\nb {% include a.html\n  x='y' %}\nc\n\nd\n"
    (article,) = articles_of(folder({"_config.yml": "", "p.md": page, **PARTS}))[1]
    lines = [(block.text, article.line(block.first_line)) for block in article.blocks]
    assert [each for each in lines if each[0] in ("a", "first", "last", "d")] == [
        ("a", 1), ("first", 3), ("last", 3), ("d", 9),
    ]  # fmt: skip
