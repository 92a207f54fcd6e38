"""What an index is made from, as digests: whether anything has changed is told without reading."""

import datetime
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from indexer.bm25 import K1, B
from indexer.content import Origin
from indexer.faults import Fault
from indexer.opening import Source, open_source
from indexer.outcomes import digest
from indexer.settings import Settings
from indexer.sources import check_folder


@dataclass(frozen=True, slots=True)
class Listed:
    """A source with its pages, as they were when it was opened."""

    folder: Path
    """Where it is."""
    source: Source
    """What reads them."""
    faults: tuple[Fault, ...]
    """What was wrong in the folder."""
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


def listed(folder: Path, settings: Settings) -> Listed:
    """Open the source in a folder, and list its pages.

    Raises SourceError where there is none, SiteError for a broken `site.toml`.
    """
    check_folder(folder)
    source, faults = open_source(folder), list[Fault]()
    files = source.pages(faults.append)
    digests = {path: digest_of(file) for path, file in (*files, *source.parts)}
    particulars = {path: source.particulars(path) for path, _ in files}
    # The same site, however it is searched; and the same page, however its terms are weighed.
    found = replace(settings, engine="", semantic=False)
    read = replace(found, k1=K1, b=B)
    whole, reading = (digest(each.as_text() + source.description()) for each in (found, read))
    return Listed(folder, source, tuple(faults), files, digests, particulars, whole, reading)


def fingerprint(pages: Listed, included: Mapping[str, str]) -> str:
    """Return 16 hexadecimal digits that change with pages, what they include, and settings.

    `included` has the digest of each file that some page includes.
    """
    lines = [pages.whole]
    for known in (pages.digests, pages.particulars, dict(sorted(included.items()))):
        lines += [f"{path}\0{value}" for path, value in known.items()]
    return digest("\n".join(lines))[:16]


def stands(origin: Origin, pages: Listed) -> bool:
    """Tell whether what an index was made from is still what its source is."""
    if origin.day and origin.day != datetime.date.today().isoformat():
        return False
    included = {path: pages.source.included(path) for path in origin.included}
    return fingerprint(pages, included) == origin.fingerprint


def digest_of(file: Path) -> str:
    """Return the digest of a file; empty where it cannot be read."""
    try:
        return hashlib.blake2b(file.read_bytes(), digest_size=16).hexdigest()
    except OSError:
        return ""
