"""Boxes: their lines go, their titles and texts stay."""

import pytest

from indexer.generators.docusaurus import DOCUSAURUS
from indexer.generators.vitepress import VITEPRESS
from indexer.markup.clean import clean

CASES = {
    "a title that is bold in part": ("::: info **Bold** `a**b`\nc\n:::", "**Bold `a**b`**\nc\n"),
    "a comment that ends with a box": (
        "<!-- ::: tip hidden\nx\n::: -->\n## After comment\nVisible.\n<!-- later -->",
        "\n\n\n## After comment\nVisible.\n",
    ),
    "a comment within a box": ("::: tip\n<!-- a\n::: -->\nb\n:::", "**Tip**\n\n\nb\n"),
}


@pytest.mark.parametrize("generator", [VITEPRESS, DOCUSAURUS], ids=lambda each: each.name)
@pytest.mark.parametrize(("text", "left"), CASES.values(), ids=CASES)
def test_what_is_left_of_a_box(text, left, generator):
    assert clean(text, generator.markup)[0] == left
