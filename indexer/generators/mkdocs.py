"""MkDocs and Material: `docs/`, boxes and tabs by indentation, snippets."""

import datetime
import re

from indexer.generators import common, mkdocs_blog, mkdocs_snippets
from indexer.generators.addresses import file_address, folder_address
from indexer.generators.anchors import of_python_markdown
from indexer.generators.generator import Generator, Page
from indexer.generators.patterns import of_names
from indexer.generators.published import draft
from indexer.markup import liquid, pymdownx, wiki
from indexer.markup.clean import Markup
from indexer.markup.includes import Include
from indexer.markup.marks import newlines
from indexer.meta_lines import read_meta

_ICON = re.compile(
    r"(?<![\w:]):(?:material|octicons|fontawesome|simple)-[\w-]+:(?:\{[^{}\n]*\})?[ \t]?"
)
_ABBREVIATION = re.compile(r"^\*\[[^\]\n]+\]:[^\n]*$", re.M)
_IDENTIFIER = re.compile(r"^([ \t]*):::[ \t]+([\w.-]+)[ \t]*((?:\n\1[ \t]+\S[^\n]*)*)$", re.M)


def _identifiers(text: str) -> str:
    """Write `::: package.name`, which asks for its documentation, as the name alone."""
    return _IDENTIFIER.sub(_identifier, text) if ":::" in text else text


def _identifier(match: re.Match[str]) -> str:
    before, name, options = match.groups()
    return (before + name if "-" not in name else "") + newlines(options)


_MARKUP = Markup(
    before=(*common.UNSEEN, liquid.raw_kept),
    within=(
        pymdownx.without_highlights,
        pymdownx.without_contents,
        pymdownx.without_blocks,
        _identifiers,
        *common.BANGS,
        *common.ALERTS,
        *common.HTML,
        *common.LIQUID,
        lambda text: _ICON.sub("", text) if ":" in text else text,
        *common.KRAMDOWN,
        *common.ATTRIBUTES,
        lambda text: _ABBREVIATION.sub("", text) if "*[" in text else text,
        wiki.without_highlights,
    ),
)


def address(page: Page) -> str:
    """Return the address by path, as a folder unless the configuration says otherwise."""
    path = mkdocs_blog.post_path(page) or page.inner
    if page.config.get("use_directory_urls") is False:
        return file_address(path, ".html", "index", "readme")
    return folder_address(path, "index", "readme")


def _reason(page: Page, today: datetime.date) -> str:
    return draft(page, today) or mkdocs_blog.future(page, today)


MKDOCS = Generator(
    name="MkDocs",
    marks=("mkdocs.yml", "mkdocs.yaml", "zensical.toml"),
    areas=("docs",),
    area_keys=("docs_dir",),
    address=address,
    markup=_MARKUP,
    front=read_meta,
    excluded=of_names("exclude_docs", "draft_docs"),
    anchor=of_python_markdown,
    anchor_again="{name}_{n}",
    readme_gives_way=True,
    reason=_reason,
    includes=(
        mkdocs_snippets.SNIPPET,
        Include(
            re.compile(
                r"\s*\{%-?\s*include(?:-markdown)?\s+[\"'](?P<file>[^\"'%]+)[\"'][^%]*%\}\s*"
            ),
            (".", "", "docs"),
        ),
        Include(re.compile(r"\s*\{!\s*(?P<file>[^!\n]+?)\s*!\}\s*"), ("", "docs", ".")),
    ),
    asking=mkdocs_snippets.one_a_line,
    configured=mkdocs_snippets.configured,
    base_keys=("site_url",),
    name_keys=("site_name",),
    language_keys=("theme.language",),
)
