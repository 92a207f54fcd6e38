"""mdBook: chapters under `src/`, includes and other helpers in double braces."""

import re

from indexer.generators import common
from indexer.generators.addresses import file_address
from indexer.generators.generator import Generator, Page
from indexer.generators.published import draft
from indexer.markup.clean import Markup
from indexer.markup.includes import Include

_HELPER = re.compile(r"(?<!\\)\{\{#\w+[^{}\n]*\}\}")
_MARKUP = Markup(
    before=common.UNSEEN,
    within=(
        lambda text: _HELPER.sub("", text) if "{{#" in text else text,
        *common.ALERTS,
        *common.HTML,
        *common.ATTRIBUTES,
    ),
)


def address(page: Page) -> str:
    """Return `path.html`; a README is the index of its folder."""
    return file_address(page.inner, ".html", "index", "readme")


MDBOOK = Generator(
    name="mdBook",
    marks=("book.toml",),
    areas=("src",),
    area_keys=("book.src",),
    address=address,
    markup=_MARKUP,
    is_part=lambda path: path.name == "SUMMARY.md",
    reason=draft,
    includes=(
        Include(
            re.compile(
                r"\s*\{\{#(?:include|rustdoc_include|playground|playpen)\s+"
                r"(?P<file>[^\s{}]+)[^{}]*\}\}\s*"
            )
        ),
    ),
    name_keys=("book.title",),
    language_keys=("book.language",),
)
