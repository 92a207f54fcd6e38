"""What an index is made of, and what building it reported.

Knows neither how it is built nor how it is kept.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from indexer.faults import Fault
from indexer.passages import Passage
from indexer.settings import Settings
from indexer.site import Site
from indexer.term_lines import TermLines
from indexer.variants import Variant

PLAIN = "plain"
"""What a folder without a generator is called."""

Progress = Callable[[int, int], None]
"""Called after each page with the number of pages read and the number of all."""


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build read and found; the same for the same pages, however many were read anew."""

    pages: int
    """Pages of the site."""
    passages: int
    """Passages cut from them."""
    words: int
    """Words in all passages."""
    faults: tuple[Fault, ...]
    """What was wrong in the pages, in the order it was met."""
    generator: str = PLAIN
    """What the pages are written for."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """How many pages were left out, by the reason; see `indexer.generators.published`."""
    kept: Variant = field(default_factory=Variant)
    """Language and version that were preferred to others; empty where there is but one."""
    read: int = field(default=0, compare=False)
    """Pages that were read anew, those left out among them."""
    known: int = field(default=0, compare=False)
    """Pages that were not, since what comes of them was known."""


@dataclass(frozen=True, slots=True)
class Origin:
    """What an index was made from, besides its settings: it stands as long as this is the same."""

    fingerprint: str
    """Of the sources, and of the settings but for engine and meaning; 16 hexadecimal digits."""
    included: tuple[str, ...] = ()
    """The files that pages include, sorted; what they hold is in the fingerprint."""
    day: str = ""
    """The day on which it was made, if some page is yet to be published, or is to expire."""


@dataclass(frozen=True, slots=True)
class Content:
    """What an index is made of."""

    site: Site
    """The site the passages are from."""
    origin: Origin
    """What it was made from."""
    settings: Settings
    """How the passages were made and are weighed."""
    passages: Sequence[Passage]
    """In the order of the articles."""
    terms: TermLines
    """The terms of each passage, title and heading path among them; none where they are in the
    files of an engine."""
    report: BuildReport | None = None
    """What building it reported."""
    languages: tuple[str, ...] = ()
    """Languages of passages that are not in the site's own, sorted."""
