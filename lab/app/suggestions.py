"""Questions and queries to begin with: the sample site's, or some that any site suggests."""

from __future__ import annotations

from collections.abc import Sequence

from indexer.index import Index
from lab import places
from lab.wording import one_line

DEFAULT_QUESTION = "How much KV cache does Llama 3.1 8B need for one 32K-token conversation?"
EXAMPLES = (
    "What limits the step size in a narrow valley?",
    "Why is the whole conversation sent again at every step of an agent?",
    "How large a sample does an A/B test need?",
    "What fraction of memory did PagedAttention find in use?",
    "What is 2^10 * 1.5?",
)
KNOWN = (
    DEFAULT_QUESTION,
    "How many bytes does llama.cpp use for a block of 256 weights in the Q6_K format?",
    "How many years does an asteroid with a semi-major axis of 2.77 AU take to go round the Sun?",
    "How many MiB do the token masks of a 1,200-state automaton take with the Llama 3 vocabulary?",
    "If I do not set it, what decay coefficient does torch.optim.AdamW apply?",
)
"""Of the sample site, to which the answer is known, so that runs can be judged."""
QUERIES = ("KV cache size per token", "step size in a narrow valley", "sample size of an A/B test")
_LONGEST = 80
"""Characters of a title that makes an example."""
_FEW = 3


def first() -> str:
    """What stands in the question box of a newcomer; nothing where the site is their own."""
    return DEFAULT_QUESTION if places.is_sample() else ""


def examples(index: Index) -> Sequence[str]:
    """Questions to try."""
    if places.is_sample():
        return EXAMPLES
    return [f"What is there about {title}?" for title in titles(index)]


def known() -> Sequence[str]:
    """Questions to which the answer is known."""
    return KNOWN if places.is_sample() else ()


def queries(index: Index) -> Sequence[str]:
    """Words to search for."""
    return QUERIES if places.is_sample() else titles(index)


def titles(index: Index) -> list[str]:
    """A few different titles of its articles, none of them long, from all over the site."""
    count = len(index.passages)
    heads = (index.passages[count * at // 16] for at in range(1, 16))
    found = dict.fromkeys(one_line(head.title) for head in heads)
    return [title for title in found if 0 < len(title) <= _LONGEST][:_FEW]
