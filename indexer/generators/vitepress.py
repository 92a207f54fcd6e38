"""VitePress, and VuePress before it: boxes, code groups, Vue, comments that include."""

import re
from dataclasses import replace

from indexer.generators import common
from indexer.generators.addresses import file_address
from indexer.generators.anchors import of_vitepress
from indexer.generators.generator import Generator, Page
from indexer.generators.published import draft
from indexer.markup import liquid, mdx
from indexer.markup.clean import Markup
from indexer.markup.includes import Include

_TOC = re.compile(r"^[ \t]*\[\[toc\]\][ \t]*$", re.M | re.I)
_MARKUP = Markup(
    before=common.UNSEEN,
    within=(
        *common.COLONS,
        *common.ALERTS,
        *common.HTML,
        mdx.without_vue,
        liquid.without_variables,
        *common.ATTRIBUTES,
        lambda text: _TOC.sub("", text),
    ),
)


def address(page: Page) -> str:
    """Return `path.html`, or the path alone where the configuration asks for clean addresses."""
    clean = page.config.get("cleanUrls") is True
    return file_address(page.inner, "" if clean else ".html")


VITEPRESS = Generator(
    name="VitePress",
    marks=(
        *(f".vitepress/config.{suffix}" for suffix in ("mts", "ts", "mjs", "js")),
        ".vitepress",
    ),
    area_keys=("srcDir",),
    address=address,
    markup=_MARKUP,
    excluded_key="srcExclude",
    anchor=of_vitepress,
    reason=draft,
    includes=(
        Include(re.compile(r"\s*<!--\s*@include:\s*(?P<file>.*?)\s*-->\s*")),
        Include(re.compile(r"\s*<<<\s*(?P<file>[^\s{]+)(?:\{.*)?\s*")),
    ),
    base_keys=("base",),
    name_keys=("title",),
    language_keys=("lang",),
)


def _vuepress_address(page: Page) -> str:
    """Return `path.html`; the page of a folder is its README."""
    return file_address(page.inner, ".html", "index", "readme")


VUEPRESS = replace(
    VITEPRESS,
    name="VuePress",
    marks=(*(f".vuepress/config.{suffix}" for suffix in ("js", "ts", "mjs")), ".vuepress"),
    area_keys=(),
    address=_vuepress_address,
    excluded_key="",
    includes=(
        *VITEPRESS.includes,
        Include(
            re.compile(r"\s*!!!\s*include\s*\(\s*(?P<file>[^()\n]+?)\s*\)\s*!!!\s*"),
            (".", "", "docs"),
        ),
        Include(re.compile(r"\s*@\[code[^\]\n]*\]\((?P<file>[^()\n]+)\)\s*")),
    ),
)
