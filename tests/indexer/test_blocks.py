import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.blocks import read_blocks

FILE = Path(__file__).parents[1] / "cases" / "blocks.md"
CASES = re.findall(r"^([^\n]+)\n\.\n(.*?)\n\.\n(.*?)\n\.$", FILE.read_text("utf-8"), re.M | re.S)


@pytest.mark.parametrize(("page", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_blocks(page, expected):
    rows = [
        f"{b.kind} {b.first_line}-{b.last_line} {' > '.join(b.headings)}".rstrip()
        for b in read_blocks(page)
    ]
    assert rows == expected.split("\n")


@given(st.text())
def test_blocks_tile_any_text_and_their_lines_are_those_of_the_source(text):
    lines = re.split("\r\n|\r|\n", text)
    held = []
    for block in read_blocks(text):
        numbers = range(block.first_line, block.last_line + 1)
        assert block.text.split("\n") == [lines[n - 1] for n in numbers]
        held += numbers
    assert held == sorted(set(held))
    assert {n for n, line in enumerate(lines, 1) if line.strip()} <= set(held)
