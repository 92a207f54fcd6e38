"""Posts of the blog that Material for MkDocs makes: their addresses by date and title.

Knows what the plugin is told in `mkdocs.yml`, not what a page's text holds.
"""

import datetime
import re
import unicodedata
from pathlib import PurePosixPath
from typing import Any

from indexer.generators.addresses import date_of
from indexer.generators.config import tables_in, text_in
from indexer.generators.generator import Page
from indexer.generators.published import FUTURE
from indexer.markup.includes import normal

_NAMES = ("blog", "material/blog")
_DATE_PART = re.compile(r"'([^']*)'|y+|M+|d+")
_DATE_PARTS = {"yyyy": "%Y", "y": "%Y", "yy": "%y", "MM": "%m", "dd": "%d"}
_IN_URL = re.compile(r"\{(\w+)\}")


def post_path(page: Page) -> PurePosixPath | None:
    """Return the path that a post's address is made of; None for what is no dated post."""
    blog, date = _blog_of(page), date_of(page, "date")
    if blog is None or date is None:
        return None
    most = blog.get("post_url_max_categories")
    categories = page.values.get("categories")
    names = categories if isinstance(categories, list) else []
    values = {
        "date": _written(date, text_in(blog, "post_url_date_format") or "yyyy/MM/dd"),
        "slug": page.said("slug") or _slug(page.title),
        "file": page.inner.name,
        "categories": "/".join(map(_slug, map(str, names[: most if isinstance(most, int) else 1]))),
    }
    form = text_in(blog, "post_url_format") or "{date}/{slug}"
    made = _IN_URL.sub(lambda match: values.get(match[1], match[0]), form)
    return PurePosixPath(normal(PurePosixPath(_folder(blog), made.strip("/"))))


def future(page: Page, today: datetime.date) -> str:
    """Name a post dated in the future, where the blog is told to hold it back till then."""
    blog, date = _blog_of(page), date_of(page, "date")
    held = blog is not None and blog.get("draft_if_future_date") is True
    return FUTURE if held and date is not None and date > today else ""


def _blog_of(page: Page) -> dict[str, Any] | None:
    """Return what is said of the blog that a page is a post of; None where it is of none."""
    blogs = (said for name, said in tables_in(page.config, "plugins") if name in _NAMES)
    for blog in blogs:
        posts = text_in(blog, "post_dir") or "{blog}/posts"
        folder = normal(PurePosixPath(posts.replace("{blog}", _folder(blog))))
        if PurePosixPath(folder) in page.inner.parents:
            return blog
    return None


def _folder(blog: dict[str, Any]) -> str:
    return normal(PurePosixPath(text_in(blog, "blog_dir") or "blog"))


def _written(date: datetime.date, form: str) -> str:
    """Return a date by a pattern of Unicode's: `yyyy/MM/dd`."""

    def part(match: re.Match[str]) -> str:
        if match[1] is not None:
            return match[1]
        number = {"M": date.month, "d": date.day}.get(match[0])
        known = _DATE_PARTS.get(match[0])
        return str(number) if number else date.strftime(known) if known else match[0]

    return _DATE_PART.sub(part, form)


def _slug(text: str) -> str:
    """Return a title as the plugin does: letters of all scripts, a hyphen for each blank."""
    kept = re.sub(r"[^\w\- ]", "", unicodedata.normalize("NFC", text))
    return kept.strip().lower().replace(" ", "-")
