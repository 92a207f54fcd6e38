"""Sphinx, MyST and Jupyter Book: directives, roles, targets; reStructuredText and notebooks too."""

import re
from dataclasses import replace
from functools import partial

from indexer.generators import common
from indexer.generators.addresses import file_address, folder_address
from indexer.generators.anchors import of_docutils
from indexer.generators.config import as_table, value_in
from indexer.generators.generator import Generator, Page
from indexer.generators.patterns import of_paths
from indexer.generators.published import draft
from indexer.markup import front, liquid, myst, rst_includes
from indexer.markup.clean import Markup
from indexer.markup.eval_rst import rst_read
from indexer.markup.front import PATH
from indexer.markup.includes import Include

_MARKUP = Markup(
    before=common.UNSEEN,
    fences=myst.read_directive,
    within=(
        myst.without_targets,
        myst.roles_marked,
        *common.COLONS,
        *common.ALERTS,
        *common.HTML,
        liquid.without_variables,
        *common.ATTRIBUTES,
    ),
    after=(myst.roles_read,),
)


_ANSWERED = re.compile(rf"\{{\{{[ \t]*{PATH}[ \t]*\}}\}}")


def _for_page(generator: Generator, page: Page) -> Generator:
    """Have `{{ key }}` say what the page's own substitutions do, and those of the site."""
    found = (
        page.config.get("myst_substitutions"),
        page.values.get("substitutions"),
        value_in(page.values, "myst.substitutions"),
    )
    values = {key: text for each in map(as_table, found) for key, text in each.items()}
    known = partial(front.filled, values=values, expression=_ANSWERED)
    markup = generator.markup
    return replace(generator, markup=replace(markup, within=(known, *markup.within)))


def address(page: Page) -> str:
    """Return `path.html`, as Sphinx writes it; MyST's own sites have folders."""
    if isinstance(page.config.get("project"), dict):
        return folder_address(page.inner, "index")
    return (
        page.inner.as_posix() + ".html" if page.inner.name == "index" else file_address(page.inner)
    )


SPHINX = Generator(
    name="Sphinx",
    marks=("conf.py", "myst.yml", "_toc.yml"),
    suffixes=(".md", ".markdown", ".rst", ".ipynb"),
    suffix_key="source_suffix",
    address=address,
    markup=_MARKUP,
    excluded=of_paths("exclude_patterns"),
    anchor=of_docutils,
    anchor_again="id{n}",
    is_part=lambda path: any(part in ("_templates", "_static", "_includes") for part in path.parts),
    reason=draft,
    for_page=_for_page,
    asking=rst_read,
    includes=(
        *rst_includes.INCLUDES,
        Include(
            re.compile(r"\s*(?:`{3,}|~{3,}|:{3,})\{literalinclude\}\s*(?P<file>\S+)\s*"),
            (".", ""),
            True,
            False,
            read=rst_includes.read_quoted,
        ),
        Include(
            re.compile(r"\s*(?:`{3,}|~{3,}|:{3,})\{include\}\s*(?P<file>\S+)\s*"),
            (".", ""),
            True,
            False,
        ),
    ),
    base_keys=("html_baseurl",),
    name_keys=("project", "title", "project.title"),
    language_keys=("language",),
)
