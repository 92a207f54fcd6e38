"""The reading tool: a passage id to the passage in full."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Annotated
from urllib.parse import unquote

from lab.tools.errors import ToolError
from lab.tools.untrusted import wrapped

if TYPE_CHECKING:
    from indexer.index import Index
    from indexer.passages import Passage

ID_CHARACTERS = 500
MARKS = "[](){}<>\"'“”`.,;"
"""What may stand around an id that is no part of it."""
PREFIX = re.compile(r"^(passage\s+)?id\s*[:=]\s*", re.IGNORECASE)
MOST_FORMS = 12

BLANK_LINES = re.compile(r"\n(?:[ \t]*\n){2,}")


def read_passage(index: Index) -> Callable[..., str]:
    """The tool over one index."""

    def read_passage(
        id: Annotated[str, "A passage id as search_site gives it, for example notes#costs."],
    ) -> str:
        """Returns one passage of the site in full, with its address and its neighbours' ids.

        Use it after search_site, before relying on what a passage says: a snippet is only a
        part. A neighbour's id reads on before or after the passage.
        """
        passage = find(index, id)
        if passage is None:
            near = ", ".join(index.nearest_ids(id[:ID_CHARACTERS])) or "none"
            raise ToolError(
                f"No passage with id {id[:200]!r}. Use an id from search_site. Nearest ids: {near}."
            )
        before, after = index.neighbours(passage.id)
        place = " / ".join([passage.title, *passage.headings])
        # Markup that was taken away leaves its line ends, and each is a token.
        shown = BLANK_LINES.sub("\n\n", passage.text)
        text = wrapped(shown, id=passage.id, title=place, url=passage.url)
        return f"{text}\nBefore it: {before or 'nothing'}. After it: {after or 'nothing'}."

    return read_passage


def find(index: Index, given: str) -> Passage | None:
    """The passage meant: by id or by its full address, whatever a model writes around it."""
    for form in islice(forms(given), MOST_FORMS):
        if passage := index.get(form) or index.get(form.casefold()):
            return passage
        if form.strip("/") and (passage := index.at_address(form)):
            return passage
    return None


def forms(given: str) -> Iterator[str]:
    """What was given as it is, since names hold brackets too, then with less and less around it."""
    yield given
    text = unquote(given[:ID_CHARACTERS]).strip()
    while text:
        yield text
        bare = PREFIX.sub("", text)
        if bare == text:
            bare = text[text[0] in MARKS : len(text) - (text[-1] in MARKS)]
        if bare == text:
            return
        text = bare.strip()
