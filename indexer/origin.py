"""What an index is made from, as digests: whether anything has changed is told without reading."""

import datetime
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from indexer.bm25 import K1, B
from indexer.content import Origin
from indexer.faults import Warn
from indexer.opening import Source, open_source
from indexer.outcomes import digest
from indexer.settings import Settings


@dataclass(frozen=True, slots=True)
class Listed:
    """The pages of a source as they were when it was opened."""

    files: list[tuple[str, Path]]
    """Path, or address, and file of each page to read, in their order."""
    digests: Mapping[str, str]
    """Of what these hold, and of the parts of pages too."""
    particulars: Mapping[str, str]
    """What is known of a page besides its file."""
    whole: str
    """Digest of all that the index depends on besides the pages."""
    reading: str
    """Digest of all that the outcome of a page depends on besides the page."""

    def key(self, path: str) -> str:
        """Return what the outcome of a page is kept under."""
        own = (path, self.digests[path], self.particulars[path])
        return digest("\0".join((self.reading, *own)))


def listed(source: Source, settings: Settings, warn: Warn) -> Listed:
    """Return the pages of a source just opened; faults of the folder go to `warn`."""
    files = source.pages(warn)
    digests = {path: digest_of(file) for path, file in (*files, *source.parts)}
    particulars = {path: source.particulars(path) for path, _ in files}
    # The same site, however it is searched; and the same page, however its terms are weighed.
    found = replace(settings, engine="", semantic=False)
    read = replace(found, k1=K1, b=B)
    whole, reading = (digest(each.as_text() + source.description()) for each in (found, read))
    return Listed(files, digests, particulars, whole, reading)


def fingerprint(pages: Listed, source: Source, included: Iterable[str]) -> str:
    """Return 16 hexadecimal digits that change with pages, what they include, and settings."""
    lines = [pages.whole]
    for known in (pages.digests, pages.particulars):
        lines += [f"{path}\0{value}" for path, value in known.items()]
    lines += [f"{path}\0{source.included(path)}" for path in sorted(included)]
    return digest("\n".join(lines))[:16]


def stands(origin: Origin, folder: Path, settings: Settings) -> bool:
    """Tell whether what an index with these settings was made from is still what the folder is."""
    if origin.day and origin.day != datetime.date.today().isoformat():
        return False
    source = open_source(folder)
    pages = listed(source, settings, lambda _: None)
    return fingerprint(pages, source, origin.included) == origin.fingerprint


def digest_of(file: Path) -> str:
    """Return the digest of a file; empty where it cannot be read."""
    try:
        return hashlib.blake2b(file.read_bytes(), digest_size=16).hexdigest()
    except OSError:
        return ""
