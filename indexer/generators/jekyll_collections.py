"""The collections of a Jekyll site: which one a page is of, and what is said of them."""

from typing import Any

from indexer.generators.config import as_table
from indexer.generators.generator import Config, Page

_ALWAYS = ("posts", "drafts")


def collection_of(page: Page) -> str:
    """Return the collection that a page is of, `posts` among them; empty for one of none.

    A folder that begins with `_` may be no collection, but read all the same.
    """
    named = page.config.get("collections")
    known = (*_ALWAYS, *(named if isinstance(named, dict | list) else ()))
    names = [part[1:] for part in page.inner.parts[:-1] if part.startswith("_")]
    return names[-1] if names and names[-1] in known else ""


def settings_of(config: Config, collection: str) -> dict[str, Any]:
    """Return what the configuration says of a collection."""
    return as_table(as_table(config.get("collections")).get(collection))
