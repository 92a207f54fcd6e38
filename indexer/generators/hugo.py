"""Hugo: `content/`, shortcodes, three kinds of front matter, permalinks by section."""

import datetime
import re
from pathlib import PurePosixPath
from typing import Any

from indexer.generators import common
from indexer.generators.addresses import (
    date_of,
    filled,
    folder_address,
    given_address,
    slug_of,
    urlized,
)
from indexer.generators.config import as_table
from indexer.generators.generator import Config, Generator, Page
from indexer.generators.published import UNPUBLISHED, draft_or_future
from indexer.markup import shortcodes
from indexer.markup.clean import Markup
from indexer.markup.includes import Include

_INDEX = ("index", "_index")
_MARKUP = Markup(
    before=(
        *common.UNSEEN,
        shortcodes.examples_kept,
        shortcodes.fences_of_highlight,
    ),
    within=(*common.SHORTCODES, *common.ALERTS, *common.HTML, *common.ATTRIBUTES),
)


def address(page: Page) -> str:
    """Return the address by `url`, by the permalinks of the section, or by path and `slug`."""
    given = given_address(page, "url")
    path, language = _without_language(page)
    if given is not None:
        return given if given.startswith("http") or not language else f"{language}/{given}"
    pattern = _pattern(page, path)
    own = filled(pattern, _values(page, path)) if pattern else ""
    if not own:
        slug = page.said("slug")
        if slug and path.name not in _INDEX:
            path = path.with_name(slug)
        elif slug and path.parent.name and path.name == "index":
            path = path.parent.with_name(slug)
        own = folder_address(PurePosixPath(urlized(path.as_posix())), *_INDEX)
    return f"{language}/{own}" if language else own


def _without_language(page: Page) -> tuple[PurePosixPath, str]:
    """Return the path without its language, and the language where the address shows it."""
    config, path = page.config, page.inner
    names = _languages(config)
    found = next((each for each in names if _folder(names[each]) == page.area), "")
    stem, _, last = path.name.rpartition(".")
    if found:
        pass
    elif stem and last in names:
        path, found = path.with_name(stem), last
    elif len(path.parts) > 1 and path.parts[0] in names:
        path, found = PurePosixPath(*path.parts[1:]), path.parts[0]
    main = config.get("defaultContentLanguage", "en")
    found = found or (main if isinstance(main, str) else "")
    shown = config.get("defaultContentLanguageInSubdir") is True or found != main
    return path, found if shown else ""


def _leads_bundle(path: PurePosixPath) -> bool:
    """Tell whether a page is a leaf bundle's, in one language or in all."""
    return path.name.partition(".")[0] == "index"


def _languages(config: Config) -> dict[str, Any]:
    return as_table(config.get("languages"))


def _folder(language: object) -> str:
    """Return the folder that a language has for itself; empty where it has none."""
    said = language.get("contentDir") if isinstance(language, dict) else None
    return said.strip("/") if isinstance(said, str) else ""


def _areas(config: Config) -> tuple[str, ...]:
    return tuple(filter(None, map(_folder, _languages(config).values())))


def _pattern(page: Page, path: PurePosixPath) -> str:
    permalinks = page.config.get("permalinks")
    if not isinstance(permalinks, dict) or path.name == "_index" or len(path.parts) < 2:
        return ""
    table: dict[str, Any] = permalinks.get("page", permalinks)
    pattern = table.get(path.parts[0]) if isinstance(table, dict) else ""
    return pattern if isinstance(pattern, str) else ""


def _values(page: Page, path: PurePosixPath) -> dict[str, str]:
    name = path.parent.name if path.name == "index" else path.name
    title = slug_of(page.said("title")) or urlized(name)
    folders = path.parent.parent if path.name == "index" else path.parent
    values = {
        "filename": urlized(name),
        "contentbasename": urlized(name),
        "slug": page.said("slug") or title,
        "title": title,
        "slugorfilename": page.said("slug") or urlized(name),
        "slugorcontentbasename": page.said("slug") or urlized(name),
        "section": path.parts[0],
        "sections": folders.as_posix(),
    }
    date = date_of(page, "date", "publishDate")
    if date:
        values |= {
            "year": f"{date:%Y}",
            "month": f"{date:%m}",
            "day": f"{date:%d}",
            "monthname": f"{date:%B}".lower(),
        }
    return values


def _reason(page: Page, today: datetime.date) -> str:
    for key in ("build", "_build"):
        build = page.values.get(key)
        if isinstance(build, dict) and build.get("render") in ("never", False):
            return UNPUBLISHED
    return UNPUBLISHED if page.values.get("headless") is True else draft_or_future(page, today)


HUGO = Generator(
    name="Hugo",
    marks=(
        *("hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json"),
        *("config/_default/hugo.toml", "config/_default/hugo.yaml", "config/_default/config.toml"),
        *("config/_default/config.yaml", "archetypes+content"),
        *(f"config.{suffix}+content" for suffix in ("toml", "yaml", "yml", "json")),
    ),
    areas=("content",),
    area_keys=("contentDir",),
    areas_in=_areas,
    config_parts=tuple(
        (key, f"config/_default/{key}.{suffix}")
        for key in ("languages", "permalinks")
        for suffix in ("toml", "yaml", "yml", "json")
    ),
    address=address,
    markup=_MARKUP,
    leads=_leads_bundle,
    reason=_reason,
    includes=(
        Include(
            re.compile(
                r"\s*\{\{[<%]\s*(?:include|readfile|include-md)\s+(?:file=)?[\"']?"
                r"(?P<file>[^\s\"'<>%]+)[\"']?[^<>%]*[>%]\}\}\s*"
            ),
            (".", "", "content"),
        ),
        Include(
            re.compile(
                r"\s*\{\{[<%]\s*tab\s[^<>%]*\binclude=\"(?P<file>[^\"\n]+)\"[^<>%]*[>%]\}\}\s*"
            )
        ),
    ),
    base_keys=("baseURL",),
    name_keys=("title",),
    language_keys=("defaultContentLanguage", "languageCode"),
)
