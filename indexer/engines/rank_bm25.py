"""rank-bm25 as an engine: every passage is scored in memory, with nothing to install or to write.

The time of a query grows with the number of passages; see `docs/growing.md`.
"""

from collections.abc import Sequence

import numpy as np

from indexer.bm25 import Bm25
from indexer.engines.engine import Found, Material, Ranks


class RankBm25:
    """Scores all passages and sorts them."""

    def __init__(self, material: Material, ranks: Ranks) -> None:
        self._bm25 = Bm25(material.documents, material.k1, material.b)
        self._ranks = ranks

    def known(self, terms: Sequence[str]) -> list[str]:
        """Return the terms that some passage holds, each once, in their order."""
        return self._bm25.known(terms)

    def best(self, terms: Sequence[str], limit: int) -> Found:
        """Return at most `limit` places with scores above zero, best first; ties go by rank."""
        scores = self._bm25.scores(terms)
        order = np.lexsort((self._ranks, -scores))[:limit]
        return [(int(at), float(scores[at])) for at in order if scores[at] > 0]

    def shares(self, terms: Sequence[str], place: int) -> list[tuple[str, float]]:
        """Return what each term adds to the score of one passage, largest first."""
        return self._bm25.shares(terms, place)
