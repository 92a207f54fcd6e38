"""An article -> passages: what search finds, a model reads, and an answer cites.

Passages follow the headings and tile the article. Knows no terms and no scores.
"""

from itertools import pairwise

from indexer.articles import Article
from indexer.blocks import Block
from indexer.drafts import Draft, merge_small
from indexer.passages import Passage
from indexer.pieces import pieces
from indexer.sections import sections
from indexer.settings import Sizes


def cut(article: Article, sizes: Sizes) -> list[Passage]:
    """Cut an article into passages, in its order; an article without blocks gives none."""
    drafts = [
        Draft(section, number, piece)
        for section in sections(article.blocks)
        for number, piece in enumerate(pieces(section.blocks, sizes), 1)
    ]
    return [_passage(article, draft) for draft in merge_small(drafts, sizes)]


def _passage(article: Article, draft: Draft) -> Passage:
    section, blocks = draft.section, draft.piece.blocks
    name = section.name if draft.number == 1 else f"{section.name}--{draft.number}"
    return Passage(
        id=f"{article.slug}#{name}",
        article=article.slug,
        title=article.title,
        url=f"{article.url}#{section.anchor}" if section.anchor else article.url,
        headings=section.headings,
        text=_source(blocks),
        source=article.source,
        first_line=article.line(blocks[0].first_line),
        last_line=article.line(blocks[-1].last_line),
        words=draft.piece.words,
        language=article.language,
        below=_below(section.headings, blocks),
    )


def _below(
    path: tuple[str, ...], blocks: tuple[Block, ...]
) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """Return where another heading path begins, in words of the text, and which."""
    found, words = [], 0
    for block in blocks:
        if block.headings != path:
            path = block.headings
            found.append((words, path))
        words += len(block.text.split())
    return tuple(found)


def _source(blocks: tuple[Block, ...]) -> str:
    """Return the blocks' lines with the blank lines that lay between them."""
    parts = [blocks[0].text]
    for before, block in pairwise(blocks):
        # Parts of one line that was too long lie no line apart.
        parts += ["\n" * (block.first_line - before.last_line) or " ", block.text]
    return "".join(parts)
