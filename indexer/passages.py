"""Passage: what is searched, found and read. Knows neither how it is cut nor how it is kept."""

from bisect import bisect_right
from dataclasses import dataclass
from operator import itemgetter
from typing import Any


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of an article under one heading, or under a few short ones."""

    id: str
    """`slug#section`, and `slug#section--2` for the second of a section. It depends on the slug,
    the headings and the section alone, so an edit in another section never points it elsewhere."""
    article: str
    """Slug of the article."""
    title: str
    """Title of the article."""
    url: str
    """Address of its first section."""
    headings: tuple[str, ...]
    """Heading path of its first section, outermost first; empty before the first heading."""
    text: str
    """The source lines as written."""
    source: str
    """Path of the file, relative to the folder of articles; or the address it was read from."""
    first_line: int
    """1-based line of the file."""
    last_line: int
    """1-based line of the file, inclusive."""
    words: int
    """Length of the text in runs of characters without blanks."""
    language: str = ""
    """ISO 639-1 code; empty for the site's own."""
    below: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """Where the heading path is another: how many words of the text stand before, and the path
    from there on. Empty where all of it stands under `headings`."""

    @classmethod
    def of(cls, values: dict[str, Any]) -> "Passage":
        """Return the passage whose fields are these, as JSON holds them."""
        below = tuple((words, tuple(path)) for words, path in values.get("below", ()))
        return cls(**{**values, "headings": tuple(values["headings"]), "below": below})

    def headings_at(self, word: int) -> tuple[str, ...]:
        """Return the heading path, outermost first, at that word of the text, counted from 0."""
        at = bisect_right(self.below, word, key=itemgetter(0))
        return self.below[at - 1][1] if at else self.headings

    def terms_language(self, own: str) -> str:
        """Return the language of its terms: the site's own, or one kept apart such as `de:`."""
        return f"{self.language}:" if self.language else own
