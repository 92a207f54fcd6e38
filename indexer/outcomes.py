"""What came of reading one page, which no other page has a part in: so it can be kept.

Knows no files and does not know how it is kept.
"""

import hashlib
import json
import zlib
from dataclasses import asdict, dataclass, replace

from indexer.faults import Fault
from indexer.passages import Passage


@dataclass(frozen=True, slots=True)
class Outcome:
    """A page as passages; or, without any, why it gave none."""

    source: str
    """Path of the file, relative to the folder of articles; or its address."""
    slug: str = ""
    """What its article is called; empty where it could not be read."""
    absent: str = ""
    """Why the site does not show the page, in words to count it under."""
    canonical: str = ""
    """The address that the page names as the one to read instead of it."""
    passages: tuple[Passage, ...] = ()
    """In the order of the page."""
    terms: tuple[str, ...] = ()
    """The terms of each passage, with a blank between."""
    faults: tuple[Fault, ...] = ()
    """What was wrong in the page."""
    included: tuple[tuple[str, str], ...] = ()
    """Each file that the page includes, with its digest."""
    passing: bool = False
    """Whether another day, or another try, may make another outcome of the same page."""

    def renamed(self, slug: str) -> "Outcome":
        """Return it with another slug, which the ids of its passages begin with."""
        passages = tuple(
            replace(each, id=slug + each.id[len(self.slug) :], article=slug)
            for each in self.passages
        )
        return replace(self, slug=slug, passages=passages)


def digest(text: str) -> str:
    """Return 32 hexadecimal digits that tell one text from another."""
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()


def encoded(outcome: Outcome) -> bytes:
    """Return an outcome as bytes."""
    written = json.dumps(asdict(outcome), ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(written.encode("utf-8", "surrogatepass"), 1)


def decoded(data: bytes) -> Outcome:
    """Return the outcome of `encoded`; ValueError, TypeError, KeyError or zlib.error for others."""
    values = json.loads(zlib.decompress(data).decode("utf-8", "surrogatepass"))
    return Outcome(
        values["source"],
        values["slug"],
        values["absent"],
        values["canonical"],
        tuple(map(Passage.of, values["passages"])),
        tuple(values["terms"]),
        tuple(Fault(**fault) for fault in values["faults"]),
        tuple((path, digest) for path, digest in values["included"]),
        values["passing"],
    )


class Copies:
    """Tells pages that say the same as one before them."""

    def __init__(self, titled: bool = False) -> None:
        """`titled`: two that are called differently are two."""
        self._titled = titled
        self._seen: set[str] = set()

    def has(self, outcome: Outcome) -> bool:
        """Return whether another page says the same, and remember what this one says."""
        if not outcome.passages:
            return False
        title = outcome.passages[0].title if self._titled else ""
        text = digest("\0".join((title, *(each.text for each in outcome.passages))))
        known = text in self._seen
        self._seen.add(text)
        return known
