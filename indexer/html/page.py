"""The text of an HTML page -> what it says of itself, and its article as blocks.

Does not know where the page is from.
"""

import re
from dataclasses import dataclass
from importlib.metadata import version

from selectolax.lexbor import LexborHTMLParser

from indexer.blocks import Block
from indexer.html.boilerplate import Content
from indexer.html.head import Head, read_head
from indexer.html.marked import MOST_DEEP, marked
from indexer.html.render import Renderer

PARSER = f"selectolax {version('selectolax')}"
"""What articles depend on besides the pages."""
_SEPARATORS = (" | ", " — ", " – ", " · ", " • ", " :: ", " » ", " - ")
_NUMBERED = r"(?:\S*\d\S* |[A-Z](?:\.\d+)* )?{}"
"""A heading of a manual, whose name Texinfo writes in parentheses behind that of the page."""
_SCRIPT_MOVES = re.compile(r"location(?:\.href)?\s*=|location\.(?:replace|assign)\s*\(")


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """A page, read."""

    head: Head
    """What it says of itself."""
    title: str
    """Of its article; empty where neither a heading nor the head says one."""
    blocks: tuple[Block, ...]
    """Its article; none where there is no text."""
    lines: tuple[int, ...]
    """The line of the file for each line that the blocks count."""
    moves: bool
    """Whether the page only leads elsewhere."""
    fault: str = ""
    """What is wrong with it; empty where nothing is."""
    fault_line: int = 0
    """1-based line of the file."""


def read_page(text: str, alone: bool = False) -> HtmlPage:
    """Return what a page holds; never fails, whatever the text is.

    `alone`: it is an article without the layout that a site puts around it.
    """
    page = marked(text)
    tree = LexborHTMLParser(page.text)
    head = read_head(tree)
    body = tree.body
    rendered = Renderer().render(Content(tree, body, alone)) if body is not None else None
    blocks = rendered.blocks if rendered else ()
    fault = f"nests more than {MOST_DEEP} elements; left out from here on" if page.cut else ""
    return HtmlPage(
        head=head,
        title=_title(blocks, head),
        blocks=blocks,
        lines=rendered.lines if rendered else (),
        moves=bool(head.moved_to) or (not blocks and bool(_SCRIPT_MOVES.search(text))),
        fault=fault,
        fault_line=page.cut,
    )


def links_of(text: str) -> tuple[Head, list[str]]:
    """Return what a page says of itself, and the addresses that it wants to be followed.

    They are as written. Never fails.
    """
    tree = LexborHTMLParser(marked(text).text)
    found: dict[str, None] = {}
    for node in tree.css("a[href],area[href]"):
        said = node.attributes
        if "nofollow" not in (said.get("rel") or "").lower().split():
            found[(said.get("href") or "").strip()] = None
    return read_head(tree), list(found)


def _title(blocks: tuple[Block, ...], head: Head) -> str:
    """Return the first heading of the outermost level, else the page's title without the site's.

    Where there are several such headings, and the page is not called like the first, they are
    parts of it; where the only one is the site's name, another says what the page is called.
    """
    title, site = _parts(head)
    headings = [b for b in blocks if b.kind == "heading"]
    tops = [b.headings[-1] for b in headings if b.text.startswith("# ")]
    names = [b.headings[-1] for b in headings]
    is_site = bool(tops) and tops[0].casefold() == site.casefold() and title in names
    if tops and not is_site and (len(tops) == 1 or not title or tops[0] in head.title):
        return tops[0]
    bare = title.partition(" (")[0]
    if not tops and bare and any(re.fullmatch(_NUMBERED.format(re.escape(bare)), n) for n in names):
        return bare
    return title or next(iter(names), "")


def _parts(head: Head) -> tuple[str, str]:
    """Return what a page is called, and what its site is, as far as its title says."""
    for separator in _SEPARATORS:
        if separator in head.title:
            first, _, rest = head.title.partition(separator)
            return (rest, first) if first == head.site_name else (first, rest)
    return head.title, head.site_name
