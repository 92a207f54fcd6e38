"""VitePress, and VuePress before it: boxes, code groups, Vue, comments that include."""

import datetime
import re
from dataclasses import replace
from functools import partial
from pathlib import PurePosixPath

from indexer.generators import common, home
from indexer.generators.addresses import file_address
from indexer.generators.anchors import of_vitepress
from indexer.generators.generator import Generator, Page, nothing_named
from indexer.generators.locales import languages
from indexer.generators.patterns import of_paths
from indexer.generators.published import EXCLUDED, TEMPLATES, UNPUBLISHED, draft
from indexer.generators.rewrites import rewritten
from indexer.markup import front, liquid, vue
from indexer.markup.clean import Markup
from indexer.markup.code import Holds
from indexer.markup.front import PATH
from indexer.markup.heading_ids import ids_of_source
from indexer.markup.includes import Include
from indexer.markup.magic_comments import without_notation

_LINES, _LANGUAGE = r"[\d,-]*[ \t]*", r"(?P<language>[A-Za-z][\w+#-]*)?"
_TOC = re.compile(r"^[ \t]*\[\[toc\]\][ \t]*$", re.M | re.I)
_ANSWERED = re.compile(rf"\{{\{{\s*(?:\$?(?:page\.)?frontmatter|\$page)\.{PATH}\s*\}}\}}")
_ROUTE = re.compile(r"\[\w+\]")
_SOURCE = (partial(ids_of_source, slug=of_vitepress), vue.v_pre_kept)
_TEXT = (
    liquid.without_variables,
    *common.COLONS,
    *common.ALERTS,
    vue.without_components,
    *common.HTML,
    *common.ATTRIBUTES,
    lambda text: _TOC.sub("", text),
)
_INFO = re.compile(r":(?:no-)?line-numbers(?:=\d+)?|\{[\d,\s-]*\}")
"""What says how code is shown, and is not shown itself."""


def read_info(info: str) -> tuple[Holds, str]:
    """Take every fence for code, of a language that may have a label."""
    return Holds.CODE, " ".join(_INFO.sub(" ", info).split())


_MARKUP = Markup(
    before=(*common.UNSEEN, without_notation), fences=read_info, within=(*_SOURCE, *_TEXT)
)


def for_page(generator: Generator, page: Page) -> Generator:
    """Have `{{ $frontmatter.key }}` say what the page does; ids are made before that is known."""
    known = partial(front.filled, values=page.values, expression=_ANSWERED)
    return replace(generator, markup=replace(generator.markup, within=(*_SOURCE, known, *_TEXT)))


def address(page: Page) -> str:
    """Return `path.html`, or the path alone where the configuration asks for clean addresses."""
    clean = page.config.get("cleanUrls") is True
    path = rewritten(f"{page.inner}{PurePosixPath(page.path).suffix}", page.config.get("rewrites"))
    return file_address(PurePosixPath(path).with_suffix(""), "" if clean else ".html")


def _reason(page: Page, _today: datetime.date) -> str:
    """Name what makes several pages, as `[name].md` does, what is built, and the page of errors."""
    if _ROUTE.search(page.inner.as_posix()):
        return TEMPLATES
    if "dist" in page.inner.parts[:-1]:
        return EXCLUDED
    return UNPUBLISHED if page.inner == PurePosixPath("404") else ""


def _marks(folder: str) -> tuple[str, ...]:
    """Return where a configuration may be, and the folder that tells a site without one."""
    files = (
        f"{folder}/{name}.{suffix}"
        for name in ("config", "config/index")
        for suffix in ("mts", "ts", "mjs", "js")
    )
    return (*files, folder)


VITEPRESS = Generator(
    name="VitePress",
    marks=_marks(".vitepress"),
    area_keys=("srcDir",),
    address=address,
    markup=_MARKUP,
    for_page=for_page,
    shown=home.of_vitepress,
    excluded=of_paths("srcExclude"),
    anchor=of_vitepress,
    reason=_reason,
    includes=(
        Include(re.compile(r"\s*<!--\s*@include:\s*(?P<file>.*?)\s*-->\s*")),
        Include(
            re.compile(
                rf"\s*<<<[ \t]*(?P<file>[^\s{{\[]+)[ \t]*(?:\{{{_LINES}{_LANGUAGE}[^{{}}\n]*\}})?"
                r"[ \t]*(?P<label>\[[^\n]+\])?\s*"
            ),
            in_code=False,
            as_code=True,
        ),
    ),
    base_keys=("sitemap.hostname", "base"),
    name_keys=("title", "locales.root.title", "locales./.title"),
    language_keys=("locales.root.lang", "locales./.lang", "lang"),
    languages=languages,
)


def _vuepress_address(page: Page) -> str:
    """Return `path.html`; the page of a folder is its README."""
    return file_address(page.inner, ".html", "index", "readme")


VUEPRESS = replace(
    VITEPRESS,
    name="VuePress",
    marks=_marks(".vuepress"),
    area_keys=(),
    address=_vuepress_address,
    reason=draft,
    shown=home.of_vuepress,
    excluded=nothing_named,
    includes=(
        *VITEPRESS.includes,
        Include(
            re.compile(r"\s*!!!\s*include\s*\(\s*(?P<file>[^()\n]+?)\s*\)\s*!!!\s*"),
            (".", "", "docs"),
        ),
        Include(
            re.compile(rf"\s*@\[code[ \t]*{_LANGUAGE}[^\]\n]*\]\((?P<file>[^()\n]+)\)\s*"),
            in_code=False,
            as_code=True,
        ),
    ),
)
