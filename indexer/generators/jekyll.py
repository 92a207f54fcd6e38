"""Jekyll: dated posts, collections, permalinks, Liquid, kramdown's attribute lists."""

import datetime
import re
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from indexer.generators import common
from indexer.generators.addresses import (
    date_of,
    dated,
    file_address,
    filled,
    folder_address,
    given_address,
    slug_of,
)
from indexer.generators.anchors import of_kramdown
from indexer.generators.config import read_line
from indexer.generators.generator import Config, Generator, Page
from indexer.generators.patterns import of_paths
from indexer.generators.published import FUTURE, REDIRECTS, UNPUBLISHED, draft
from indexer.markup import liquid
from indexer.markup.clean import Markup
from indexer.markup.includes import Include
from indexer.markup.marks import spoken

_STYLES = {
    "date": "/:categories/:year/:month/:day/:title.html",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "ordinal": "/:categories/:year/:y_day/:title.html",
    "none": "/:categories/:title.html",
}
_NO_PAGES = ("_includes", "_layouts", "_data", "_sass", "_plugins")
_NO_PAGE = re.compile(
    r"CONTRIBUTING|LICEN[SC]E|COPYING|CODE_OF_CONDUCT|ISSUE_TEMPLATE|PULL_REQUEST_TEMPLATE", re.I
)
"""Without front matter these are never pages, not even where GitHub builds the site."""
_MARKUP = Markup(
    before=(*common.UNSEEN, liquid.raw_kept, liquid.fences_of_highlight),
    within=(*common.LIQUID, *common.ALERTS, *common.HTML, *common.KRAMDOWN, *common.ATTRIBUTES),
)


def address(page: Page) -> str:
    """Return the address by `permalink`, or by the style of posts and collections."""
    given = given_address(page, "permalink")
    path = page.inner
    style = str(page.config.get("permalink") or "date")
    collection = _collection(path)
    if given is not None and ":" not in given:
        return given
    if collection == "posts":
        pattern = given or _STYLES.get(style, style if style.startswith("/") else _STYLES["date"])
        return filled(pattern, _values(page, path))
    if collection:
        return _in_collection(page, path, collection, given)
    if path.name.lower() in ("index", "readme"):
        return folder_address(path.parent)
    if style == "pretty" or style.endswith("/"):
        return folder_address(path)
    return file_address(path)


def _collection(path: PurePosixPath) -> str:
    names = [part[1:] for part in path.parts[:-1] if part.startswith("_")]
    return names[-1] if names else ""


def _in_collection(page: Page, path: PurePosixPath, collection: str, given: str | None) -> str:
    inner = PurePosixPath(*path.parts[path.parts.index(f"_{collection}") + 1 :])
    pattern = (
        given or _settings(page, collection).get("permalink") or "/:collection/:path:output_ext"
    )
    values = {
        "collection": collection,
        "path": inner.as_posix(),
        "name": slug_of(inner.name),
        "title": page.said("slug") or slug_of(inner.name),
        "output_ext": ".html",
    }
    return filled(str(pattern), values)


def _settings(page: Page, collection: str) -> dict[str, Any]:
    collections = page.config.get("collections")
    found = collections.get(collection) if isinstance(collections, dict) else None
    return found if isinstance(found, dict) else {}


def _values(page: Page, path: PurePosixPath) -> dict[str, str]:
    parts, name = dated(path.name)
    given = date_of(page, "date")
    if given:
        parts = (f"{given:%Y}", f"{given:%m}", f"{given:%d}")
    year, month, day = parts or ("", "", "")
    categories = page.values.get("categories") or page.values.get("category") or ""
    if isinstance(categories, str):
        categories = categories.split()
    folders = [part for part in path.parts[: path.parts.index("_posts")] if "_posts" in path.parts]
    names = [*folders, *(str(each) for each in categories if isinstance(each, str | int))]
    return {
        "categories": "/".join(slug_of(each) for each in names),
        "year": year, "month": month, "day": day,
        "i_month": month.lstrip("0"), "i_day": day.lstrip("0"), "short_year": year[2:],
        "title": page.said("slug") or name, "slug": page.said("slug") or slug_of(name),
        "output_ext": ".html",
    }  # fmt: skip


def _is_part(path: PurePosixPath) -> bool:
    return any(part in _NO_PAGES for part in path.parts[:-1])


def _reason(page: Page, today: datetime.date) -> str:
    collection = _collection(page.inner)
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
    hidden = bool(collection) and _settings(page, collection).get("output") is False
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
    """Fill in what the configuration says, and name headings as its kramdown does."""
    markup, kramdown = generator.markup, config.get("kramdown")
    fill = partial(liquid.filled, site=config)

    def template(text: str) -> str:
        text = liquid.without_loops(liquid.filled(liquid.raw_kept(text), config))
        for transform in common.LIQUID:
            text = transform(text)
        return spoken(text)

    named = isinstance(kramdown, dict) and str(kramdown.get("input")).lower() == "kramdown"
    return replace(
        generator,
        markup=replace(markup, before=(*markup.before, fill)),
        template=template,
        anchor=of_kramdown if named else generator.anchor,
    )


JEKYLL = Generator(
    name="Jekyll",
    marks=("_config.yml", "_config.yaml", "_posts", "_config.toml"),
    address=address,
    markup=_MARKUP,
    suffixes=(".md", ".markdown", ".html"),
    excluded=of_paths("exclude"),
    configured=_configured,
    beside=_host,
    is_part=_is_part,
    reason=_reason,
    includes=(
        Include(
            re.compile(
                r"\s*\{%-?\s*include\s+(?P<file>[^\s{}%]+\.(?:md|markdown|txt))\b[^%]*%\}\s*"
            ),
            ("~/_includes",),
        ),
        Include(
            re.compile(
                r"\s*\{%-?\s*include_relative\s+(?P<file>[^\s{}%]+\.(?:md|markdown|txt))\b[^%]*%\}\s*"
            )
        ),
    ),
    base_keys=("url", "baseurl"),
    name_keys=("title", "name"),
    language_keys=("lang", "locale"),
)
