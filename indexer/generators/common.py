"""The markup that several generators share, in the order in which it is taken away."""

from dataclasses import replace

from indexer.markup import admonitions, attributes, characters, html, liquid, mdx, shortcodes
from indexer.markup.clean import Markup, Transform

UNSEEN: tuple[Transform, ...] = (characters.without_unseen,)
HTML: tuple[Transform, ...] = (html.without_html, characters.without_entities)
ALERTS: tuple[Transform, ...] = (admonitions.without_alerts,)
COLONS: tuple[Transform, ...] = (html.without_comments, admonitions.without_colons)
BANGS: tuple[Transform, ...] = (admonitions.without_bangs,)
ATTRIBUTES: tuple[Transform, ...] = (attributes.without_attributes,)
KRAMDOWN: tuple[Transform, ...] = (attributes.without_kramdown,)
SHORTCODES: tuple[Transform, ...] = (shortcodes.without_shortcodes,)
LIQUID: tuple[Transform, ...] = (
    liquid.said_in_includes, liquid.without_tags, liquid.without_variables
)  # fmt: skip

MARKDOWN = Markup(before=UNSEEN, within=(*COLONS, *ALERTS, *HTML, *ATTRIBUTES))
MDX = Markup(
    before=(*UNSEEN, mdx.code_shown),
    fences=mdx.read_info,
    within=(
        mdx.without_modules,
        *COLONS,
        *ALERTS,
        mdx.without_components,
        *HTML,
        mdx.without_elements,
        mdx.without_expressions,
        *ATTRIBUTES,
        mdx.dedented,
    ),
    indented_code=False,
)
MDX_1 = replace(
    MDX,
    within=(
        mdx.without_modules,
        *COLONS,
        *ALERTS,
        mdx.without_block_expressions,
        mdx.without_components,
        *HTML,
        mdx.without_elements,
        *ATTRIBUTES,
    ),
    indented_code=True,
)
"""As it was until 2023: there braces are text, but in a block that begins with a tag."""
