"""Docusaurus: MDX in docs, blog and pages; versions; translations under `i18n/`."""

import datetime
import re
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from indexer.generators import common, patterns
from indexer.generators.addresses import given_address
from indexer.generators.config import read_config, text_in, value_in
from indexer.generators.docusaurus_plugins import Collection, areas, collections
from indexer.generators.generator import Config, Generator, Page
from indexer.generators.published import EXCLUDED, draft, underscored
from indexer.markup import front, mdx
from indexer.markup.clean import Markup
from indexer.markup.front import PATH
from indexer.markup.magic_comments import NAMES, without_magic_comments
from indexer.variants import Variant

_NUMBERED = re.compile(r"\A(?!\d+[-_.]\d)\d+\s*[-_.]+\s*(?=[^-_.\s])")
"""What orders files; a date or a version is none."""
_ANSWERED = re.compile(rf"\{{\s*frontMatter\.{PATH}\s*\}}")
_POST = re.compile(r"(.*?)(\d{4}[-/]\d{1,2}[-/]\d{1,2})[-/]?(.*?)(?:/index)?")
_TRANSLATED = re.compile(
    r"(?:^|/)i18n/([^/]+)/docusaurus-plugin-content-(docs|blog|pages)(?:-([^/]+))?/(.*)"
)


def address(page: Page) -> str:
    """Return the address by `slug`, or by path without the numbers that order files."""
    place = _place(page)
    slug = given_address(page, "slug")
    if slug is not None and slug.startswith("http"):
        return slug
    if place.kind == "blog":
        own = slug.strip("/") if slug else _of_post(place.path)
    elif slug is not None:
        absolute = page.said("slug").startswith("/")
        own = slug.strip("/") if absolute else _joined(_bare(place.path.parent), slug.strip("/"))
    else:
        own = _of_doc(place.path, page)
    found = _joined(place.language, place.base, own)
    return f"{found}/" if found and page.config.get("trailingSlash") is True else found


def _joined(*parts: str) -> str:
    return "/".join(part for part in parts if part)


def _bare(path: PurePosixPath) -> str:
    return "/".join(_NUMBERED.sub("", part) for part in path.parts)


def _of_doc(path: PurePosixPath, page: Page) -> str:
    bare = PurePosixPath(_bare(path))
    if bare.name.lower() in ("index", "readme", bare.parent.name.lower()):
        return "" if bare.parent == PurePosixPath() else bare.parent.as_posix()
    name = page.said("id") or bare.name
    return bare.with_name(name).as_posix()


def _of_post(path: PurePosixPath) -> str:
    if post := _POST.fullmatch(path.as_posix()):
        folders, date, name = post.groups()
        return _joined(date.replace("-", "/"), f"{folders}{name}")
    return (path.parent if path.name == "index" else path).as_posix()


class _Place(NamedTuple):
    """Where a page lies on the site."""

    kind: str
    path: PurePosixPath
    """Below the folder of its collection, without suffix."""
    base: str = ""
    """What the addresses of its collection and version begin with."""
    language: str = ""


class _Lies(NamedTuple):
    """What the path of a page says."""

    kind: str
    of: Collection | None
    """None for a translation of what the configuration does not name."""
    path: str
    """Below the folder of the collection; of docs, below `current/` or `version-X/` there."""
    language: str = ""


def _lies(path: str, config: Config) -> _Lies | None:
    """Return the collection a page is in; None where it is in none."""
    known = collections(config)
    if translated := _TRANSLATED.search(path):
        language, kind, id, rest = translated.groups("")
        of = next((each for each in known if (each.kind, each.id) == (kind, id)), None)
        return _Lies(kind, of, rest, language)
    for each in known:
        released = _below(path, each.released)
        if released is not None and each.kind == "docs":
            return _Lies("docs", each, released)
    for each in sorted(known, key=lambda each: -len(each.folder)):
        inner = _below(path, each.inside)
        if inner is not None:
            return _Lies(each.kind, each, f"current/{inner}" if each.kind == "docs" else inner)
    return None


def _place(page: Page) -> _Place:
    lies = _lies(PurePosixPath(page.path).with_suffix("").as_posix(), page.config)
    if lies is None:
        return _Place("pages", page.inner)
    kind, of, path, language = lies
    if of is not None and kind == "docs":
        return _of_version(of, page, path, language)
    return _Place(kind, PurePosixPath(path), kind if of is None else of.base, language)


def _below(path: str, folder: str) -> str | None:
    """Return a path below a folder of the site, which itself may lie in another; None elsewhere."""
    if not folder or folder == ".":
        return path
    _, found, rest = f"/{path}".partition(f"/{folder}/")
    return rest if found else None


def _of_version(of: Collection, page: Page, path: str, language: str = "") -> _Place:
    """Return the place of a page under `current/` or `version-X/`: the latest shows no version."""
    folder, _, rest = path.partition("/")
    version = folder.removeprefix("version-")
    chosen = str(page.config.get("chosen_version") or "")
    latest = "current" if not of.versions or of.current else chosen or of.versions[0]
    usual = "" if version == latest else "next" if version == "current" else version
    shown = of.paths.get(version, usual)
    return _Place("docs", PurePosixPath(rest), _joined(of.base, shown), language)


def variant(path: str, config: Config) -> Variant | None:
    """Return language and version of a page by the folder Docusaurus keeps them in."""
    lies = _lies(path, config)
    if lies is None or not (lies.language or (lies.of and lies.of.versions)):
        return None
    return Variant(lies.language, _version(lies.of, lies.path.partition("/")[0]))


def _reason(page: Page, today: datetime.date) -> str:
    """Name what its collection excludes, and a draft."""
    lies = _lies(page.path, page.config)
    if lies and lies.of:
        path = lies.path.partition("/")[2] if lies.kind == "docs" else lies.path
        if patterns.match(path, lies.of.excluded):
            return EXCLUDED
    return draft(page, today)


def _version(of: Collection | None, folder: str) -> str:
    """Return the version that a folder is; empty where there is but one."""
    if of is None or not of.versions:
        return ""
    if folder == "current":
        return "current" if of.current else "next"
    return folder.removeprefix("version-")


def _major(home: Path, _config: Config) -> Config:
    """Return which Docusaurus a site is built with, where `package.json` says it."""
    listed = ("dependencies", "devDependencies")
    package = read_config(home / "package.json")
    said = text_in(package, *(f"{each}.@docusaurus/core" for each in listed))
    major = re.search(r"\d+", said)
    return {"docusaurus": int(major[0])} if major else {}


def _configured(generator: Generator, config: Config) -> Generator:
    """Read pages as the version of MDX does, and comments in code by the names they are given."""
    of_old = config.get("docusaurus") in (1, 2)
    in_mdx = common.MDX_1 if of_old else common.MDX
    is_plain = text_in(config, "markdown.format") in ("md", "detect")
    markup = common.MARKDOWN if is_plain else in_mdx
    hidden = partial(without_magic_comments, names=_magic(config))
    return replace(
        generator,
        markup=replace(markup, before=(*markup.before, hidden)),
        mdx=replace(in_mdx, before=(*in_mdx.before, hidden)),
    )


def _for_page(generator: Generator, page: Page) -> Generator:
    """Have `{frontMatter.key}` say what the page does, where braces hold expressions."""
    known = partial(front.filled, values=page.values, expression=_ANSWERED)

    def filled(markup: Markup) -> Markup:
        has_expressions = mdx.without_expressions in markup.within
        return replace(markup, within=(known, *markup.within)) if has_expressions else markup

    in_mdx = filled(generator.mdx or common.MDX)
    return replace(generator, markup=filled(generator.markup), mdx=in_mdx)


def _magic(config: Config) -> tuple[str, ...]:
    """Return the words that comments in code may hold, of a line or of where a block begins."""
    listed = value_in(config, "themeConfig.prism.magicComments")
    said = [
        text_in(each, key)
        for each in (listed if isinstance(listed, list) else [])
        for key in ("line", "block.start", "block.end")
    ]
    return (*NAMES, *filter(None, said))


DOCUSAURUS = Generator(
    name="Docusaurus",
    marks=tuple(f"docusaurus.config.{suffix}" for suffix in ("js", "ts", "mjs", "cjs")),
    areas_in=areas,
    config_parts=(("versions", "versions.json"),),
    suffixes=(".md", ".markdown", ".mdx"),
    address=address,
    markup=common.MDX,
    for_page=_for_page,
    beside=_major,
    configured=_configured,
    is_part=underscored,
    variant=variant,
    reason=_reason,
    base_keys=("url", "baseUrl"),
    name_keys=("title",),
    language_keys=("defaultLocale",),
)
