"""What an Eleventy site's configuration, and the files beside its pages, make of them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from articles_of import articles_of

TEXT = "Some text.\n"
SRC = "module.exports = (set) => { %s; return {dir: {input: 'src'}} }"
"""A configuration that does something, and whose pages are in `src`."""

Write = Callable[[dict[str, str]], Path]


IGNORED = {
    "a folder, by the list beside the pages": ({"src/.eleventyignore": "drafts/\n"}, "drafts/b"),
    "a pattern, by the list of the site": ({".eleventyignore": "# x\n\nsrc/**/*.b.md"}, "c/a.b"),
    "what Git ignores": ({".gitignore": "/src/made\n"}, "made/a"),
    "by the configuration": ({".eleventy.js": SRC % "set.ignores.add('src/**/b.md')"}, "c/b"),
    "what is written": (
        {".eleventy.js": "module.exports = {dir: {input: 'src', output: 'src/out'}}"},
        "out/b",
    ),
    "beside what is no pattern": ({".eleventyignore": "src/[z-a]\na\\\nsrc/b.md"}, "b"),
}


@pytest.mark.parametrize(("files", "ignored"), IGNORED.values(), ids=IGNORED)
def test_what_a_site_ignores_is_left_out_and_counted(
    folder: Write, files: dict[str, str], ignored: str
) -> None:
    names = ("src/a.md", f"src/{ignored}.md")
    _, read, left_out, _ = articles_of(
        folder({".eleventy.js": SRC % "", **dict.fromkeys(names, TEXT), **files})
    )
    assert ([each.source for each in read], left_out) == (["src/a.md"], {"excluded": 1})


READ = {
    "a file of that name elsewhere": {".eleventyignore": "a.md\n*.md\n!a.md"},
    "what Git ignores, where that says nothing": {
        ".eleventy.js": SRC % "set.setUseGitIgnore(false)",
        ".gitignore": "src/c",
    },
    "pages in the folder that is written": {
        ".eleventy.js": "module.exports = {dir: {input: 'src', output: '.'}}"
    },
}


@pytest.mark.parametrize("files", READ.values(), ids=READ)
def test_what_a_site_does_not_ignore_is_read(folder: Write, files: dict[str, str]) -> None:
    _, read, left_out, _ = articles_of(
        folder({".eleventy.js": SRC % "", "src/c/a.md": TEXT, **files})
    )
    assert ([each.source for each in read], left_out) == (["src/c/a.md"], {})


def test_layouts_are_no_pages_that_were_left_out(folder: Write) -> None:
    layouts = dict.fromkeys(("src/_includes/page.njk", "src/_layouts/x.njk", "src/b.njk"), TEXT)
    _, _, left_out, _ = articles_of(folder({".eleventy.js": SRC % "", "src/a.md": TEXT, **layouts}))
    assert left_out == {".njk files": 1}


HTML = '{"permalink": "{{ page.filePathStem }}.html"}'
LIBRARY = '{"permalink": "/all/{{ page.fileSlug }}.html"}'
ADDRESSES = {
    "a path": ({"src/src.json": HTML}, "guide/a", "guide/a.html"),
    "a path with a date": ({"src/src.json": HTML}, "guide/2024-05-07-a", "guide/a.html"),
    "the page of a folder": ({"src/src.json": HTML}, "guide/index", "guide/"),
    "a name": ({"src/lib/lib.json": LIBRARY}, "lib/more/a", "all/a.html"),
    "the name of a folder": ({"src/lib/lib.json": LIBRARY}, "lib/2024-05-07-b/index", "all/b.html"),
    "a name, slugified": (
        {"src/src.11tydata.json": '{"permalink": "/{{ page.fileSlug | slugify }}/"}'},
        "A page",
        "a-page/",
    ),
    "the nearest folder": (
        {"src/src.json": HTML, "src/lib/lib.json": LIBRARY},
        "lib/a",
        "all/a.html",
    ),
    "the strongest of one folder": (
        {"src/src.json": HTML, "src/src.11tydata.js": "module.exports = {permalink: '/x/'}"},
        "a",
        "x/",
    ),
    "a page's own file": ({"src/src.json": HTML, "src/b/a.json": LIBRARY}, "b/a", "all/a.html"),
    "nothing, of a name that is no folder's": ({"src/other.json": HTML}, "a", "a/"),
    "what only running tells": (
        {"src/src.11tydata.js": "module.exports = {permalink: (data) => data.to || false}"},
        "a",
        "a/",
    ),
    "what no file says": (
        {"src/src.json": '{"permalink": "/{{ year }}/{{ page.fileSlug }}/"}'},
        "a",
        "a/",
    ),
}


@pytest.mark.parametrize(("files", "page", "address"), ADDRESSES.values(), ids=ADDRESSES)
def test_data_files_give_the_addresses_of_the_pages_below_them(
    folder: Write, files: dict[str, str], page: str, address: str
) -> None:
    root = folder({".eleventy.js": SRC % "", f"src/{page}.md": TEXT, **files})
    assert [each.url for each in articles_of(root)[1]] == [address]


def test_front_matter_comes_before_what_data_files_say(folder: Write) -> None:
    files = {
        ".eleventy.js": SRC % "",
        "src/parts/parts.11tydata.js": "export default {permalink: false, title: 'All'}",
        "src/parts/a.md": "---\npermalink: /shown/\n---\nText.",
        "src/parts/b.md": TEXT,
        "src/late/late.json": '{"draft": true}',
        "src/late/c.md": TEXT,
        "src/late/d.md": "---\ndraft: false\neleventyExcludeFromCollections: true\n---\nText.",
    }
    _, read, left_out, _ = articles_of(folder(files))
    assert [(each.title, each.url) for each in read] == [("d", "late/d/"), ("All", "shown/")]
    assert left_out == {"drafts": 1, "not published": 1}


COMPUTED = {
    "a title": ("/{{ title | slugify }}/", "thats-ueber-cool-and-new/", ""),
    "a title, by the older filter": (
        "/x/{{title|slug}}.html",
        "x/that%27s-uber-cool-and-new!.html",
        "",
    ),
    "a date and a name": (
        "/{{ page.date | date: '%Y/%m' }}/{{ page.fileSlug }}/",
        "2024/05/a/",
        "",
    ),
    "a number": ("/{{ order }}/", "3/", ""),
    "a list": ("/{{ tags }}/", "a/", "`tags`"),
    "letters of another script": ("/{{ other | slug }}/", "a/", "`other | slug`"),
    "another filter": ("/{{ title | kebab }}/", "a/", "the filter `kebab`"),
    "another format": ("/{{ page.date | date('YYYY') }}/", "a/", "`page.date | date('YYYY')`"),
    "what no page says": ("/{{ collection.name }}/", "a/", "`collection.name`"),
}


@pytest.mark.parametrize(("given", "address", "missing"), COMPUTED.values(), ids=COMPUTED)
def test_a_permalink_is_computed_or_said_not_to_be(
    folder: Write, given: str, address: str, missing: str
) -> None:
    front = "title: That's über cool & new!\norder: 3\ntags: [a]\nother: Привет"
    page = f'---\n{front}\npermalink: "{given}"\n---\nText.\n'
    _, (article,), _, faults = articles_of(folder({".eleventy.js": "", "2024-05-07-a.md": page}))
    assert article.url == address
    said = f"its permalink asks for {missing}, which is not known; addressed by its path"
    assert [each.message for each in faults] == ([said] if missing else [])


INCLUDES = {
    "of Nunjucks": ("src/_includes/b.njk", '{% include "b.njk" %}', SRC % ""),
    "of Liquid": ("src/_includes/b.liquid", "{% render 'b.liquid' %}", SRC % ""),
    "of HTML": ("src/_includes/b.html", '{% include "b.html" ignore missing %}', SRC % ""),
    "quoted": ("src/_includes/b.md", '{% include "b.md" %}', SRC % ""),
    "not quoted": ("src/_includes/b.md", "{%- include b.md -%}", SRC % ""),
    "with what it is given": ("src/_includes/b.txt", "{% render 'b.txt', name: 'c' %}", SRC % ""),
    "from the folder that is named": (
        "src/parts/b.md",
        "{% include b.md %}",
        "module.exports = {dir: {input: 'src', includes: 'parts'}}",
    ),
    "from the folder that is set": (
        "src/parts/b.md",
        "{% include b.md %}",
        "set.setInputDirectory('src'); set.setIncludesDirectory('parts')",
    ),
    "from above the page, where no folder of pages is named": (
        "src/_includes/b.md",
        "{% include b.md %}",
        "",
    ),
    "from beside the pages": (
        "parts/b.md",
        "{% include b.md %}",
        "module.exports = {dir: {input: 'src', includes: '../parts'}}",
    ),
}


@pytest.mark.parametrize(("file", "line", "config"), INCLUDES.values(), ids=INCLUDES)
def test_an_include_is_found_in_the_folder_for_it_which_holds_no_pages(
    folder: Write, file: str, line: str, config: str
) -> None:
    root = folder({"docs/.eleventy.js": config, "docs/src/a.md": line, f"docs/{file}": "Shown."})
    _, read, _, faults = articles_of(root)
    assert [[block.text for block in each.blocks] for each in read] == [["Shown."]]
    assert not faults


def test_a_part_stands_in_the_line_that_asks_for_it(folder: Write) -> None:
    part = "<b>A {{ x }}{% if y %}part{% endif %}</b>\n"
    page = 'One {% include "p.njk" %} line. {% raw %}{% include "p.njk" %}{% endraw %}\n'
    root = folder({".eleventy.js": "", "_includes/p.njk": part, "a.md": page})
    (block,) = articles_of(root)[1][0].blocks
    assert block.text == 'One A part line. {% include "p.njk" %}'


def test_an_include_is_not_looked_for_elsewhere(folder: Write) -> None:
    files = {"src/a.md": "{% include b.md %}", "_includes/b.md": TEXT, "docs/_includes/b.md": TEXT}
    _, _, _, faults = articles_of(folder({".eleventy.js": SRC % "", **files}))
    assert ["includes b.md, which is not in" in str(fault) for fault in faults] == [True]


FRONT = "---\ntitle: T\nn: {of: 3}\n---\n"
SHOWN = {
    "in text": ("{% for x in y %}\na{{ x }}\n{% endfor %}", "a"),
    "in a fence": ("```js\n{%- set x = 3 -%}\na({{ x }})\n```", "```js\n\na()\n```"),
    "indented": ("    a {{ x }}\n    {% b %}", "    a"),
    "between backticks": ("`a{{ x }}` b", "`a` b"),
    "raw in a fence": (
        "```\n{% raw %}{{ a }} {% b %}{% endraw %}\n```",
        "```\n{{ a }} {% b %}\n```",
    ),
    "braces in braces": ("a {{ f({ b: [{ c: { d: 1 } }] }) }}", "a"),
    "braces that are not closed": ('a {{ "{" }}', "a"),
    "what is no variable": ("a {{ b", "a {{ b"),
    "what the front matter says": ("a {{ title }} {{ n.of }} {{ title | upper }}{{ no }}", "a T 3"),
    "raw, what the front matter says": ("{% raw %}{{ title }}{% endraw %}", "{{ title }}"),
}


@pytest.mark.parametrize(("text", "shown"), SHOWN.values(), ids=SHOWN)
def test_templates_run_before_markdown_is_read(folder: Write, text: str, shown: str) -> None:
    (article,) = articles_of(folder({".eleventy.js": "", "a.md": f"{FRONT}{text}\n"}))[1]
    assert "\n".join(block.text for block in article.blocks).rstrip() == shown


UNTEMPLATED = {
    "by the configuration": ("module.exports = {markdownTemplateEngine: false}", ""),
    "by the page": ("", "---\ntemplateEngineOverride: false\n---\n"),
    "by the page, which is Markdown": ("", "---\ntemplateEngineOverride: md\n---\n"),
}


@pytest.mark.parametrize(("config", "front"), UNTEMPLATED.values(), ids=UNTEMPLATED)
def test_where_no_template_engine_reads_a_page_its_tags_are_text(
    folder: Write, config: str, front: str
) -> None:
    text = "{% include b.md %} and {{ c }}"
    root = folder({".eleventy.js": config, "a.md": front + text, "_includes/b.md": TEXT})
    assert [block.text for block in articles_of(root)[1][0].blocks] == [text]


SHORTCODES = {
    "a text": ('{% tip "Mind the gap.", "/gap/" %}', "Mind the gap."),
    "a text in single quotes": (r"{%- tip 'It\'s 50% \"off\"' -%}", 'It\'s 50% "off"'),
    "a text before another": ('{% tip "One two" "three four" %} five', "One two five"),
    "a paired one": ('{% box "Mind it" %}\ntext\n{% endbox %}', "Mind it\ntext"),
    "an address": ('{% image "./a.png", "An image" %}a', "a"),
    "a name": ('{% box "info" %}a{% endbox %}', "a"),
    "a word of the language": ('{% if "a b" in c %}d{% elif "e f" in c %}g{% endif %}', "d g"),
    "what is no first argument": ("{% box info, 'a b' %}c{% endbox %}", "c"),
}


@pytest.mark.parametrize(("text", "shown"), SHORTCODES.values(), ids=SHORTCODES)
def test_a_shortcode_shows_the_text_it_is_given_first(folder: Write, text: str, shown: str) -> None:
    (article,) = articles_of(folder({".eleventy.js": "", "a.md": f"{text}\n"}))[1]
    assert "\n".join(block.text for block in article.blocks).rstrip() == shown


def test_a_template_that_is_written_for_each_part_of_some_data_is_no_page(folder: Write) -> None:
    paginated = "---\npagination:\n  data: collections.posts\n  size: 1\n%s---\nText.\n"
    files = {
        "a.md": paginated % 'permalink: "/tags/{{ tag }}/"\n',
        "b.md": paginated % "",
        "c.md": '---\npermalink: "/{{ title }}/"\n---\nText.\n',
    }
    _, read, left_out, _ = articles_of(folder({".eleventy.js": "", **files}))
    assert ([each.url for each in read], left_out) == (
        ["b/", "c/"],
        {"templates of several pages": 1},
    )


ANCHORS = {
    "no rule named": (
        "md.use(require('markdown-it-anchor'), {level: 2})",
        "--what's-new%3F-(%C3%A9)",
    ),
    "no options": ("md.use(markdownItAnchor)", "--what's-new%3F-(%C3%A9)"),
    "uslug": ("md.use(require('markdown-it-anchor'), {slugify: require('uslug')})", "-whats-new-é"),
    "uslug by its name": (
        "const given = {slugify: uslug}; md.use(markdownItAnchor, given)",
        "-whats-new-é",
    ),
    "another rule": ("md.use(markdownItAnchor, {slugify: (s) => made(s)})", "--whats-new-é"),
    "another rule, which is made": ("md.use(markdownItAnchor, {slugify: by({})})", "--whats-new-é"),
    "options that cannot be told": ("md.use(markdownItAnchor, options())", "--whats-new-é"),
    "no plugin": ("", "--whats-new-é"),
}


@pytest.mark.parametrize(("does", "made"), ANCHORS.values(), ids=ANCHORS)
def test_headings_have_the_anchors_the_site_makes(folder: Write, does: str, made: str) -> None:
    names = "import markdownItAnchor from 'markdown-it-anchor'\nimport uslug from 'uslug'\n"
    config = f"{names}export default (md) => {{ {does} }}"
    root = folder({"eleventy.config.js": config, "a.md": "# - What's  new? (é)\n"})
    assert [block.anchor for block in articles_of(root)[1][0].blocks] == [made]
