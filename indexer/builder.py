"""A folder of articles -> passages and the terms each is found by, with a report of what was seen.

A page whose outcome is known from an earlier build is not read again. Does not know how passages
are searched or kept.
"""

import datetime
from collections import Counter, deque
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from indexer.content import BuildReport, Content, Origin, Progress
from indexer.errors import SourceError
from indexer.faults import Fault
from indexer.memory import Memory
from indexer.opening import Source
from indexer.origin import Listed, digest_of, fingerprint, listed
from indexer.outcomes import Outcome
from indexer.passages import Passage
from indexer.readers import Ask, Reader, reader_of
from indexer.settings import Settings
from indexer.term_lines import TermLines
from indexer.usable import check_usable


def build_content(
    folder: Path, settings: Settings, on_progress: Progress | None = None
) -> tuple[Content, BuildReport]:
    """Read the articles of `folder` and cut them.

    Raises SourceError where no page or no passage is found, SiteError for a broken `site.toml`,
    EngineError for an engine that cannot be used.
    """
    check_usable(settings)
    return content_of(listed(folder, settings), settings, on_progress, Memory(None))


def content_of(
    pages: Listed,
    settings: Settings,
    on_progress: Progress | None,
    memory: Memory,
    processes: int = 1,
) -> tuple[Content, BuildReport]:
    """Read pages that were listed, but for those whose outcome `memory` knows, and cut them.

    Listed before they are read: one that changes meanwhile shows at the next check. Raises
    SourceError where no passage is found.
    """
    source, site, read = pages.source, _Site(pages.source), 0
    with reader_of(pages, settings, processes) as reader:
        for done, (outcome, anew) in enumerate(outcomes(pages, memory, reader), 1):
            read += anew
            site.take(outcome)
            if on_progress:
                on_progress(done, len(pages.files))
    left_out = Counter(source.left_out) + site.left_out
    memory.forget_all_but({path for path, _ in pages.files})
    if not site.passages:
        told = ", ".join(f"{count:,} {why}" for why, count in left_out.items() if count)
        raise SourceError(
            f"No page in {pages.folder} gives a passage. Left out: {told or 'none'}. "
            "Give a folder with articles."
        )
    origin = Origin(
        fingerprint(pages, site.included),
        tuple(sorted(site.included)),
        datetime.date.today().isoformat() if site.passing else "",
    )
    report = BuildReport(
        len(pages.files) - site.unpublished, len(site.passages),
        sum(passage.words for passage in site.passages), (*pages.faults, *site.faults),
        source.generator.name, dict(left_out), source.kept,
        read, len(pages.files) - read,
    )  # fmt: skip
    content = Content(
        source.site, origin, settings, tuple(site.passages), TermLines(site.terms), report,
        tuple(sorted({each.language for each in site.passages} - {""})),
    )  # fmt: skip
    return content, report


class _Asked(NamedTuple):
    file: Path
    key: str
    """What the outcome is to be kept under; empty where it was known."""
    ask: Ask


def outcomes(pages: Listed, memory: Memory, reader: Reader) -> Iterator[tuple[Outcome, bool]]:
    """Yield what came of each page, in their order, and whether it was read anew."""
    waiting = deque[_Asked]()
    for path, file in pages.files:
        waiting.append(_asked(path, file, pages, memory, reader))
        if len(waiting) > reader.ahead:
            yield _answered(waiting.popleft(), pages, memory)
    while waiting:
        yield _answered(waiting.popleft(), pages, memory)


def _asked(path: str, file: Path, pages: Listed, memory: Memory, reader: Reader) -> _Asked:
    key = pages.key(path)
    known = memory.recall(path, key)
    if known and all(pages.source.included(each) == digest for each, digest in known.included):
        return _Asked(file, "", lambda: known)
    return _Asked(file, key, reader.ask(path, file))


def _answered(asked: _Asked, pages: Listed, memory: Memory) -> tuple[Outcome, bool]:
    outcome = asked.ask()
    # What changed since it was listed is not what the key says.
    if asked.key and not outcome.passing:
        path = outcome.source
        if digest_of(asked.file) == pages.digests[path]:
            memory.keep(path, asked.key, outcome)
    return outcome, bool(asked.key)


class _Site:
    """Puts pages together: here one may stand in the way of another."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._called: dict[str, str] = {}
        self._standing: dict[str, str] = {}
        """The sources of pages, by slug and by address."""
        self.passages: list[Passage] = []
        self.terms: list[str] = []
        self.faults: list[Fault] = []
        self.left_out: Counter[str] = Counter()
        self.included: dict[str, str] = {}
        """Digests of the files that pages include, by path."""
        self.passing = False

    @property
    def unpublished(self) -> int:
        """How many of the pages that were read are not on the site."""
        return self.left_out.total()

    def take(self, outcome: Outcome) -> None:
        """Add what came of the next page."""
        self.faults += outcome.faults
        self.included |= outcome.included
        self.passing = self.passing or outcome.passing
        if why := outcome.absent or self._source.superseded(outcome):
            self.left_out[why] += 1
            return
        named = self._named_once(outcome)
        if named is outcome:  # one of another's name was reported
            self._check_address(outcome)
        self.passages += named.passages
        self.terms += named.terms

    def _named_once(self, outcome: Outcome) -> Outcome:
        """Return the page under a slug no other has, so that ids stay unique."""
        source = outcome.source
        other = self._called.setdefault(outcome.slug, source)
        if outcome.slug and other != source:
            said = f"another page, {other}, is called {outcome.slug}; known as {source}"
            self.faults.append(Fault(source, 0, said))
            outcome = outcome.renamed(source)
            self._called[source] = source
        return outcome

    def _check_address(self, outcome: Outcome) -> None:
        """Report a page that stands where another does: the site shows one of them."""
        for first in outcome.passages[:1]:
            address, source = first.url.partition("#")[0], outcome.source
            other = self._standing.setdefault(address, source)
            if other != source:
                said = f"has the address of {other}: {address or 'the front page'}"
                self.faults.append(Fault(source, 0, said))
