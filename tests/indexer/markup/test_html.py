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
        "<table>\n<tr>\n<td>\na\n\n\t\t<b>b</b>\n</td>\n<td>c</td>\n</tr>\n</table>",
        "\na b | c \n\n\n\n\n\n\n\n",
    ),
    "a table with blank lines": (
        "<table>\n\n\t\t<tr><td>a</td></tr>\n\n</table>\n\n    <b>code</b>",
        "\n\na \n\n\n\n    <b>code</b>",
    ),
    "code in a cell": ("<tr><td>\n\n```\n<b>\n```\n\n</td></tr>", "\n\n```\n<b>\n```\n\n"),
    "a table that is shown": (
        "    <table>\n    <tr><td>a</td>\n    </tr>\n\n    </table>",
        "    <table>\n    <tr><td>a</td>\n    </tr>\n\n    </table>",
    ),
    "what is hidden": (
        'a\n<div class="modal" aria-hidden="true">\n<div><h1>b</h1></div>\n</div>\n# c',
        "a\n\n\n\n# c",
    ),
    "what is hidden and never ends": ('<div aria-hidden="true">a', "a"),
    "a power": ("2<sup>10</sup>, note<sup><a href='#1'>1</a></sup>", "2^10, note1"),
    "an ampersand": ("a &amp; b &amp;c", "a & b \\&c"),
    "a sign after a tag": ("<th># of columns</th>", "\\# of columns"),
    "a number after a tag": ("<td>1. a</td>", "1\\. a"),
    "a sign that no tag stands before": ("- <b>a</b>\n# <i>b</i>", "- a\n# b"),
    "a heading": ("<h2>a</h2>", "## a"),
}


@pytest.mark.parametrize(("text", "left"), CASES.values(), ids=CASES)
def test_what_is_left_of_html(text: str, left: str) -> None:
    assert clean(text, PLAIN.markup)[0] == left
