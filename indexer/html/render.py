"""The article's part of a page -> blocks, written as Markdown.

Every line keeps the number of the line of the file it is from. Knows no files.
"""

import re
from dataclasses import dataclass, replace

from selectolax.lexbor import LexborNode

from indexer.blocks import Block
from indexer.html.anchors import anchor_of
from indexer.html.boilerplate import Content
from indexer.html.elements import (
    BLOCKS,
    CODE,
    HEADINGS,
    holds_data,
    is_classifier,
    language,
    raised,
)
from indexer.html.lines import Flow, Line, Verbatim
from indexer.html.meant import begins_row, is_between_lines, read_as
from indexer.html.table import Table
from indexer.html.walk import Step, walk

_HEADING_CHARS = 300
_LONGEST_MARKER = 9


@dataclass(frozen=True, slots=True)
class Rendered:
    """An article as blocks."""

    blocks: tuple[Block, ...]
    """Their lines are counted in the text that they make up."""
    lines: tuple[int, ...]
    """The line of the file for each of these."""


class Renderer:
    """Goes through an article once, and writes blocks as they end."""

    def __init__(self) -> None:
        self._read_as: dict[int, str] = {}
        self._blocks: list[Block] = []
        self._lines: list[int] = []
        self._path: list[tuple[int, str]] = []
        self._flow = Flow()
        self._code: Verbatim | None = None
        self._spans = 0
        self._table: Table | None = None
        self._group: list[Line] | None = None
        self._kind, self._opener = "", 0
        self._indents: list[str] = []
        self._outer = 0
        self._marker = ""
        self._lists: list[int | None] = []

    def render(self, content: Content) -> Rendered:
        """Return the blocks of an article."""
        self._read_as = read_as(content.root)
        for step in walk(content.root, content.instead):
            if step.kind == "text":
                if not self._code:
                    self._flow.add(step.text, step.line)
                elif not (self._read_as and is_between_lines(step.node)):
                    self._code.add(step.text, step.line)
            elif step.kind == "start":
                self._start(step)
            else:
                self._end(step)
        self._flush()
        self._end_group()
        return Rendered(tuple(self._blocks), tuple(self._lines))

    def _tag(self, node: LexborNode) -> str:
        return self._read_as.get(node.mem_id) or node.tag or ""

    def _start(self, step: Step) -> None:
        node, tag = step.node, self._tag(step.node)
        if self._code:
            if tag == "br":
                self._code.add("\n", step.line)
            return
        if tag in BLOCKS:
            self._flush(step.line)
        if self._table and tag in ("tr", "td", "th"):
            if tag == "tr" or begins_row(node):
                self._table.row(step.line)
            self._flow.take()
        elif tag in HEADINGS:
            self._end_group()
        elif tag == "pre":
            self._code = Verbatim()
        elif tag == "table":
            if self._table is None and holds_data(node):
                self._table = Table()
        elif tag in ("ul", "ol", "dl"):
            start = node.attributes.get("start") or "1"
            number = int(start) if start.isdecimal() and len(start) < _LONGEST_MARKER else 1
            self._lists.append(number if tag == "ol" else None)
        elif tag in ("li", "dt", "dd", "blockquote") and not self._table:
            self._start_item(node, tag)
        else:
            self._start_inline(node, tag, step.line)

    def _start_item(self, node: LexborNode, tag: str) -> None:
        if self._group is None or (tag == "dt" and self._kind == "dl" and len(self._lists) < 2):
            self._end_group()
            self._group, self._opener = [], node.mem_id
            self._outer = len(self._indents)
            self._kind = {"blockquote": "quote", "dt": "dl", "dd": "dl"}.get(tag, "list")
        marker = {"blockquote": "> ", "dt": "", "dd": "  "}.get(tag, "- ")
        if tag == "li" and self._lists and (number := self._lists[-1]) is not None:
            marker = f"{number}. "
            self._lists[-1] = number + 1
        self._marker = marker
        self._indents.append(marker if tag == "blockquote" else " " * len(marker))

    def _start_inline(self, node: LexborNode, tag: str, line: int) -> None:
        if tag == "br":
            self._flow.add("\n", line)
        elif tag in CODE:
            self._spans += 1
            if self._spans == 1:  # one within another is shown as one
                self._flow.open("`", line)
        elif tag == "span" and is_classifier(node) and self._flow.ends_in_word():
            self._flow.add(" : ", line)
        elif tag == "q":
            self._flow.add('"', line)
        elif tag == "img":
            self._flow.add(node.attributes.get("alt") or "", line)
        elif tag == "sup" and ((mark := raised(node)[0]) != "^" or self._flow.ends_in_word()):
            self._flow.add(mark, line)
        elif tag == "note":
            self._flow.add("[", line)
        elif tag == "beside":
            self._flow.add(" ", line)

    def _end(self, step: Step) -> None:
        node, tag = step.node, self._tag(step.node)
        if self._code:
            if tag == "pre":
                self._end_code(node, step.line)
            elif tag in BLOCKS:
                self._code.end_line(step.line)
            return
        if self._table and tag in ("td", "th"):
            self._end_cell(node, tag, step.line)
        elif self._table and tag == "caption":
            self._write("paragraph", self._flow.take())
        elif tag in HEADINGS:
            self._end_heading(node, int(tag[1]))
        elif tag in BLOCKS:
            self._flush(step.line)
        if tag == "table" and self._table and holds_data(node):
            lines, self._table = self._table.lines(), None
            self._write("table", lines)
        elif tag in ("ul", "ol", "dl") and self._lists:
            self._lists.pop()
        elif tag in ("li", "dt", "dd", "blockquote") and not self._table:
            self._end_item(node, tag)
        else:
            self._end_inline(node, tag, step.line)
        if tag == "dl" and self._kind == "dl" and not self._lists:
            self._end_group()

    def _end_inline(self, node: LexborNode, tag: str, line: int) -> None:
        if tag in CODE:
            self._spans -= 1
            if not self._spans:
                self._flow.close("`", line)
        elif tag == "q":
            self._flow.add('"', line)
        elif tag == "sup":
            self._flow.add(raised(node)[1], line)
        elif tag == "note":
            self._flow.add("]", line)

    def _end_item(self, node: LexborNode, tag: str) -> None:
        if self._indents:
            self._indents.pop()
        self._marker = ""
        if node.mem_id == self._opener and tag not in ("dt", "dd"):
            self._end_group()

    def _end_cell(self, node: LexborNode, tag: str, line: int) -> None:
        cell = self._flow.take_one()
        said = node.attributes
        spans = said.get("colspan") or "", said.get("rowspan") or ""
        if self._table:
            end = cell.end if cell else line
            self._table.cell(cell.text if cell else "", tag == "th", *spans, end)

    def _end_code(self, node: LexborNode, line: int) -> None:
        lines = self._code.take() if self._code else []
        self._code = None
        if self._table:
            for each in lines:
                self._flow.add(f"{each.text} ", each.number)
            return
        if lines:
            longest = max(
                (len(m) for each in lines for m in re.findall("`+", each.text)), default=0
            )
            fence = "`" * max(3, longest + 1)
            opening = Line(fence + language(node), lines[0].number)
            self._write("code", [opening, *lines, Line(fence, lines[-1].number)])

    def _end_heading(self, node: LexborNode, level: int) -> None:
        line = self._flow.take_one()
        name = line.text[:_HEADING_CHARS].strip() if line else ""
        if not line or not name:
            return
        plain = " ".join(name.replace("`", "").split())
        self._path = [each for each in self._path if each[0] < level] + [(level, plain)]
        self._emit("heading", [Line(f"{'#' * level} {name}", line.number)], anchor_of(node))

    def _flush(self, line: int = 0) -> None:
        if self._table:
            self._flow.add(" ", line)
        elif lines := self._flow.take():
            self._write("paragraph", lines)

    def _write(self, kind: str, lines: list[Line]) -> None:
        """Write lines as a block, or into the list item or quote that is open."""
        if self._group is None:
            self._emit(kind, lines, "")
            return
        for each in lines:
            indents = self._indents[self._outer :]
            if self._marker and indents:
                indents[-1], self._marker = self._marker, ""
            text = f"{''.join(indents)}{each.text}" if each.text else ""
            self._group.append(replace(each, text=text))

    def _end_group(self) -> None:
        group, kind, self._group, self._kind = self._group, self._kind, None, ""
        self._opener, self._marker = 0, ""
        if group:
            self._emit("list" if kind == "dl" else kind, group, "")

    def _emit(self, kind: str, lines: list[Line], anchor: str | None) -> None:
        if not lines:
            return
        if self._lines and not (kind == "list" and self._blocks[-1].kind == "list"):
            self._lines.append(self._lines[-1])
        first = len(self._lines) + 1
        self._lines += [lines[0].number, *(each.end for each in lines[1:])]
        text = "\n".join(each.text for each in lines)
        names = tuple(name for _, name in self._path)
        self._blocks.append(Block(kind, text, names, first, len(self._lines), anchor))
