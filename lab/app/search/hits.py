"""Hits and passages as HTML: rank, place, why the score is what it is, and the text in full.

Everything comes from a site and is escaped; passages and their neighbours open in place.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from indexer.index import Hit, Index
from indexer.passages import Passage
from lab.app.search.marking import COLOURS, marked
from lab.html.answer import linked
from lab.html.line import line_html
from lab.wording import one_line, printable


def hits_html(index: Index, query: str, hits: Sequence[Hit]) -> str:
    """The hits as people read them, best first, on one scale."""
    asked = index.query_terms(query)
    known = [term for term in asked if term in hits[0].terms]
    items = "".join(
        f"<li>{_hit_html(index, query, hit, known, hits[0].score)}</li>" for hit in hits
    )
    unknown = ", ".join(term for term in asked if term not in hits[0].terms)
    ignored = f" Ignored, in no passage: {escape(printable(unknown))}."
    return (
        "<p class='lab-note lab-why'>Words count by their stem, in title, headings and text. The "
        f"bar shows what each adds to the score.{ignored if unknown else ''}</p>"
        f"<ol class='lab-hits'>{items}</ol>"
    )


def _hit_html(index: Index, query: str, hit: Hit, known: Sequence[str], top: float) -> str:
    passage, language = hit.passage, hit.language
    place = marked(place_of(passage), known, language)
    snippet = marked(one_line(hit.snippet), known, language)
    around = "".join(
        _neighbour_html(name, index.get(id), known, language)
        for name, id in zip(("Before", "After"), index.neighbours(passage.id), strict=True)
        if id
    )
    return (
        f"<h4 dir='auto'>{place}</h4>"
        f"{shares_html(index.explain(query, passage.id), known, hit.score, top)}"
        f"<p class='lab-snippet' dir='auto'>{snippet}</p>"
        f"<details><summary>The passage in full <span>{size_of(passage)}</span></summary>"
        f"{passage_html(passage, known, language)}{around}</details>"
    )


def shares_html(
    shares: Sequence[tuple[str, float]], known: Sequence[str], score: float, top: float
) -> str:
    """A score as a stacked bar on the best one's scale, and each term's part in words."""
    bar, words = [], []
    for term, share in shares:
        colour = f"lab-term-{known.index(term) % COLOURS}"
        bar.append(f"<i class='{colour}' style='width:{share / top * 100:.1f}%'></i>")
        name = escape(printable(term))
        words.append(f"<span><i class='{colour}'></i><bdi>{name}</bdi> {share:.2f}</span>")
    return (
        f"<div class='lab-score'><b>score {score:.2f}</b>"
        f"<span class='lab-shares' aria-hidden='true'>{''.join(bar)}</span></div>"
        f"<p class='lab-terms'>{''.join(words)}</p>"
    )


def passage_html(passage: Passage, known: Sequence[str] = (), language: str = "en") -> str:
    """A passage in full, as written, and where it is from."""
    origin = f"{passage.source}, {lines_of(passage)}"
    address = linked(passage, printable(passage.url)) if passage.url else ""
    return (
        f"<pre tabindex='0' dir='auto'>{marked(printable(passage.text), known, language)}</pre>"
        f"<p class='lab-from'><code>{escape(printable(passage.id))}</code>"
        f"<span>{escape(printable(origin))}</span>{address}</p>"
    )


def _neighbour_html(name: str, passage: Passage | None, known: Sequence[str], language: str) -> str:
    if passage is None:
        return ""
    heading = line_html(passage.headings[-1] if passage.headings else passage.title)
    return (
        f"<details><summary>{name}: {heading} <span>{size_of(passage)}</span></summary>"
        f"{passage_html(passage, known, language)}</details>"
    )


def article_html(passages: Sequence[Passage]) -> str:
    """The passages of one article, in its order; each opens in place."""
    rows = "".join(
        f"<details><summary>{line_html(' / '.join(passage.headings) or passage.title)} "
        f"<span>{size_of(passage)}, {lines_of(passage)}</span>"
        f"</summary>{passage_html(passage)}</details>"
        for passage in passages
    )
    return f"<div class='lab-passages'>{rows}</div>"


def place_of(passage: Passage) -> str:
    """Title and headings on one line."""
    return one_line(" / ".join([passage.title, *passage.headings]))


def size_of(passage: Passage) -> str:
    """Its length in words."""
    return f"{passage.words:,} {'word' if passage.words == 1 else 'words'}"


def lines_of(passage: Passage) -> str:
    """Where in its file it stands."""
    first, last = passage.first_line, passage.last_line
    return f"line {first}" if first == last else f"lines {first} to {last}"
