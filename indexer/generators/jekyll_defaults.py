"""The front matter that a Jekyll site's configuration gives its pages: `defaults`."""

from typing import Any

from indexer.generators import patterns
from indexer.generators.config import as_table
from indexer.generators.generator import Page
from indexer.generators.jekyll_collections import collection_of


def inherited(page: Page) -> dict[str, Any]:
    """Return what the scopes that a page lies in say of it, the narrowest above the others."""
    listed = page.config.get("defaults")
    sets = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    scoped = [(as_table(each.get("scope")), as_table(each.get("values"))) for each in sets]
    said = dict[str, Any]()
    # The sort is stable: of two as narrow, the later one counts.
    for scope, values in sorted(scoped, key=lambda each: _narrowness(each[0])):
        said |= values if _holds(scope, page) else {}
    return said


def _narrowness(scope: dict[str, Any]) -> tuple[int, bool]:
    return len(_path(scope)), "type" in scope


def _holds(scope: dict[str, Any], page: Page) -> bool:
    """Tell whether a page is of the kind, and lies at the path, that a scope names."""
    path, kind = _path(scope), collection_of(page) or "pages"
    inside = not path or patterns.match(page.path, patterns.whole([path]))
    return inside and scope.get("type", kind) == kind


def _path(scope: dict[str, Any]) -> str:
    path = scope.get("path")
    return path.strip("/") if isinstance(path, str) else ""
