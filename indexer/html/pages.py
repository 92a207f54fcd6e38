"""What pages of HTML have in common, wherever they are from: how they are chosen and read."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from indexer.faults import Fault, Warn
from indexer.generators.published import COPIES, LANGUAGES, VERSIONS
from indexer.html.decoding import MAX_PAGE_BYTES, decode
from indexer.outcomes import Copies, Outcome
from indexer.sources import SourcePage
from indexer.variants import Chosen, Variant


class HtmlPages:
    """A source of pages that are HTML."""

    def __init__(self) -> None:
        self.parts: list[tuple[str, Path]] = []
        """Empty: pages as they are served include no others."""
        self.kept = Variant()
        """The language and the version that were preferred; empty where there is but one."""
        self.left_out: Counter[str] = Counter()
        """How many files are not to be read, by the reason."""
        self._copies: set[str] = set()
        self._texts = Copies()
        self._spoken: Mapping[str, str] = {}

    def page(self, path: str, file: Path, warn: Warn) -> SourcePage | None:
        """Return the text of a page; None, and a fault, where it cannot be read."""
        try:
            with file.open("rb") as stream:
                raw = stream.read(MAX_PAGE_BYTES + 1)
        except OSError as error:
            warn(Fault(path, 0, f"cannot be read ({error.strerror}); left out"))
            return None
        return SourcePage(path, text_of(path, raw, self._charset(path), warn))

    def superseded(self, outcome: Outcome) -> str:
        """Return why a page gives way: it names another one, or another one says the same."""
        original = self._original(outcome) if outcome.canonical else ""
        if original and original not in self._copies:  # of two that name each other one is read
            self._copies.add(outcome.source)
            return COPIES
        return COPIES if self._texts.has(outcome) else ""

    def _original(self, outcome: Outcome) -> str:
        """Return the page of this source that a page names; empty where there is none."""
        raise NotImplementedError

    def included(self, _path: str) -> str:
        """Return nothing: pages as they are served include no others."""
        return ""

    def particulars(self, path: str) -> str:
        """Return the encoding that a page came with, and the language that its place says."""
        return f"{self._charset(path)} {self._spoken.get(self._inner(path), '')}"

    def _charset(self, _path: str) -> str:
        """Return the encoding that a page came with; empty where it came without one."""
        return ""

    def _inner(self, path: str) -> str:
        """Return a page's path below the root of the site."""
        return path

    def _take(self, chosen: Chosen) -> Sequence[str]:
        """Return the paths that were chosen, and note what was left out for them."""
        self.kept, self._spoken = chosen.kept, chosen.spoken
        self.left_out[LANGUAGES], self.left_out[VERSIONS] = chosen.languages, chosen.versions
        return chosen.paths


def text_of(source: str, raw: bytes, charset: str, warn: Warn) -> str:
    """Return the text of a page, bounded; what is wrong with its bytes goes to `warn`."""
    if len(raw) > MAX_PAGE_BYTES:
        size = MAX_PAGE_BYTES // 2**20
        warn(Fault(source, 0, f"is larger than {size} MB; the first {size} MB are indexed"))
        raw = raw[:MAX_PAGE_BYTES]
    decoded = decode(raw, charset)
    if decoded.fault:
        warn(Fault(source, 0, decoded.fault))
    return decoded.text
