"""A source page -> its front matter and its body as lines, whatever kind of file it is.

Does not know what the front matter means, nor what stands in the lines.
"""

from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from indexer.frontmatter import FrontMatter, ReadFront, read_front_matter
from indexer.markup.notebook import cells_as_lines
from indexer.markup.rst import as_markdown
from indexer.sources import SourcePage

_RST = (".rst", ".rest", ".txt")
"""Pages of the last kind are Sphinx's alone, where a site says so."""


@dataclass(frozen=True, slots=True)
class Body:
    """What a page holds, as Markdown."""

    front: FrontMatter
    """What stands at its top."""
    lines: list[str]
    """Those that follow."""
    numbers: list[int]
    """Of each, the 1-based line of the file."""
    suffix: str
    """Of the file, in lower case."""
    top: tuple[str, ...] = ()
    """The lines of the front matter."""

    def led_by(self, texts: list[str]) -> "Body":
        """Return the body after texts of the front matter, each a paragraph.

        The line of each is the one that says it, or else that of the text before.
        """
        lines, numbers, at = list[str](), list[int](), 0
        for text in texts:
            begin = text.strip("*")[:_BEGINNING]
            at = next((n for n in range(at, len(self.top)) if begin in self.top[n]), at)
            lines += [text, ""]
            numbers += [at + 1] * 2
        return replace(self, lines=lines + self.lines, numbers=numbers + self.numbers)


_BEGINNING = 20
"""So many characters of a text tell the line it begins in."""


def read_body(page: SourcePage, read_front: ReadFront = read_front_matter) -> Body:
    """Return front matter and body of a page; never fails."""
    suffix = PurePosixPath(page.path).suffix.lower()
    lines = page.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    numbers = list(range(1, len(lines) + 1))
    if suffix == ".ipynb":
        if (cells := cells_as_lines(lines)) is None:
            return Body(FrontMatter({}, 0, 1, "is no notebook that can be read"), [], [], suffix)
        lines, numbers = cells
    elif suffix in _RST:
        lines = as_markdown(lines)
    front = read_front(lines)
    top = tuple(lines[: front.end])
    return Body(front, lines[front.end :], numbers[front.end :], suffix, top)
