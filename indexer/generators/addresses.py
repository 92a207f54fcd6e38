"""Addresses of pages: the rules several generators share. Knows no generator."""

import datetime
import re
from pathlib import PurePosixPath

from indexer.generators.generator import Page

_DATED = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})[-_](.+)")
_INDEX = re.compile(r"(?<![^/])index\.html\Z")
_NOT_SLUG = re.compile(r"[^\w./+-]+")


def folder_address(path: PurePosixPath, *index: str) -> str:
    """Return `a/b/` for the page `a/b`, and `a/` for `a/index`."""
    if path.name.lower() in index:
        path = path.parent
    return "" if path == PurePosixPath() else f"{path.as_posix()}/"


def file_address(path: PurePosixPath, suffix: str = ".html", *index: str) -> str:
    """Return `a/b.html` for the page `a/b`, and `a/` for `a/index`."""
    if path.name.lower() in (index or ("index",)):
        return folder_address(path.parent)
    return path.as_posix() + suffix


def given_address(page: Page, *keys: str) -> str | None:
    """Return the whole address the front matter gives under one of the keys; None where none does.

    One that is to be computed by a template is not known here.
    """
    found = (as_address(page.said(key)) for key in keys)
    return next((each for each in found if each is not None), None)


def as_address(given: str) -> str | None:
    """Return the address that is given; None for none, and for one a template computes."""
    if not given or "{{" in given or "{%" in given:
        return None
    return given if given.startswith(("http://", "https://")) else _INDEX.sub("", given.lstrip("/"))


def dated(name: str) -> tuple[tuple[str, str, str] | None, str]:
    """Return the date a file's name begins with, and the rest of the name."""
    match = _DATED.fullmatch(name)
    if match is None:
        return None, name
    return (match[1], match[2].zfill(2), match[3].zfill(2)), match[4]


def slug_of(text: str) -> str:
    """Return a text as a part of an address: lower case, with hyphens for what is no letter."""
    return re.sub(r"-{2,}", "-", re.sub(r"[^\w]+", "-", text.lower().replace("_", "-"))).strip("-")


def urlized(path: str) -> str:
    """Return a path as an address: lower case, hyphens for blanks, no punctuation."""
    return _NOT_SLUG.sub("", re.sub(r"\s+", "-", path.strip().lower()))


def date_of(page: Page, *keys: str) -> datetime.date | None:
    """Return the first date the front matter holds under one of the keys."""
    for key in keys:
        value = page.values.get(key)
        if isinstance(value, datetime.datetime):
            return value.date()
        if isinstance(value, datetime.date):
            return value
        if isinstance(value, str):
            try:
                return datetime.date.fromisoformat(value.strip()[:10])
            except ValueError:
                continue
    return None


def filled(pattern: str, values: dict[str, str]) -> str:
    """Return an address by its pattern, `/:year/:title/`; one with an unknown part is empty."""
    missing = False

    def value(match: re.Match[str]) -> str:
        nonlocal missing
        found = values.get(match[1])
        missing = missing or found is None
        return found or ""

    address = re.sub(r":([a-z_]+)", value, pattern)
    return "" if missing else re.sub(r"/{2,}", "/", address).lstrip("/")
