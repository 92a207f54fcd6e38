"""BM25 over lists of terms, by rank-bm25 with an idf that is never zero or below.

Knows positions and terms; not what stands at a position.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from indexer.term_lines import TermLines

K1 = 1.2
"""How slowly a term's repetitions saturate."""
B = 0.4
"""How strongly length is corrected, 0 to 1; little, since passages are cut to be of like length."""


def idf(documents: int, holding: int) -> float:
    """Return ln(1 + (N - n + 0.5) / (n + 0.5)) for N documents of which n hold a term.

    Source: Lucene's BM25Similarity.
    """
    return math.log(1 + (documents - holding + 0.5) / (holding + 0.5))


class Bm25(BM25Okapi):  # type: ignore[misc]  # rank-bm25 has no types
    """BM25Okapi with the idf of Lucene.

    rank-bm25's own falls to zero where half the documents hold a term, which on a small site loses
    hits.
    """

    def __init__(self, documents: TermLines, k1: float = K1, b: float = B) -> None:
        super().__init__(documents, k1=k1, b=b)
        # Where no document holds a term, there is no mean length to divide by.
        self.avgdl: float = self.avgdl or 1.0

    def _calc_idf(self, nd: dict[str, int]) -> None:
        self.idf = {term: idf(self.corpus_size, n) for term, n in nd.items()}

    def known(self, terms: Sequence[str]) -> list[str]:
        """Return the terms that some document holds, each once, in their order."""
        return [term for term in dict.fromkeys(terms) if term in self.idf]

    def scores(self, terms: Sequence[str]) -> NDArray[np.float64]:
        """Return the score of every document, shape (documents,)."""
        scores: NDArray[np.float64] = self.get_scores(self.known(terms))
        return scores

    def shares(self, terms: Sequence[str], position: int) -> list[tuple[str, float]]:
        """Return what each term adds to the score of one document, largest first."""
        known = self.known(terms)
        shares = [(term, self.get_batch_scores([term], [position])[0]) for term in known]
        return sorted(
            (pair for pair in shares if pair[1] > 0), key=lambda pair: (-pair[1], pair[0])
        )
