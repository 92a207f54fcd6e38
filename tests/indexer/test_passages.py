from pathlib import Path

import pytest

from indexer.blocks import read_blocks
from indexer.index import Index

ARTICLES = Path(__file__).parents[2] / "corpus" / "articles"


def test_every_word_of_the_sample_site_stands_where_its_article_says(sample):
    """Held against the parse of the whole page, which knows what stands above a passage."""
    pages = {}
    for passage in sample.passages:
        if passage.source not in pages:
            text = (ARTICLES / passage.source).read_text("utf-8")
            head = text.index("\n---\n", 3) + 5
            first = text.count("\n", 0, head) + 1
            pages[passage.source] = {
                line: block.headings
                for block in read_blocks(text[head:], first)
                for line in range(block.first_line, block.last_line + 1)
            }
        word = 0
        for number, line in enumerate(passage.text.split("\n"), passage.first_line):
            if line.split():
                assert passage.headings_at(word) == pages[passage.source][number], passage.id
            word += len(line.split())


def test_a_hit_names_the_heading_of_its_snippet_also_when_it_was_stored(folder, tmp_path):
    page = f"## One\n\n{'word ' * 60}\n\n### Two\n\nzebra {'more ' * 60}"
    built, _ = Index.build(folder({"a.md": page}))
    built.save(tmp_path / "stored")
    for index in (built, Index.load(tmp_path / "stored")):
        for query, headings in (("zebra", ("One", "Two")), ("word", ("One",))):
            [hit] = index.search(query)
            assert (hit.passage.headings, hit.headings) == (("One",), headings)


@pytest.mark.parametrize(
    ("page", "headings"),
    [
        ("lead\n\n## One\n\nzebra", ("One",)),
        ("# One\n\nx\n\n### Two\n\ny\n\n## Three\n\nzebra", ("One", "Three")),
        ("One\n===\n\nx\n\nTwo\n---\n\nzebra", ("One", "Two")),
        ("## One\n\n```\n# no heading\n```\n\nzebra", ("One",)),
    ],
)
def test_levels_and_fences_are_read_as_markdown_has_them(folder, page, headings):
    index, _ = Index.build(folder({"a.md": page}))
    [passage] = index.passages
    assert passage.headings_at(len(passage.text.split()) - 1) == headings
