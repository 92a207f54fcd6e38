"""A folder of Markdown without a generator: what cannot be mistaken is taken away."""

from indexer.generators import common
from indexer.generators.addresses import folder_address
from indexer.generators.generator import Generator, Page
from indexer.generators.published import dated_out, draft_or_folder
from indexer.markup import liquid, rst_includes
from indexer.markup.clean import Markup

_MARKUP = Markup(
    before=common.UNSEEN,
    within=(
        *common.SHORTCODES,
        liquid.without_tags,
        *common.COLONS,
        *common.BANGS,
        *common.ALERTS,
        *common.HTML,
        *common.KRAMDOWN,
        *common.ATTRIBUTES,
    ),
)


def _address(page: Page) -> str:
    return folder_address(page.inner, "index", "_index")


PLAIN = Generator(
    name="plain",
    marks=(),
    address=_address,
    markup=_MARKUP,
    suffixes=(".md", ".markdown", ".mdx", ".rst", ".ipynb"),
    is_part=lambda path: path.suffix == ".mdx" and path.name.startswith("_"),
    includes=rst_includes.INCLUDES,
    reason=lambda page, today: draft_or_folder(page, today) or dated_out(page, today),
)
