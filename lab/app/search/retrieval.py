"""How well the search finds what the site's questions need, as HTML: measures, then the questions.

Knows an evaluation and its questions; not how either came about.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise
from urllib.parse import urlencode

from indexer.evaluate import RECALL_AT, Evaluation
from indexer.measures import Estimate
from indexer.questions import Question
from lab.app import state
from lab.html.line import line_html

MISSED = f"⚠ Missed: not among the first {RECALL_AT[-1]}"
_FOUND = {
    k: f"✓ At rank {k}" if before == k - 1 else f"✓ At rank {before + 1} to {k}"
    for before, k in pairwise((0, *RECALL_AT))
}
GROUPS = (MISSED, *reversed(_FOUND.values()))
"""Worst first."""


def measures_html(found: Evaluation) -> str:
    """Recall and MRR with their intervals."""
    named = {f"recall@{k}": each for k, each in found.recall.items()} | {"MRR": found.mrr}
    rows = "".join(_measure_html(name, each) for name, each in named.items())
    head = "<th>measure</th><th>mean</th><th>95 % interval</th><th></th>"
    return (
        f"<table class='lab-measures'><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    )


def _measure_html(name: str, of: Estimate) -> str:
    width = max(of.high - of.low, 0.005)
    return (
        f"<tr><th>{name}</th><td>{of.value:.3f}</td><td>{of.low:.3f} to {of.high:.3f}</td>"
        f"<td><span class='lab-range' aria-hidden='true'>"
        f"<i style='left:{of.low:.1%};width:{width:.1%}'></i>"
        f"<b style='left:{of.value:.1%}'></b></span></td></tr>"
    )


def questions_html(found: Evaluation, questions: Sequence[Question]) -> str:
    """The questions in groups by the rank of their evidence, the missed ones first and open."""
    measured = [question for question in questions if question.id in found.ranks]
    groups: dict[str, list[Question]] = {name: [] for name in GROUPS}
    for question in measured:
        groups[group_of(found.ranks[question.id])].append(question)
    parts = [
        f"<details{' open' if name == MISSED else ''}><summary>{name} "
        f"<span>{len(inside)} of {len(measured)}</span></summary>"
        f"<ul>{''.join(_question_html(each, found.ranks[each.id]) for each in inside)}</ul>"
        "</details>"
        for name, inside in groups.items()
        if inside
    ]
    return f"<div class='lab-passages lab-questions'>{''.join(parts)}</div>"


def group_of(rank: int | None) -> str:
    """The group of a rank: the narrowest it is within."""
    for k in RECALL_AT:
        if rank is not None and rank <= k:
            return _FOUND[k]
    return MISSED


def _question_html(question: Question, rank: int | None) -> str:
    """A question that leads to its search, and the sections it needs."""
    address = escape(f"?{urlencode({state.QUERY: question.question})}")
    wanted = "; ".join(f"{each.article}: {each.heading}" for each in question.evidence)
    at = "not among 100" if rank is None else f"rank {rank}"
    return (
        f"<li><a href='{address}' target='_self'>{line_html(question.question)}</a>"
        f"<span>{at} · needs {line_html(wanted)}</span></li>"
    )
