"""A tree of elements -> its start tags, texts and end tags in order, with the line of each.

Does not know what elements mean.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from selectolax.lexbor import LexborNode

from indexer.html.marked import LINE


@dataclass(frozen=True, slots=True)
class Step:
    """One thing met on the way through a tree."""

    kind: Literal["start", "text", "end"]
    """What it is."""
    node: LexborNode
    """The element, or the text."""
    line: int
    """1-based line of the file; for a text that of its first character."""
    text: str = ""
    """Of a text."""


def walk(root: LexborNode, instead: Mapping[int, str]) -> Iterator[Step]:
    """Yield what is in a tree, however deep, without recursion.

    Elements whose id in memory is in `instead` are left out, or replaced by a text.
    """
    node, line = root, 1
    while True:
        if node.is_text_node:
            text = node.text_content or ""
            yield Step("text", node, line, text)
            line += text.count("\n")
        elif node.is_comment_node:
            line += (node.html or "").count("\n")
        elif node.is_element_node:
            first, line = lines_of(node) or (line, line)
            other = instead.get(node.mem_id)
            if other is None:
                yield Step("start", node, first)
                if (child := node.first_child) is not None:
                    node = child
                    continue
                yield Step("end", node, line)
            else:
                if other:
                    yield Step("text", node, line, other)
                line += (node.html or "").count("\n")
        while (following := node.next) is None or node.mem_id == root.mem_id:
            parent = node.parent
            if node.mem_id == root.mem_id or parent is None:
                return
            node = parent
            yield Step("end", node, line)
        node = following


def lines_of(node: LexborNode) -> tuple[int, int] | None:
    """Return the lines on which an element's start tag begins and ends, where it has one."""
    first, _, last = (node.attributes.get(LINE) or "").partition("-")
    return (int(first), int(last)) if first and last else None
