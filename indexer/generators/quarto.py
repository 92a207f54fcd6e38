"""Quarto: Pandoc's divs, spans and attributes, code cells and their options, shortcodes."""

import re
from dataclasses import replace
from functools import partial

from indexer.generators import common
from indexer.generators.addresses import file_address
from indexer.generators.anchors import of_pandoc
from indexer.generators.config import as_table
from indexer.generators.generator import Generator, Page
from indexer.generators.published import draft, underscored
from indexer.markup import front, pandoc
from indexer.markup.clean import Markup
from indexer.markup.includes import Include
from indexer.markup.marks import literal

_ESCAPED = re.compile(r"\{(\{\{[<%].*?[>%]\}\})\}")


def _examples_kept(text: str) -> str:
    """Write `{{{< name >}}}`, a shortcode shown as an example, as a reader sees it."""
    return _ESCAPED.sub(lambda match: literal(match[1]), text) if "{{{" in text else text


_MARKUP = Markup(
    before=(*common.UNSEEN, _examples_kept),
    fences=pandoc.read_cell,
    within=(
        *common.SHORTCODES,
        *common.COLONS,
        *common.ALERTS,
        *common.HTML,
        *common.ATTRIBUTES,
    ),
)


def _for_page(generator: Generator, page: Page) -> Generator:
    """Have shortcodes say what the front matter, the project and its variables do."""
    variables = as_table(page.config.get("variables"))
    known = (
        partial(front.filled, values={**page.config, **page.values}, expression=pandoc.META),
        partial(front.filled, values=variables, expression=pandoc.VARIABLE),
        pandoc.keys_shown,
    )
    markup = generator.markup
    return replace(generator, markup=replace(markup, within=(*known, *markup.within)))


def address(page: Page) -> str:
    """Return `path.html`."""
    return file_address(page.inner)


QUARTO = Generator(
    name="Quarto",
    marks=("_quarto.yml", "_quarto.yaml"),
    suffixes=(".qmd", ".md", ".markdown", ".rmd", ".ipynb"),
    address=address,
    markup=_MARKUP,
    for_page=_for_page,
    config_parts=(("variables", "_variables.yml"), ("variables", "_variables.yaml")),
    anchor=of_pandoc,
    is_part=underscored,
    reason=draft,
    includes=(Include(re.compile(r"\s*\{\{<\s*include\s+(?P<file>\S+)\s*>\}\}\s*"), (".", "")),),
    base_keys=("website.site-url",),
    name_keys=("website.title", "book.title"),
    language_keys=("lang",),
)
