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
