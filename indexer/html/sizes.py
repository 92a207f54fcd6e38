"""How much text each element of a page holds, and how much of it is links. Knows no layouts."""

from collections.abc import Mapping
from dataclasses import dataclass

from selectolax.lexbor import LexborNode

from indexer.html.walk import walk


@dataclass(slots=True)
class Size:
    """What an element holds that is seen."""

    chars: int = 0
    """Characters that are not blank."""
    linked: int = 0
    """Of those, the ones in links."""
    links: int = 0
    """Number of links."""

    def add(self, other: "Size") -> None:
        """Count what an element within holds."""
        self.chars += other.chars
        self.linked += other.linked
        self.links += other.links


def sizes(root: LexborNode, instead: Mapping[int, str]) -> dict[int, Size]:
    """Return the size of each element of a tree, by its id in memory, in one pass."""
    found: dict[int, Size] = {}
    open_: list[Size] = []
    for step in walk(root, instead):
        if step.kind == "start":
            open_.append(Size())
        elif step.kind == "text":
            if open_:
                open_[-1].chars += len("".join(step.text.split()))
        else:
            size = open_.pop()
            if step.node.tag == "a" and "href" in step.node.attributes:
                size.linked, size.links = size.chars, 1
            found[step.node.mem_id] = size
            if open_:
                open_[-1].add(size)
    return found
