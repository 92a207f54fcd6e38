"""The search tool: a query to a few passages with ids and snippets."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

from lab.tools.errors import ToolError
from lab.tools.untrusted import plain

if TYPE_CHECKING:
    from indexer.index import Hit, Index

MOST = 10
QUERY_CHARACTERS = 2_000


def search_site(index: Index) -> Callable[..., str]:
    """The tool over one index."""

    def search_site(
        query: Annotated[str, "A few words to look for, as the site's pages would put them."],
        limit: Annotated[int, f"How many passages to return, 1 to {MOST}."] = 5,
    ) -> str:
        """Returns the passages of the site that match best: id, title, headings and a snippet.

        Use it first, to find out where the site speaks of something; then read_passage gives
        a passage in full. Words that the passages do not hold are ignored.
        """
        words = " ".join(query.split())
        if not words:
            raise ToolError(
                "query is empty. Give a few words to look for, for example: cache size."
            )
        if len(words) > QUERY_CHARACTERS:
            raise ToolError(
                f"query has {len(words):,} characters, at most {QUERY_CHARACTERS:,} are searched. "
                "Give the few words that matter."
            )
        kept = min(max(limit, 1), MOST)
        hits = index.search(words, kept)
        if not hits:
            return nothing_found(words)
        note = "" if kept == limit else f" (limit {limit} read as {kept}, it goes from 1 to {MOST})"
        lines = [f"{len(hits)} passage{'' if len(hits) == 1 else 's'}, best first{note}:"]
        return "\n\n".join([*lines, *(described(hit) for hit in hits)])

    return search_site


def nothing_found(words: str) -> str:
    """What to say, and to try, where no passage holds any of the words."""
    return (
        f"Nothing found for {words[:200]!r}: no passage holds any of these words. "
        "Try fewer or other words (a synonym, the full form of an abbreviation), in the site's "
        "language. If that finds nothing either, the site does not speak of it."
    )


def described(hit: Hit) -> str:
    """One hit as the model reads it."""
    passage = hit.passage
    place = " / ".join([passage.title, *hit.headings])
    return plain(f"[{passage.id}] {place}\n{hit.snippet}")
