"""The addresses that pages of an Eleventy site give themselves: `/{{ title | slugify }}/`."""

import datetime
import re
import unicodedata
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Any

from indexer.generators.addresses import date_of, dated
from indexer.generators.config import value_in
from indexer.generators.generator import Page
from indexer.markup.front import written

_EXPRESSION = re.compile(r"\{\{-?(?P<inside>[^{}]*?)-?\}\}")
_FILTER = re.compile(r"(?P<name>\w+)(?:\s*[:(]\s*(?P<quote>[\"'])(?P<said>.*)(?P=quote)\s*\)?)?")
_LETTERS = str.maketrans({"ß": "ss", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "&": " and "})
_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_SHORT = re.compile(r"(?<=[a-z\d])['’](?=[ts](?:\s|\Z))")


def permalink(page: Page) -> str:
    """Return the permalink of a page with what it asks for; what is not known stays asked for."""

    def answer(asked: re.Match[str]) -> str:
        found, _ = _answered(asked["inside"], page)
        return asked[0] if found is None else found

    return _EXPRESSION.sub(answer, page.said("permalink"))


def unknown(page: Page) -> str:
    """Return what is to warn of where a permalink asks for what is not known; else nothing."""
    for asked in _EXPRESSION.finditer(page.said("permalink")):
        found, missing = _answered(asked["inside"], page)
        if found is None:
            return f"its permalink asks for {missing}, which is not known; addressed by its path"
    return ""


def undated(page: Page) -> PurePosixPath:
    """Return the path of a page without the date that its name may begin with."""
    return page.inner.with_name(dated(page.inner.name)[1])


def _answered(expression: str, page: Page) -> tuple[str | None, str]:
    """Return what an expression comes to; or None, and what in it is not known."""
    name, *filters = (each.strip() for each in expression.split("|"))
    value = value_in({**page.values, "page": _of_page(page)}, name)
    for each in filters:
        match = _FILTER.fullmatch(each)
        use = _FILTERS.get(match["name"]) if match else None
        if use is None or match is None:
            return None, f"the filter `{each}`"
        value = None if value is None else use(value, match["said"] or "")
    said = written(value)
    return said, "" if said is not None else f"`{expression.strip()}`"


def _of_page(page: Page) -> dict[str, Any]:
    """Return what Eleventy knows of a page by its file."""
    path = undated(page)
    named = path.parent if path.name == "index" else path
    day, _ = dated(page.inner.name)
    return {
        "filePathStem": f"/{path}",
        "fileSlug": dated(named.name)[1],
        "date": date_of(page, "date") or (_day("-".join(day)) if day else None),
    }


def _day(text: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        return None


def _slugified(value: Any, _: str) -> str | None:
    """Return a text as Eleventy does now: letters and digits, and hyphens for all else."""
    plain = _plain(str(value).lower().translate(_GERMAN))
    return plain and re.sub(r"[^a-z\d]+", "-", _SHORT.sub("", plain)).strip("-")


def _slugged(value: Any, _: str) -> str | None:
    """Return a text as Eleventy did before: hyphens for blanks alone, some signs as they are."""
    plain = _plain(str(value).lower())
    return plain and re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s$*+~.()'\"!:@-]+", "", plain).strip())


def _plain(text: str) -> str | None:
    """Return a text without accents; None where letters of another script are in it."""
    apart = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    plain = "".join(each for each in apart if not unicodedata.combining(each))
    other = any(each.isalnum() and not each.isascii() for each in plain)
    return None if other else plain


def _formatted(value: Any, said: str) -> str | None:
    """Return a date as Liquid writes it; None for a format of another kind."""
    day = _day(value[:10]) if isinstance(value, str) else value
    return day.strftime(said) if isinstance(day, datetime.date) and "%" in said else None


_FILTERS: dict[str, Callable[[Any, str], str | None]] = {
    "slugify": _slugified,
    "slug": _slugged,
    "date": _formatted,
    "downcase": lambda value, _: str(value).lower(),
    "lower": lambda value, _: str(value).lower(),
}
