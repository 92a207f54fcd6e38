"""Astro and Starlight: content collections, pages, MDX."""

import re
from pathlib import Path

from indexer.generators import common
from indexer.generators.addresses import folder_address, given_address, urlized
from indexer.generators.config import read_start, value_in
from indexer.generators.generator import Config, Generator, Page
from indexer.generators.home import of_starlight
from indexer.generators.locales import languages
from indexer.generators.published import draft_or_folder, underscored

_CATCH_ALL = re.compile(r"\[(?:\.\.\.)?(?:slug|id|path)\]\.(?:astro|[jt]s)")
_ASKED = re.compile(r"\bgetCollection\(\s*[\"'`]([\w-]+)[\"'`]")


def address(page: Page) -> str:
    """Return the address by `slug`, or by path below where a route shows the collection."""
    path = page.inner
    parts = path.parts
    collected = page.area.endswith("src/content") and len(parts) > 1
    inner = parts[1:] if collected else parts
    routes = page.config.get("routes", {"docs": ""})
    folder = routes.get(parts[0], parts[0]) if collected else ""
    slug = given_address(page, "slug", "permalink")
    if slug is not None:
        return slug if slug.startswith("http") else f"{folder}/{slug.strip('/')}/".lstrip("/")
    made = urlized("/".join((*filter(None, [folder]), *inner)))
    return folder_address(path.__class__(made), "index")


def _languages(config: Config) -> dict[str, str] | None:
    """Return the languages that Starlight lists, which are folders of `docs`."""
    locales = value_in(config, "integrations.locales")
    if not isinstance(locales, dict):
        return None
    listed = languages({"locales": locales}) or {}
    return {f"docs/{folder}" if folder else "": each for folder, each in listed.items()}


def _routes(home: Path, _config: Config) -> Config:
    """Return where the routes in `src/pages` show collections, by their names.

    A route names the collection it asks for, or else it shows `docs`, the commonest. Where there
    is none `docs` is the site itself, as Starlight has it. Parts of an address that a program
    makes, `[version]`, are left out.
    """
    pages, routes = home / "src" / "pages", dict[str, str]()
    for file in sorted(pages.rglob("*")) if pages.is_dir() else ():
        if not _CATCH_ALL.fullmatch(file.name) or not file.is_file():
            continue
        folders = file.parent.relative_to(pages).parts
        where = "/".join(part for part in folders if "[" not in part)
        for name in _ASKED.findall(read_start(file)) or ["docs"]:
            routes.setdefault(name, where)
    return {"routes": {"docs": "", **routes}}


ASTRO = Generator(
    name="Astro",
    marks=tuple(f"astro.config.{suffix}" for suffix in ("mjs", "ts", "js", "mts", "cjs")),
    areas=("src/content", "src/pages"),
    suffixes=(".md", ".markdown", ".mdx"),
    address=address,
    beside=_routes,
    markup=common.MARKDOWN,
    shown=of_starlight,
    is_part=underscored,
    reason=draft_or_folder,
    base_keys=("site", "base"),
    name_keys=("integrations.title",),
    languages=_languages,
    language_keys=(
        "integrations.locales.root.lang",
        "i18n.defaultLocale",
        "integrations.defaultLocale",
    ),
)
