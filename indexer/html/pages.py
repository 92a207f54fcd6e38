"""What pages of HTML have in common, wherever they are from: how they are chosen and read."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from indexer.faults import Fault, Warn
from indexer.generators.published import LANGUAGES, VERSIONS
from indexer.html.articles import Articles, Place
from indexer.html.decoding import MAX_PAGE_BYTES, decode
from indexer.html.page import HtmlPage
from indexer.sources import SourcePage
from indexer.variants import Chosen, Variant


class HtmlPages:
    """A source of pages that are HTML."""

    def __init__(self, original: Callable[[Place, HtmlPage], str]) -> None:
        self.parts: list[tuple[str, Path]] = []
        """Empty: pages as they are served include no others."""
        self.kept = Variant()
        """The language and the version that were preferred; empty where there is but one."""
        self._articles = Articles(original)
        self._before: Counter[str] = Counter()

    @property
    def left_out(self) -> Counter[str]:
        """How many pages were left out, by the reason."""
        return self._before + self._articles.left_out

    @property
    def unpublished(self) -> int:
        """How many of the pages that were read were left out."""
        return self._articles.unread

    def read(self, files: list[tuple[str, Path]], warn: Warn) -> Iterator[SourcePage]:
        """Yield the text of pages; one that cannot be read goes to `warn`."""
        for path, file in files:
            try:
                with file.open("rb") as stream:
                    raw = stream.read(MAX_PAGE_BYTES + 1)
            except OSError as error:
                warn(Fault(path, 0, f"cannot be read ({error.strerror}); left out"))
                continue
            yield SourcePage(path, text_of(path, raw, self._charset(path), warn))

    def _charset(self, path: str) -> str:
        """Return the encoding that a page came with; empty where it came without one."""
        return ""

    def _take(self, chosen: Chosen) -> Sequence[str]:
        """Return the paths that were chosen, and note what was left out for them."""
        self.kept = chosen.kept
        self._before[LANGUAGES], self._before[VERSIONS] = chosen.languages, chosen.versions
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
