"""What a site says of itself: its name, its address, its language, and where its articles lie.

Does not know the articles.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from indexer.errors import SiteError

SITE_FILE = "site.toml"
_TEXTS = {"name", "base", "language", "articles", "generator"}
_LISTS = {"languages", "versions"}


@dataclass(frozen=True, slots=True)
class Site:
    """A site as its `site.toml` describes it."""

    name: str
    """For people to read."""
    base: str
    """Address of the front page, ending in `/`; empty where unknown, which makes urls relative."""
    language: str = "en"
    """ISO 639-1 code of the language most articles are in."""


@dataclass(frozen=True, slots=True)
class Choices:
    """How a site's `site.toml` wants its pages to be read."""

    given: tuple[str, ...] = ()
    """The keys that are there, sorted: a set is written in another order in each process."""
    generator: str = ""
    """What the pages are written for; empty where the files are to tell."""
    articles: str = ""
    """The folder of pages; empty where the generator is to tell."""
    languages: tuple[str, ...] = ()
    """Languages to keep, or `all`; empty for the site's own."""
    versions: tuple[str, ...] = ()
    """Versions to keep, or `all`; empty for the current one."""
    include_drafts: bool = False
    """Whether drafts and pages dated in the future are read too."""


def read_site(folder: Path) -> Site:
    """Return the description of the site that `folder` is, or whose articles it holds.

    Without a `site.toml` the name is the folder's and the base is empty.
    Raises SiteError, naming file and field, for broken TOML or a value of a wrong type.
    """
    file = site_file(folder)
    if file is None:
        return Site(name=folder.resolve().name or "site", base="")
    table = _read_table(file)
    name = table.get("name", folder.resolve().name)
    base = table.get("base", "")
    return Site(
        name, base if not base or base.endswith("/") else base + "/", table.get("language", "en")
    )


def read_choices(folder: Path) -> Choices:
    """Return what the `site.toml` of `folder` says about reading it.

    Raises SiteError like `read_site`.
    """
    file = site_file(folder)
    table = _read_table(file) if file else {}
    return Choices(
        given=tuple(sorted(table)),
        generator=table.get("generator", ""),
        articles=table.get("articles", "") if file and file.parent == folder else "",
        languages=_listed(table.get("languages", ())),
        versions=_listed(table.get("versions", ())),
        include_drafts=table.get("include_drafts", False),
    )


def _listed(value: str | list[str] | tuple[str, ...]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def articles_folder(folder: Path) -> Path:
    """Return where the articles of `folder` lie: where its `site.toml` says, or in itself."""
    file = folder / SITE_FILE
    if not file.is_file():
        return folder
    named: str | None = _read_table(file).get("articles")
    if named is None:
        return folder / "articles" if (folder / "articles").is_dir() else folder
    articles = folder / named
    if not articles.resolve().is_relative_to(folder.resolve()):
        raise SiteError(
            f"{file}: `articles` leads out of the site's folder. Name a folder inside it."
        )
    return articles


def site_file(folder: Path) -> Path | None:
    """Return the `site.toml` in `folder`, or the one above that names `folder` as its articles."""
    if (folder / SITE_FILE).is_file():
        return folder / SITE_FILE
    above = folder.resolve().parent
    if (above / SITE_FILE).is_file() and articles_folder(above).resolve() == folder.resolve():
        return above / SITE_FILE
    return None


def _read_table(file: Path) -> dict[str, Any]:
    try:
        table = tomllib.loads(file.read_text("utf-8-sig"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SiteError(f"{file} cannot be read as TOML: {error}. Mend or remove it.") from error
    for key, value in table.items():
        kind = type(value).__name__
        if key in _TEXTS and not isinstance(value, str):
            raise SiteError(f"{file}: `{key}` must be a text in quotes, and is of type {kind}.")
        texts = isinstance(value, str) or (
            isinstance(value, list) and all(isinstance(each, str) for each in value)
        )
        if key in _LISTS and not texts:
            raise SiteError(f"{file}: `{key}` must be a list of texts, and is of type {kind}.")
        if key == "include_drafts" and not isinstance(value, bool):
            raise SiteError(f"{file}: `{key}` must be true or false, and is of type {kind}.")
    base = table.get("base", "")
    if base and not base.startswith(("http://", "https://")):
        raise SiteError(f"{file}: `base` must begin with http:// or https://, and is {base!r}.")
    return table
