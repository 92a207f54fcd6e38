"""All that an index depends on besides the articles. Knows no values but its own."""

import json
from dataclasses import asdict, dataclass, field
from importlib.metadata import version

import Stemmer

from indexer.bm25 import K1, B

FORMAT = 10
"""Goes up whenever the same articles would give another index, or the files look different."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How long passages may be, in words; see `indexer.pieces.count_words`."""

    least: int = 120
    """A section with fewer joins its neighbour."""
    most: int = 280
    """A section with more is cut at block borders; a single block may still be longer."""
    block: int = 600
    """A single block with more is cut too: at line ends, and within a line only if it is alone
    longer."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How articles are cut and weighed."""

    sizes: Sizes = field(default_factory=Sizes)
    """Lengths of passages, in words."""
    title_weight: int = 4
    """How often the title counts among a passage's terms."""
    heading_weight: int = 1
    """How often the heading path counts among them, besides the headings in the text."""
    k1: float = K1
    """See `indexer.bm25`."""
    b: float = B
    """See `indexer.bm25`."""
    engine: str = ""
    """What scores the passages; empty for what suits their number. See `indexer.engines`."""
    semantic: bool = False
    """Whether passages are also found by meaning. See `indexer.semantic`."""

    def as_text(self) -> str:
        """Return the settings, and the versions of what reads text, as one line of JSON."""
        versions = [FORMAT, version("markdown-it-py"), Stemmer.version()]
        return json.dumps([versions, asdict(self)], sort_keys=True)
