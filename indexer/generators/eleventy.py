"""Eleventy: permalinks, Nunjucks and Liquid, dates cut off from file names."""

import datetime
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath

from indexer.anchors import anchor
from indexer.generators import common
from indexer.generators.addresses import as_address, folder_address
from indexer.generators.anchors import of_markdown_it, of_uslug
from indexer.generators.config_javascript import SPREAD
from indexer.generators.eleventy_data import DATA, data_of_files, inherited
from indexer.generators.eleventy_folders import folder_of
from indexer.generators.eleventy_ignored import IGNORED, ignored, is_ignored
from indexer.generators.eleventy_permalinks import permalink, undated, unknown
from indexer.generators.generator import Config, Generator, Page
from indexer.generators.published import TEMPLATES, UNPUBLISHED, draft_or_folder
from indexer.markup import liquid
from indexer.markup.clean import Transform
from indexer.markup.includes import Include
from indexer.markup.liquid_includes import TAG

_RAW: tuple[Transform, ...] = (liquid.raw_kept, liquid.fences_of_highlight)
_TEMPLATES: tuple[Transform, ...] = (
    *(liquid.without_hash_comments, liquid.said_in_shortcodes, *common.LIQUID),
)
"""Run before Markdown is read: code shows a tag no more than text does."""
_MARKUP = replace(common.MARKDOWN, before=(*common.MARKDOWN.before, *_RAW, *_TEMPLATES))
_INCLUDE = Include(
    re.compile(
        r"\{%-?\s*(?:include|render)\s+(?P<quote>[\"']?)"
        r"(?P<file>[^\s\"'{}%][^\"'{}%\n]*?\.(?:md|markdown|txt|njk|liquid|html))(?P=quote)"
        r"(?![\w./])[^%]*%\}"
    ),
    ("^/_includes", "~", "."),
    tag=TAG,
)
_ANCHORS = {"": of_markdown_it, "uslug": of_uslug}
"""By the package of what is to make them; empty for what does where none is named."""


def address(page: Page) -> str:
    """Return the address by `permalink`, or by path; a file named like its folder is its index."""
    given = as_address(permalink(page))
    if given is not None:
        return given
    path = undated(page)
    same = path.name == path.parent.name
    return folder_address(path.parent if same else path, "index")


def _reason(page: Page, today: datetime.date) -> str:
    if page.values.get("permalink") is False:
        return UNPUBLISHED
    # Written once for each part of some data, at as many addresses.
    if page.values.get("pagination") and "{{" in permalink(page):
        return TEMPLATES
    return draft_or_folder(page, today)


def _beside(home: Path, config: Config) -> Config:
    return {IGNORED: ignored(home, config), DATA: data_of_files(home, config)}


def _configured(generator: Generator, config: Config) -> Generator:
    """Know what the site ignores, the folders it has for parts of pages, and its anchors."""
    includes, layouts, data = (folder_of(config, use) for use in ("includes", "layouts", "data"))
    # Where the configuration does not name the folder of pages, a command may have.
    above = "^" if folder_of(config, "input") == "." else "~"
    parts = {PurePosixPath(each) for each in (includes, layouts, data) if each not in ("", ".")}
    return replace(
        generator,
        is_excluded=partial(is_ignored, config=config),
        is_part=lambda path: generator.is_part(path) or not parts.isdisjoint(path.parents),
        anchor=_anchor(config),
        includes=(replace(_INCLUDE, folders=(f"{above}/{includes}", *_INCLUDE.folders[1:])),),
    )


def _anchor(config: Config) -> Callable[[str], str]:
    """Return the rule for headings' anchors that the site gives markdown-it."""
    options = config.get("markdown-it-anchor")
    if not isinstance(options, dict) or SPREAD in options:
        return anchor
    made_by = options.get("slugify", "")
    return _ANCHORS.get(made_by, anchor) if isinstance(made_by, str) else anchor


def _for_page(generator: Generator, page: Page) -> Generator:
    """Fill in the page's front matter; take tags for text where no template engine reads it."""
    engines = page.values.get("templateEngineOverride")
    if engines is None:
        engines = page.config.get("markdownTemplateEngine")
    templated = engines not in (False, "md", "")
    if not templated:
        return replace(generator, markup=common.MARKDOWN, includes=())
    fill: Transform = partial(liquid.filled, known=page.values)
    before = (*common.MARKDOWN.before, *_RAW, fill, *_TEMPLATES)
    return replace(generator, markup=replace(generator.markup, before=before))


ELEVENTY = Generator(
    name="Eleventy",
    marks=(
        *(".eleventy.js", ".eleventy.cjs", "eleventy.config.js", "eleventy.config.mjs"),
        *("eleventy.config.cjs", "eleventy.config.ts"),
    ),
    area_keys=("dir.input", "setInputDirectory"),
    beside=_beside,
    inherited=inherited,
    configured=_configured,
    for_page=_for_page,
    address=address,
    unknown=unknown,
    markup=_MARKUP,
    is_part=lambda path: any(part in ("_includes", "_data", "_layouts") for part in path.parts),
    reason=_reason,
    includes=(_INCLUDE,),
)
