"""Jekyll: dated posts, collections, permalinks, Liquid, kramdown's attribute lists."""

import datetime
import re
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath

from indexer.generators import common
from indexer.generators.addresses import date_of, dated
from indexer.generators.anchors import of_kramdown
from indexer.generators.config import read_line
from indexer.generators.generator import Config, Generator, Page
from indexer.generators.jekyll_addresses import address
from indexer.generators.jekyll_collections import collection_of, settings_of
from indexer.generators.jekyll_defaults import inherited
from indexer.generators.patterns import listed, whole
from indexer.generators.published import FUTURE, REDIRECTS, UNPUBLISHED, draft
from indexer.markup import liquid
from indexer.markup.clean import Markup
from indexer.markup.includes import Include
from indexer.markup.liquid_includes import TAG, TAG_OF_THEME
from indexer.markup.marks import spoken

_NO_PAGES = ("_includes", "_layouts", "_data", "_sass", "_plugins")
_GEMS = ("gemfiles", "vendor/bundle", "vendor/cache", "vendor/gems", "vendor/ruby")
"""Excluded whatever else the configuration says is."""
_NO_PAGE = re.compile(
    r"CONTRIBUTING|LICEN[SC]E|COPYING|CODE_OF_CONDUCT|ISSUE_TEMPLATE|PULL_REQUEST_TEMPLATE", re.I
)
"""Without front matter these are never pages, not even where GitHub builds the site."""
_MARKUP = Markup(
    before=(*common.UNSEEN, liquid.raw_kept, liquid.fences_of_highlight),
    within=(*common.LIQUID, *common.ALERTS, *common.HTML, *common.KRAMDOWN, *common.ATTRIBUTES),
)


def _tag(name: str) -> re.Pattern[str]:
    file = r"(?P<file>[^\s{}%\"']+)"
    return re.compile(rf"\{{%-?\s*{name}\s+{file}{liquid.PARAMETERS}\s*-?%\}}")


def _is_part(path: PurePosixPath) -> bool:
    return any(part in _NO_PAGES for part in path.parts[:-1])


def _excluded(config: Config) -> tuple[str, ...]:
    return whole((*_GEMS, *listed(config, "exclude")))


def _reason(page: Page, today: datetime.date) -> str:
    collection = collection_of(page)
    if found := draft(page, today):
        return found
    if page.values.get("redirect_to"):
        return REDIRECTS
    if not page.fronted and (page.is_html or _NO_PAGE.fullmatch(page.inner.name)):
        return UNPUBLISHED
    if collection == "posts":
        date = date_of(page, "date")
        parts, _ = dated(page.inner.name)
        if date is None and parts:
            date = _date(parts)
        late = date is not None and date > today and page.config.get("future") is not True
        return FUTURE if late else ""
    hidden = bool(collection) and settings_of(page.config, collection).get("output") is False
    return UNPUBLISHED if hidden else ""


def _date(parts: tuple[str, str, str]) -> datetime.date | None:
    try:
        return datetime.date(*map(int, parts))
    except ValueError:
        return None


def _host(home: Path, _config: Config) -> Config:
    """Return the address that GitHub serves the site at."""
    host = read_line(home / "CNAME")
    return {"url": f"https://{host}"} if host else {}


def _configured(generator: Generator, config: Config) -> Generator:
    """Name headings as the site's kramdown does."""
    kramdown = config.get("kramdown")
    named = isinstance(kramdown, dict) and str(kramdown.get("input")).lower() == "kramdown"
    return replace(generator, anchor=of_kramdown if named else generator.anchor)


def _for_page(generator: Generator, page: Page) -> Generator:
    """Fill in what the configuration and the page's front matter say."""
    markup = generator.markup
    fill = partial(liquid.filled, known={"site": page.config, "page": page.values})

    def template(text: str) -> str:
        text = liquid.without_loops(fill(liquid.raw_kept(text)))
        for transform in common.LIQUID:
            text = transform(text)
        return spoken(text)

    return replace(
        generator,
        markup=replace(markup, before=(*markup.before, fill)),
        template=template,
    )


JEKYLL = Generator(
    name="Jekyll",
    marks=("_config.yml", "_config.yaml", "_posts", "_config.toml"),
    address=address,
    markup=_MARKUP,
    suffixes=(".md", ".markdown", ".html"),
    excluded=_excluded,
    configured=_configured,
    for_page=_for_page,
    beside=_host,
    is_part=_is_part,
    readme_gives_way=True,
    reason=_reason,
    inherited=inherited,
    includes=(
        Include(_tag("include(?:_cached)?"), ("~/_includes",), tag=TAG_OF_THEME),
        Include(_tag("include_relative"), tag=TAG),
    ),
    base_keys=("url", "baseurl"),
    name_keys=("title", "name"),
    language_keys=("lang", "locale"),
)
