"""How well a search finds what answers a set of questions.

Asks each question as it is written; knows nothing of models or answers.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from indexer.anchors import anchor
from indexer.collection import Judged
from indexer.errors import QuestionsError
from indexer.index import Hit, Index
from indexer.measures import Estimate, estimate, found, ndcg, reciprocal_rank
from indexer.passages import Passage
from indexer.questions import Question

DEPTH = 100
"""Ranks looked at; a relevant passage further down counts as not found."""
RECALL_AT = (1, 3, 5, 10)
MISSED_BELOW = 5
"""A question is a miss where no passage among this many is relevant."""


class Searcher(Protocol):
    """What is measured: an index, or something that searches one in its own way."""

    def search(self, query: str, limit: int) -> Sequence[Hit]:
        """Return at most `limit` hits, best first."""


@dataclass(frozen=True, slots=True)
class Miss:
    """A question whose evidence did not come up."""

    id: str
    """Of the question."""
    question: str
    """The query."""
    wanted: tuple[str, ...]
    """Ids of the relevant passages."""
    found: tuple[str, ...]
    """Ids of the first hits."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Measures over all questions that have evidence."""

    n: int
    """Questions measured."""
    left_out: int
    """Questions without evidence, which no search can be measured by."""
    recall: dict[int, Estimate]
    """By k: the share of questions with a passage of any evidence section among the first k."""
    mrr: Estimate
    """Mean reciprocal rank of the first passage of an evidence section."""
    ndcg: Estimate
    """nDCG at 10; every passage of every evidence section is relevant, with gain 1."""
    misses: tuple[Miss, ...]
    """Questions with no passage of an evidence section among the first 5."""
    ranks: dict[str, int | None]
    """By question id: the rank of the first passage of an evidence section; None below 100."""

    def as_dict(self) -> dict[str, Any]:
        """Return `n`, `misses` and the measures, each with `value`, `low` and `high`."""
        measures = {f"recall@{k}": asdict(each) for k, each in self.recall.items()}
        measures |= {"mrr": asdict(self.mrr), "ndcg@10": asdict(self.ndcg)}
        return {"n": self.n, **measures, "misses": [asdict(miss) for miss in self.misses]}


def evaluate(
    index: Index, questions: Iterable[Question], searcher: Searcher | None = None
) -> Evaluation:
    """Search for each question and see where the passages of its evidence sections rank.

    Recall at k is success at k: one passage of one evidence section is enough, also where an
    answer needs several. A passage is of a section if it stands under its heading or holds it.
    Raises QuestionsError where no question has evidence, or evidence that no passage holds.
    """
    asked = list(questions)
    measured = [question for question in asked if question.evidence]
    if not measured:
        raise QuestionsError("No question has evidence. Name article and heading of the sections.")
    judged = [
        Judged(question.id, question.question, frozenset(wanted))
        for question, wanted in zip(measured, _relevant(index, measured), strict=True)
    ]
    return measure(searcher or index, judged, left_out=len(asked) - len(measured))


def measure(searcher: Searcher, judged: Sequence[Judged], left_out: int = 0) -> Evaluation:
    """Search for each query and see where the passages that answer it rank."""
    hits = [[hit.passage.id for hit in searcher.search(each.query, DEPTH)] for each in judged]
    rankings = [[id in each.relevant for id in ids] for ids, each in zip(hits, judged, strict=True)]
    return Evaluation(
        n=len(judged),
        left_out=left_out,
        recall={k: estimate([found(ranking, k) for ranking in rankings]) for k in RECALL_AT},
        mrr=estimate([reciprocal_rank(ranking) for ranking in rankings]),
        ndcg=estimate(
            [ndcg(r, len(each.relevant), 10) for r, each in zip(rankings, judged, strict=True)]
        ),
        misses=tuple(
            Miss(each.id, each.query, tuple(sorted(each.relevant)), tuple(ids[:MISSED_BELOW]))
            for each, ids in zip(judged, hits, strict=True)
            if not each.relevant.intersection(ids[:MISSED_BELOW])
        ),
        ranks={
            each.id: ranking.index(True) + 1 if True in ranking else None
            for each, ranking in zip(judged, rankings, strict=True)
        },
    )


def _relevant(index: Index, questions: Sequence[Question]) -> list[set[str]]:
    """Return for each question the ids of the passages of its evidence sections."""
    by_section: dict[tuple[str, str], set[str]] = {}
    for passage in index.passages:
        for heading in _headings(passage):
            by_section.setdefault((passage.article, anchor(heading)), set()).add(passage.id)
    relevant = []
    for question in questions:
        for each in question.evidence:
            # By anchor, since a question may write a heading with its markup or without.
            if (each.article, anchor(each.heading)) not in by_section:
                raise QuestionsError(
                    f"Question {question.id}: no section `{each.heading}` in the article "
                    f"`{each.article}`. Correct its evidence."
                )
        sections = [by_section[each.article, anchor(each.heading)] for each in question.evidence]
        relevant.append(set().union(*sections))
    return relevant


def _headings(passage: Passage) -> set[str]:
    """Return the headings a passage stands under, and those it holds."""
    return set(passage.headings).union(*(path for _, path in passage.below))
