"""Markdown -> blocks: paragraphs, list items, tables, fences, formulas, each under its headings.

Blocks tile the text: every line that is not blank is in exactly one. Knows no files and no sizes.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_KINDS = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "list_item_open": "list",
    "table_open": "table",
    "fence": "code",
    "code_block": "code",
    "math_block": "formula",
    "math_block_label": "formula",
    "blockquote_open": "quote",
    "html_block": "html",
    "hr": "rule",
    "footnote_reference_open": "footnote",
}
_LISTS = ("bullet_list_open", "ordered_list_open")
_HEADING_CHARS = 300
"""A heading's text ends here: it is repeated for every passage under it."""
_MARKUP = re.compile(r"[\\`*_\[\]<>&!$]")


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of source lines that belong together."""

    kind: str
    """heading, paragraph, list (one item), table, code, formula, quote, html, rule, footnote or
    definition (lines that show nothing themselves, such as the target of a reference link)."""
    text: str
    """The source lines as written."""
    headings: tuple[str, ...]
    """Plain text of the headings it stands under, outermost first; a heading's own comes last."""
    first_line: int
    """1-based line of the file."""
    last_line: int
    """1-based line of the file, inclusive."""
    anchor: str | None = ""
    """The anchor a heading gives itself; empty where that is left to a rule, None where there is
    no anchor."""


def read_blocks(
    text: str, first_line: int = 1, anchors: Mapping[int, str | None] | None = None
) -> tuple[Block, ...]:
    """Return the blocks of a Markdown text whose first line is line `first_line` of its file.

    `anchors` are those that headings give themselves, by their line in the text from 0.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    path: list[tuple[int, str]] = []
    blocks: list[Block] = []
    for kind, start, end, heading in _tiles(text, lines):
        if heading:
            path = [(level, name) for level, name in path if level < heading[0]] + [heading]
        names = tuple(name for _, name in path)
        source = "\n".join(lines[start:end])
        own = anchors.get(start, "") if heading and anchors else ""
        blocks.append(Block(kind, source, names, first_line + start, first_line + end - 1, own))
    return tuple(blocks)


_Tile = tuple[str, int, int, tuple[int, str] | None]


def _tiles(text: str, lines: list[str]) -> Iterator[_Tile]:
    """Yield kind, first line, line after the last, and level and text of a heading."""
    at = 0
    for kind, start, end, heading in _spans(text):
        yield from _trimmed("definition", at, start, None, lines)
        yield from _trimmed(kind, max(at, start), end, heading, lines)
        at = max(at, end)
    yield from _trimmed("definition", at, len(lines), None, lines)


def _trimmed(
    kind: str, start: int, end: int, heading: tuple[int, str] | None, lines: list[str]
) -> Iterator[_Tile]:
    while start < end and not lines[start].strip():
        start += 1
    while end > start and not lines[end - 1].strip():
        end -= 1
    if start < end:
        yield kind, start, end, heading


def _spans(text: str) -> Iterator[_Tile]:
    """Yield the parser's outermost blocks, a list as its items; they may leave gaps."""
    env: dict[str, Any] = {}
    tokens = _block_parser().parse(text, env)
    item_level = -1
    for token, following in zip_longest(tokens, tokens[1:]):
        if token.level == 0:
            item_level = 1 if token.type in _LISTS else -1
        if token.nesting < 0 or token.map is None or token.type in _LISTS:
            continue
        if token.level == 0 or (token.level == item_level and token.type == "list_item_open"):
            heading = None
            if token.type == "heading_open" and following:
                heading = int(token.tag[1:]), _plain(following.content, env)
            yield _KINDS.get(token.type, "paragraph"), token.map[0], token.map[1], heading


def _plain(markdown: str, env: dict[str, Any]) -> str:
    """Return a heading's text without its markup, bounded."""
    markdown = markdown[:_HEADING_CHARS]
    if not _MARKUP.search(markdown):
        return " ".join(markdown.split())
    inline = _inline_parser().parseInline(markdown, env)
    return " ".join("".join(_texts(inline[0].children or [])).split())


def _texts(tokens: "list[Token]") -> Iterator[str]:
    for token in tokens:
        if token.type == "image":
            yield from _texts(token.children or [])
        elif token.type in ("softbreak", "hardbreak"):
            yield " "
        elif token.type != "html_inline":
            yield token.content


@cache
def _inline_parser() -> "MarkdownIt":
    # Imported here: who only searches a saved index does not wait for the parser.
    from markdown_it import MarkdownIt  # noqa: PLC0415
    from mdit_py_plugins.dollarmath import dollarmath_plugin  # noqa: PLC0415
    from mdit_py_plugins.footnote import footnote_plugin  # noqa: PLC0415

    parser = MarkdownIt("commonmark").enable("table")
    return parser.use(footnote_plugin).use(dollarmath_plugin)


@cache
def _block_parser() -> "MarkdownIt":
    """Reads no inline markup: blocks need none, and it is most of the parser's time."""
    parser = _inline_parser.__wrapped__()
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser
