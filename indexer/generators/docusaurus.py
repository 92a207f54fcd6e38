"""Docusaurus: MDX in docs, blog and pages; versions; translations under `i18n/`."""

import re
from pathlib import PurePosixPath

from indexer.generators import common
from indexer.generators.addresses import dated, given_address
from indexer.generators.generator import Generator, Page
from indexer.generators.published import draft, underscored
from indexer.variants import Variant

_NUMBERED = re.compile(r"\d+[ ]*[-_.]+[ ]*(?=\D)")
_PLUGIN = "docusaurus-plugin-content-"


def address(page: Page) -> str:
    """Return the address by `slug`, or by path without the numbers that order files."""
    root, path, language = _place(page)
    slug = given_address(page, "slug")
    if slug is not None and slug.startswith("http"):
        return slug
    if root.startswith("blog"):
        own = slug.strip("/") if slug else _of_post(path)
    elif slug is not None:
        absolute = page.said("slug").startswith("/")
        own = slug.strip("/") if absolute else _joined(_bare(path.parent), slug.strip("/"))
    else:
        own = _of_doc(path, page)
    return _joined(language, root, own)


def _joined(*parts: str) -> str:
    return "/".join(part for part in parts if part)


def _bare(path: PurePosixPath) -> str:
    return "/".join(_NUMBERED.sub("", part, count=1) for part in path.parts)


def _of_doc(path: PurePosixPath, page: Page) -> str:
    bare = PurePosixPath(_bare(path))
    if bare.name.lower() in ("index", "readme", bare.parent.name.lower()):
        return "" if bare.parent == PurePosixPath() else bare.parent.as_posix()
    name = page.said("id") or bare.name
    return bare.with_name(name).as_posix()


def _of_post(path: PurePosixPath) -> str:
    if path.name == "index":
        path = path.parent
    date, name = dated(path.name)
    folders = path.parent.as_posix().strip(".")
    return _joined(folders, "/".join(date), name) if date else path.as_posix()


def _place(page: Page) -> tuple[str, PurePosixPath, str]:
    """Return the root of the address, the path below it, and the language it shows."""
    parts, language = PurePosixPath(page.path).with_suffix("").parts, ""
    while parts and parts[0] not in ("docs", "blog", "versioned_docs", "src", "i18n"):
        parts = parts[1:]
    if parts[:1] == ("i18n",) and len(parts) > 3:
        language, plugin, parts = parts[1], parts[2].removeprefix(_PLUGIN), parts[3:]
        kind = plugin.split("-")[0]
        parts = ("versioned_docs", *parts) if kind == "docs" else (kind, *parts)
    if parts[:1] == ("versioned_docs",):
        version = parts[1].removeprefix("version-")
        latest = _latest(page)
        shown = {latest: "", "current": "next" if latest else ""}.get(version, version)
        return _joined("docs", shown), PurePosixPath(*parts[2:]), language
    if parts[:2] == ("src", "pages") or parts[:1] == ("pages",):
        return "", PurePosixPath(*parts[1 + (parts[0] == "src") :]), language
    if not parts:
        return "", page.inner, language
    coming = parts[0] == "docs" and _latest(page)
    return _joined(parts[0], "next" if coming else ""), PurePosixPath(*parts[1:]), language


def _latest(page: Page) -> str:
    """Return the version whose addresses name none; empty where there is but one."""
    chosen = page.config.get("chosen_version")
    return "" if chosen in (None, "next") else str(chosen)


def variant(path: str) -> Variant | None:
    """Return language and version of a page by the folder Docusaurus keeps them in."""
    found = re.search(rf"(?:^|/)i18n/([^/]+)/{_PLUGIN}(?:docs[^/]*/(version-)?([^/]+)/)?", path)
    if found:
        version = found[3] if found[2] else "next" if found[3] else ""
        return Variant(found[1], version or "")
    version_of = re.search(r"(?:^|/)versioned_docs/version-([^/]+)/", path)
    if version_of:
        return Variant("", version_of[1])
    return Variant("", "next") if re.match(r"(?:website/)?docs/", path) else None


DOCUSAURUS = Generator(
    name="Docusaurus",
    marks=tuple(f"docusaurus.config.{suffix}" for suffix in ("js", "ts", "mjs", "cjs")),
    areas=("docs", "blog", "versioned_docs", "i18n", "src/pages"),
    suffixes=(".md", ".markdown", ".mdx"),
    address=address,
    markup=common.MDX,
    is_part=underscored,
    variant=variant,
    reason=draft,
    base_keys=("url", "baseUrl"),
    name_keys=("title",),
    language_keys=("defaultLocale",),
)
