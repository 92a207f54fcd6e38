"""What an index is made of, and what building it reported.

Knows neither how it is built nor how it is kept.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from indexer.faults import Fault
from indexer.passages import Passage
from indexer.settings import Settings
from indexer.site import Site
from indexer.variants import Variant

PLAIN = "plain"
"""What a folder without a generator is called."""

Progress = Callable[[int, int], None]
"""Called after each page with the number of pages read and the number of all."""


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build read and found."""

    pages: int
    """Pages read."""
    passages: int
    """Passages cut from them."""
    words: int
    """Words in all passages."""
    faults: tuple[Fault, ...]
    """What was wrong in the pages, in the order it was met."""
    seconds: float
    """Time the build took."""
    generator: str = PLAIN
    """What the pages are written for."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """How many pages were left out, by the reason; see `indexer.generators.published`."""
    kept: Variant = field(default_factory=Variant)
    """Language and version that were preferred to others; empty where there is but one."""


@dataclass(frozen=True, slots=True)
class Content:
    """What an index is made of."""

    site: Site
    """The site the passages are from."""
    fingerprint: str
    """Of the sources and settings, 16 hexadecimal digits."""
    settings: Settings
    """How the passages were made and are weighed."""
    passages: Sequence[Passage]
    """In the order of the articles."""
    terms: Sequence[Sequence[str]]
    """The terms of each passage, title and heading path among them; none where they are in the
    files of an engine."""
