"""Addresses of a Jekyll site: by `permalink`, or by the style of posts and collections."""

from pathlib import PurePosixPath

from indexer.generators.addresses import (
    date_of,
    dated,
    file_address,
    filled,
    folder_address,
    given_address,
    slug_of,
)
from indexer.generators.generator import Page
from indexer.generators.jekyll_collections import collection_of, settings_of

_STYLES = {
    "date": "/:categories/:year/:month/:day/:title.html",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "ordinal": "/:categories/:year/:y_day/:title.html",
    "none": "/:categories/:title.html",
}


def address(page: Page) -> str:
    """Return the address by `permalink`, or by the style of posts and collections."""
    given = given_address(page, "permalink")
    path = page.inner
    style = str(page.config.get("permalink") or "date")
    collection = collection_of(page)
    if given is not None and ":" not in given:
        return given
    if collection == "posts":
        pattern = given or _STYLES.get(style, style if style.startswith("/") else _STYLES["date"])
        return filled(pattern, _of_post(page, path))
    if collection:
        settings = settings_of(page.config, collection)
        pattern = given or str(settings.get("permalink") or "/:collection/:path:output_ext")
        return filled(pattern, _of_document(page, path, collection))
    if given and (own := filled(given, _of_page(path))):
        return own
    if path.name.lower() in ("index", "readme"):
        return folder_address(path.parent)
    if style == "pretty" or style.endswith("/"):
        return folder_address(path)
    return file_address(path)


def _of_page(path: PurePosixPath) -> dict[str, str]:
    """Return what the parts of a pattern stand for where a page is no part of a collection."""
    return {"path": folder_address(path.parent), "basename": path.name, "output_ext": ".html"}


def _of_document(page: Page, path: PurePosixPath, collection: str) -> dict[str, str]:
    inner = PurePosixPath(*path.parts[path.parts.index(f"_{collection}") + 1 :])
    return {
        "collection": collection,
        "path": inner.as_posix(),
        "name": slug_of(inner.name),
        "title": page.said("slug") or slug_of(inner.name),
        "output_ext": ".html",
    }


def _of_post(page: Page, path: PurePosixPath) -> dict[str, str]:
    parts, name = dated(path.name)
    given = date_of(page, "date")
    if given:
        parts = (f"{given:%Y}", f"{given:%m}", f"{given:%d}")
    year, month, day = parts or ("", "", "")
    categories = _categories(page)
    return {
        "categories": "/".join(dict.fromkeys(each.lower() for each in categories)),
        "slugified_categories": "/".join(dict.fromkeys(map(slug_of, categories))),
        "year": year, "month": month, "day": day,
        "i_month": month.lstrip("0"), "i_day": day.lstrip("0"), "short_year": year[2:],
        "title": page.said("slug") or name, "slug": page.said("slug") or slug_of(name),
        "output_ext": ".html",
    }  # fmt: skip


def _categories(page: Page) -> list[str]:
    """Return the folders above those of posts, and what the front matter says."""
    one, several = page.values.get("category"), page.values.get("categories")
    folders = page.inner.parts[: page.inner.parts.index("_posts")]
    # The singular is one name with its blanks; the plural may be several in a text.
    said = [one, *(several.split() if isinstance(several, str) else _items(several))]
    return [*folders, *(str(each) for each in said if isinstance(each, str | int))]


def _items(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]
