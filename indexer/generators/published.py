"""Why a page is not on the site: draft, date to come, expired. Knows no generator."""

import datetime
from pathlib import PurePosixPath

from indexer.generators.addresses import date_of
from indexer.generators.generator import Page

DRAFT, FUTURE, EXPIRED = "drafts", "dated in the future", "expired"
UNPUBLISHED, EXCLUDED, PARTS = "not published", "excluded", "parts of other pages"
TEMPLATES = "templates of several pages"
EMPTY, UNREADABLE = "without text", "unreadable"
LANGUAGES, VERSIONS = "in other languages", "of other versions"
REDIRECTS, NOINDEX, COPIES = "redirects", "not for search engines", "copies of other pages"
ORDER = (
    *(DRAFT, FUTURE, EXPIRED, UNPUBLISHED, EXCLUDED, PARTS, TEMPLATES, EMPTY, UNREADABLE),
    *(LANGUAGES, VERSIONS, REDIRECTS, NOINDEX, COPIES),
)
"""What is left out, as it is told; files of kinds that are not read come after it."""


def draft(page: Page, _today: datetime.date) -> str:
    """Name a page that says it is a draft, or lies in a folder of drafts."""
    if _true(page.values.get("draft")) or _false(page.values.get("published")):
        return DRAFT
    return DRAFT if "_drafts" in page.inner.parts[:-1] else ""


def draft_or_folder(page: Page, today: datetime.date) -> str:
    """Name a draft also where its folder is called `drafts`."""
    return DRAFT if "drafts" in page.inner.parts[:-1] else draft(page, today)


def draft_or_future(page: Page, today: datetime.date) -> str:
    """Name a draft, a page dated in the future, and one that has expired."""
    return draft(page, today) or dated_out(page, today)


def dated_out(page: Page, today: datetime.date) -> str:
    """Name a page whose date is to come, or whose last day is over."""
    expires = date_of(page, "expiryDate", "expirydate")
    if expires and expires <= today:
        return EXPIRED
    begins = date_of(page, "publishDate", "publishdate", "date")
    return FUTURE if begins and begins > today else ""


def underscored(path: PurePosixPath) -> bool:
    """Tell whether a file or a folder above it begins with `_`, except for `_index`."""
    return path.stem != "_index" and any(part.startswith("_") for part in path.parts)


def _true(value: object) -> bool:
    return value is True or (
        isinstance(value, str) and value.strip().lower() in ("true", "yes", "on")
    )


def _false(value: object) -> bool:
    return value is False or (
        isinstance(value, str) and value.strip().lower() in ("false", "no", "off")
    )
