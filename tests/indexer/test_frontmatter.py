import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.frontmatter import read_front_matter

DAY = datetime.date(2024, 5, 7)


@pytest.mark.parametrize(
    ("text", "values", "end", "fault_line"),
    [
        ("---\ntitle: T\ndate: 2024-05-07\n---\nx", {"title": "T", "date": DAY}, 4, 0),
        ("---\na: Off\nb: yes\nc: Trues\n---", {"a": "Off", "b": "yes", "c": "Trues"}, 5, 0),
        ("---\na: true\nb: False\n---", {"a": True, "b": False}, 4, 0),
        ("---\n---\nx", {}, 2, 0),
        ("no front matter\n---", {}, 0, 0),
        ("", {}, 0, 0),
        ("---\ntitle: T\n\nnever closed", {}, 0, 1),
        ("---\na: b\ntitle: K: v\n---\nx", {"a": "b", "title": "K: v"}, 4, 3),
        ("---\n- a\n- b\n---\nx", {}, 4, 2),
        ("---\ndate: 2024-99-99\ntitle: T\n---", {"date": "2024-99-99", "title": "T"}, 4, 2),
        ("---\n" + "[" * 5000 + "\n---", {}, 0, 2),
        ("---\nProse between rules.\n---\nx", {}, 0, 2),
        ("---\n\n---\nx", {}, 3, 0),
        ('+++\ntitle = "T"\ndate = 2024-05-07\n+++\nx', {"title": "T", "date": DAY}, 4, 0),
        ('+++\ntitle = "T"\na = = b\n+++\nx', {"title": "T", "a": "= b"}, 4, 3),
        ("+++\n+++\nx", {}, 2, 0),
        ('+++\ntitle = "T"\nx', {}, 0, 1),
        ('{\n"title": "T"\n}\nx', {"title": "T"}, 3, 0),
        ('{"title": "T"}\nx', {"title": "T"}, 1, 0),
        ('{"title": "T", }\nx', {}, 0, 1),
        ('{"a": 1} is how the text begins', {}, 0, 0),
        ("{{< tag >}}", {}, 0, 0),
        ('---json\n{"title": "T"}\n---\nx', {"title": "T"}, 3, 0),
        ('---toml\ntitle = "T"\n---\nx', {"title": "T"}, 3, 0),
    ],
)  # fmt: skip
def test_front_matter_gives_its_values_its_length_and_the_line_of_a_fault(
    text, values, end, fault_line
):
    front = read_front_matter(text.split("\n"))
    assert (front.values, front.end, front.fault_line) == (values, end, fault_line)
    assert bool(front.fault) == bool(fault_line)


@given(st.text())
def test_no_text_makes_it_fail(text):
    lines = ["---", *text.split("\n"), "---"]
    assert 0 <= read_front_matter(lines).end <= len(lines)
