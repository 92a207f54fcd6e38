"""Front matter without fences is read as far as it goes, and text is none."""

import pytest

from indexer.meta_lines import read_meta

CASES = {
    "up to a blank line": ("title: T\nx: 1\n\ny: 2", {"title": "T", "x": "1"}, 2),
    "up to text": ("title: T\nText.", {"title": "T"}, 1),
    "over several lines": ("title: A\n    title\n\nx", {"title": "A title"}, 2),
    "a key twice": ("Tag: a\nTAG: b", {"tag": "a b"}, 2),
    "without a value": ("title:\nx", {"title": ""}, 1),
    "not below the top": ("\ntitle: T", {}, 0),
    "not in a heading": ("# title: T", {}, 0),
    "between fences": ("---\ntitle: T\n---\nx: 1", {"title": "T"}, 3),
    "not after what is never closed": ("---\ntitle: T", {}, 0),
}


@pytest.mark.parametrize(("text", "values", "end"), CASES.values(), ids=CASES)
def test_what_is_read_of_lines_at_the_top(text, values, end):
    front = read_meta(text.split("\n"))
    assert (front.values, front.end) == (values, end)
