"""HTML in Markdown: what a reader sees stays, where it can be told from Markdown's own signs."""

import pytest

from indexer.generators.plain import PLAIN
from indexer.markup.clean import clean

CASES = {
    "a row of cells on lines of their own": (
        "<tr>\n  <td>a</td>\n  <td>b</td>\n</tr>\nc",
        "a | b \n\n\n\nc",
    ),
    "a row whose cells hold lines": (
        "<tr>\n<td>\na\n\nb\n</td>\n<td>c</td>\n</tr>",
        "\n\na\n\nb\n\nc\n",
    ),
    "a sign after a tag": ("<th># of columns</th>", "\\# of columns"),
    "a number after a tag": ("<td>1. a</td>", "1\\. a"),
    "a sign that no tag stands before": ("- <b>a</b>\n# <i>b</i>", "- a\n# b"),
    "a heading": ("<h2>a</h2>", "## a"),
}


@pytest.mark.parametrize(("text", "left"), CASES.values(), ids=CASES)
def test_what_is_left_of_html(text: str, left: str) -> None:
    assert clean(text, PLAIN.markup)[0] == left
