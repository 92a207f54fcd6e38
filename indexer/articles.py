"""A source page -> an article: what its front matter says, its address, and its blocks.

Does not know how articles are cut for search.
"""

import datetime
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from indexer.anchors import Unique
from indexer.blocks import Block, read_blocks
from indexer.bodies import Body, read_body
from indexer.faults import Fault, Warn
from indexer.frontmatter import one_date
from indexer.generators.common import MDX
from indexer.generators.generator import HTML, Config, Generator, Page
from indexer.generators.plain import PLAIN
from indexer.generators.published import EMPTY
from indexer.languages import language_of, said_in
from indexer.markup.clean import clean
from indexer.markup.includes import Fetch, Includes
from indexer.markup.marks import MADE
from indexer.site import Site
from indexer.sources import SourcePage

_INDEXES = ("index", "_index", "readme")
_UNQUOTED = "/+~:@!,;=&"
"""Characters that an address may hold as they are."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How the pages of a folder are to be read."""

    generator: Generator = PLAIN
    """What they are written for."""
    area: str = ""
    """The folder of pages that the page is in, within the site's folder."""
    config: Config = field(default_factory=dict)
    """What the generator's configuration says."""
    fetch: Fetch = lambda _: None
    """How a file is read that a page includes."""
    today: datetime.date = datetime.date.max
    """What is dated later is not published yet."""
    drafts: bool = False
    """Whether what is not published is read all the same."""
    language: str = ""
    """The language that the page's place says it is in; empty where that says nothing."""


@dataclass(frozen=True, slots=True)
class Article:
    """One article of the site."""

    slug: str
    """Path of the page without its suffix; unique in a folder but for pages that differ in it."""
    title: str
    """From the front matter, else the first heading, else the file's name."""
    description: str
    """From the front matter; empty where there is none."""
    date: str
    """From the front matter, ISO 8601 where YAML knows it for a date; empty where there is none."""
    tags: tuple[str, ...]
    """From the front matter, in its order."""
    url: str
    """Address of the page as its generator makes it; relative where the base is unknown."""
    source: str
    """Path of the file, relative to the folder of articles."""
    blocks: tuple[Block, ...]
    """The body in its order; every line of it that a reader sees is in exactly one block."""
    lines: tuple[int, ...] = ()
    """The line of the file for each line that the blocks count, where these differ: a page may
    include others."""
    absent: str = ""
    """Why the site does not show the article, in words to count it under; then it has no blocks."""
    canonical: str = ""
    """The address that the page names as the one to read instead of it."""
    included: tuple[str, ...] = ()
    """Paths of the files that the page asks for, whether they are there or not."""
    passing: bool = False
    """Whether another day may change what the page is: one yet to be published, or to expire."""
    language: str = ""
    """ISO 639-1 code; empty for the site's own."""

    def line(self, number: int) -> int:
        """Return the 1-based line of the file for a line of a block."""
        return self.lines[number - 1] if self.lines else number


def read_article(
    page: SourcePage, site: Site, warn: Warn, reading: Reading | None = None
) -> Article:
    """Return the article that `page` holds; faults of its front matter go to `warn`."""
    reading = reading or Reading()
    body = read_body(page, reading.generator.front)
    if body.front.fault:
        warn(Fault(page.path, body.front.fault_line, body.front.fault))
    fronted = body.front.end > 0
    seen = Page(page.path, reading.area, one_date(body.front.values), reading.config, fronted)
    seen = replace(seen, values={**reading.generator.inherited(seen), **seen.values})
    reading = replace(reading, generator=reading.generator.for_page(reading.generator, seen))
    values = _Values(seen.values, page.path, warn)
    absent, later = (
        "" if reading.drafts else reading.generator.reason(seen, day)
        for day in (reading.today, datetime.date.max)
    )
    passing = absent != later
    asked: dict[str, None] = {}
    blocks, lines = ((), ()) if absent else _blocks(seen, body, reading, warn, asked)
    absent = absent or ("" if blocks else EMPTY)
    title = values.text("title")
    if not title and not reading.generator.names_title:
        title = _first_heading(blocks)
    title = title or _name(seen.inner, site)
    if not absent and (unknown := reading.generator.unknown(seen)):
        warn(Fault(page.path, 0, unknown))
    address = reading.generator.address(replace(seen, title=title))
    whole = address.startswith(("http://", "https://"))
    return Article(
        slug=_slug(seen, reading.generator),
        title=title,
        description=values.text("description"),
        date=values.text("date"),
        tags=values.texts("tags"),
        url=address if whole else site.base + quote(address, safe=_UNQUOTED),
        source=page.path,
        blocks=blocks,
        lines=lines,
        absent=absent,
        included=tuple(asked),
        passing=passing,
        language=language_of(blocks, said_in(seen.values) or reading.language, site.language),
    )


def _blocks(
    page: Page, body: Body, reading: Reading, warn: Warn, asked: dict[str, None]
) -> tuple[tuple[Block, ...], tuple[int, ...]]:
    """Return the blocks of a page, and the lines of the file where the blocks count others.

    The paths of the files that it asks for are put into `asked`.
    """
    body = body.led_by(reading.generator.shown(page.values))
    lines, numbers = body.lines, body.numbers

    def complain(index: int, message: str) -> None:
        warn(Fault(page.path, numbers[index], message))

    def fetch(path: str) -> list[str] | None:
        asked[path] = None
        return reading.fetch(path)

    generator, is_html = reading.generator, body.suffix in HTML
    # Lines that ask for a file are Markdown's.
    ways = tuple(way for way in generator.includes if way.tag or not is_html)
    includes = Includes(ways, reading.area, fetch, complain, generator.asking)
    lines, indexes = includes.resolved(lines, page.path)
    held = [numbers[index] for index in indexes]
    if is_html:
        return _html_blocks(lines, held, generator)
    markup = (generator.mdx or MDX) if body.suffix == ".mdx" else generator.markup
    text, anchors = clean("\n".join(lines), markup)
    first = held[0] if held else 1
    if held == list(range(first, first + len(held))):
        return _anchored(read_blocks(text, first, anchors), reading.generator), ()
    return _anchored(read_blocks(text, 1, anchors), reading.generator), tuple(held)


def _html_blocks(
    lines: list[str], numbers: list[int], generator: Generator
) -> tuple[tuple[Block, ...], tuple[int, ...]]:
    """Return the blocks of a page that is written in HTML, and likewise the lines of the file."""
    from indexer.html.page import read_page  # noqa: PLC0415  such pages are few

    page = read_page(generator.template("\n".join(lines)), alone=True)
    return page.blocks, tuple(numbers[line - 1] for line in page.lines)


def _anchored(blocks: tuple[Block, ...], generator: Generator) -> tuple[Block, ...]:
    """Return the blocks with the anchors the generator makes of headings that give none."""
    texts = [_anchor_text(block) for block in blocks]
    pairs = list(zip(blocks, texts, strict=True))
    given = (block.anchor or "" for block, text in pairs if text is None)
    again = generator.anchor_again
    unique = Unique("", *given, again=again) if again else str
    return tuple(
        block if text is None else replace(block, anchor=unique(generator.anchor(text)))
        for block, text in pairs
    )


def _anchor_text(block: Block) -> str | None:
    """Return what the anchor of a heading is yet to be made of; None where it is not."""
    if block.kind != "heading" or block.anchor is None:
        return None
    if block.anchor.startswith(MADE):
        return block.anchor.removeprefix(MADE)
    return None if block.anchor else block.headings[-1]


def _slug(page: Page, generator: Generator) -> str:
    """Return the path without suffix, in its folder of pages where there is but one."""
    if len(generator.areas) == 1:
        return page.inner.as_posix()
    return PurePosixPath(page.path).with_suffix("").as_posix()


def _name(path: PurePosixPath, site: Site) -> str:
    """Return what to call a page that has no title and no heading."""
    if path.name.lower() in _INDEXES:
        return path.parent.name or site.name or path.name
    return path.name


def _first_heading(blocks: tuple[Block, ...]) -> str:
    return next((b.headings[-1] for b in blocks if b.kind == "heading" and b.headings[-1]), "")


@dataclass(frozen=True, slots=True)
class _Values:
    """Front matter whose values need not be of the type they should be."""

    values: dict[str, Any]
    file: str
    warn: Warn

    def text(self, key: str) -> str:
        value = self.values.get(key)
        if value is None or isinstance(value, str | int | float | datetime.date):
            return "" if value is None else " ".join(str(value).split())
        self.warn(Fault(self.file, 0, f"front matter: `{key}` is not a text; ignored"))
        return ""

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.values.get(key)
        if isinstance(value, list):
            return tuple(str(each) for each in value if isinstance(each, str | int | float))
        return tuple(each.strip() for each in self.text(key).split(",") if each.strip())
