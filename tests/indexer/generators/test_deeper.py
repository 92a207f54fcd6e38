"""A folder that is no site itself may hold some, deeper than sites are looked for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from indexer.builder import build_content
from indexer.errors import SourceError
from indexer.settings import Settings

Write = Callable[..., Path]
WEB = "packages/web: looks like a site of Docusaurus: index this folder to have its own addresses"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (["packages/web/docusaurus.config.js", "packages/web/docs/a.md"], [WEB]),
        (["docusaurus.config.js", "packages/web/docusaurus.config.js", "docs/a.md"], []),
        (["docs/mkdocs.yml", "docs/a.md", "packages/web/docs/a.md"], []),
        (["lib/sub/conf.py", "a.md"], []),
        (["lib/web/astro.config.mjs", "lib/web/README.md", "lib/web/src/pages/a.astro"], []),
        (["node_modules/x/hugo.toml", "node_modules/x/content/a.md"], []),
        (["1/2/3/4/5/hugo.toml", "1/2/3/4/5/content/a.md"], []),
        (["x/y/hugo.toml", "x/y/content/a.md", "x/y/z/book.toml", "x/y/z/src/a.md"], ["x/y"]),
        (
            [
                name
                for at in range(5)
                for name in (f"all/{at}/book.toml", f"all/{at}/src/a.md", f"all/{at}/src/b.md")
            ],
            ["all/0", "all/1", "all/2", ".: 2 more such sites are in it"],
        ),
    ],
)
def test_a_site_deeper_in_a_folder_of_plain_markdown_is_told(
    folder: Write, files: list[str], said: list[str]
) -> None:
    texts = {name: f"Text of {name}." if name.endswith(".md") else "" for name in files}
    _, report = build_content(folder(texts | {"README.md": "Some text."}), Settings())
    told = [str(fault) for fault in report.faults if "site" in fault.message]
    assert len(told) == len(said)
    assert all(map(str.startswith, told, said))


def test_a_description_that_names_no_generator_is_believed(folder: Write) -> None:
    deep = {"x/y/hugo.toml": "", "x/y/content/a.md": "Text.", "site.toml": 'generator = "none"\n'}
    _, report = build_content(folder(deep), Settings())
    assert not report.faults


def test_where_no_page_is_found_the_sites_that_are_there_are_named(folder: Write) -> None:
    deep = {"x/y/_quarto.yml": "", "x/y/a.qmd": "Text."}
    with pytest.raises(SourceError, match=r"x/y: looks like a site of Quarto"):
        build_content(folder(deep), Settings())
