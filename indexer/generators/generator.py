"""What a site generator is to us: its files, its addresses, and what it lays over Markdown.

Knows no generator by name.
"""

import datetime
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from indexer.anchors import anchor
from indexer.frontmatter import ReadFront, read_front_matter
from indexer.markup.clean import Markup, Transform
from indexer.markup.includes import Asking, Include, as_they_are
from indexer.variants import Variant

HTML = (".html", ".htm")
"""Suffixes of pages in HTML."""
Config = dict[str, Any]
"""What the generator's configuration says, as far as it could be read."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page as its generator sees it."""

    path: str
    """Of the file, in the site's folder."""
    area: str
    """The folder of pages it is in, such as `content`; empty where that is the site's folder."""
    values: dict[str, Any]
    """Its front matter, and what the site says of it that this does not."""
    config: Config = field(default_factory=dict)
    """The site's configuration."""
    fronted: bool = True
    """Whether it begins with front matter, be it empty."""
    title: str = ""
    """What it is called, by its front matter or its text; empty until that is read."""

    @property
    def inner(self) -> PurePosixPath:
        """Its path in its folder of pages, without suffix."""
        return PurePosixPath(self.path.removeprefix(self.area).lstrip("/")).with_suffix("")

    @property
    def is_html(self) -> bool:
        """Whether it is written in HTML."""
        return PurePosixPath(self.path).suffix.lower() in HTML

    def said(self, key: str) -> str:
        """Return a text of the front matter; empty where there is none."""
        value = self.values.get(key)
        return value.strip() if isinstance(value, str) else ""


def no_reason(_page: Page, _today: datetime.date) -> str:
    """Leave no page out."""
    return ""


def nothing_named(_config: Config) -> tuple[str, ...]:
    """Name no folder and no pattern."""
    return ()


def as_it_is(text: str) -> str:
    """Change nothing."""
    return text


def unchanged(generator: "Generator", _config: Config) -> "Generator":
    """Read every site alike."""
    return generator


def as_for_all(generator: "Generator", _page: Page) -> "Generator":
    """Read every page alike."""
    return generator


def nothing_shown(_values: dict[str, Any]) -> list[str]:
    """Show nothing of the front matter."""
    return []


def nothing(_home: Path, _config: Config) -> Config:
    """Find nothing in other files."""
    return {}


def nothing_inherited(_page: Page) -> dict[str, Any]:
    """Leave all that is to know of a page to its front matter."""
    return {}


def nothing_unknown(_page: Page) -> str:
    """Know all that an address is made of."""
    return ""


def never(_path: PurePosixPath) -> bool:
    """Take no file for a part."""
    return False


def _by_names(_path: str, _config: Config) -> Variant | None:
    """Leave languages and versions to the names of folders."""
    return None


def _languages_by_names(_config: Config) -> dict[str, str] | None:
    """Leave languages to the names of folders."""
    return None


@dataclass(frozen=True, slots=True)
class Generator:
    """A kind of site."""

    name: str
    """For people, and for `site.toml` in lower case."""
    marks: tuple[str, ...]
    """Files and folders that tell it; those with a suffix that can be read are its configuration,
    the first one found."""
    address: Callable[[Page], str]
    """Address of a page below the site's base, not quoted; or a whole address."""
    markup: Markup
    """What its pages hold besides Markdown."""
    front: ReadFront = read_front_matter
    """Reads what stands at the top of a page."""
    shown: Callable[[dict[str, Any]], list[str]] = nothing_shown
    """What of its front matter a page shows before its text, as paragraphs of Markdown."""
    unknown: Callable[[Page], str] = nothing_unknown
    """What to warn of where a page's address is made of what is not known; empty for nothing."""
    mdx: Markup | None = None
    """What its pages in MDX hold besides; None for what MDX has everywhere."""
    anchor: Callable[[str], str] = anchor
    """The anchor of a heading that does not give itself one."""
    anchor_again: str = ""
    """How an anchor is written that another heading of the page has already, or that is empty;
    empty for as GitHub does, which leaves an empty one."""
    areas: tuple[str, ...] = ("",)
    """Folders that hold pages, with `*` for any name; the site's folder where none is there."""
    area_keys: tuple[str, ...] = ()
    """Keys of the configuration that may name the one folder of pages instead; a dot leads into a
    table."""
    areas_in: Callable[[Config], tuple[str, ...]] = nothing_named
    """Folders of pages that the configuration names, where it names several."""
    suffixes: tuple[str, ...] = (".md", ".markdown")
    """Of the files that are pages."""
    suffix_key: str = ""
    """Key of the configuration that lists suffixes besides."""
    config_parts: tuple[tuple[str, str], ...] = ()
    """Keys of the configuration that may have files of their own, and these files."""
    is_part: Callable[[PurePosixPath], bool] = never
    """Whether a file, by its path in its folder of pages, is no page of its own."""
    leads: Callable[[PurePosixPath], bool] = never
    """Whether all other files in the folder of a page, and below that, are parts of the page."""
    readme_gives_way: bool = False
    """Whether a README is no page where its folder has an index."""
    excluded: Callable[[Config], tuple[str, ...]] = nothing_named
    """What the configuration says is not read: patterns, as Git has them, of paths in a folder of
    pages."""
    is_excluded: Callable[[PurePosixPath], bool] = never
    """Whether a file, by its path in its folder of pages, is not read either."""
    reason: Callable[[Page, datetime.date], str] = no_reason
    """Why a page is not published, as words to count it under; empty for one that is."""
    variant: Callable[[str, Config], Variant | None] = _by_names
    """Which language and version a path is, where the generator has folders of its own for them."""
    languages: Callable[[Config], dict[str, str] | None] = _languages_by_names
    """Which folders of an area are languages, where the configuration lists them."""
    includes: tuple[Include, ...] = ()
    """How a page asks for another file."""
    asking: Asking = as_they_are
    """Writes what asks for files in another way, or in another markup, as `includes` know it."""
    names_title: bool = False
    """Whether a page without a title is called by its file's name, whatever its headings say."""
    configured: Callable[["Generator", Config], "Generator"] = unchanged
    """What a site's configuration makes of the rules."""
    for_page: Callable[["Generator", Page], "Generator"] = as_for_all
    """What a page's own front matter makes of the rules: it may answer expressions in its text."""
    template: Transform = as_it_is
    """Takes away, or fills in, what its template language lays over a page in HTML."""
    beside: Callable[[Path, Config], Config] = nothing
    """What other files in the site's folder say, where the configuration does not."""
    inherited: Callable[[Page], dict[str, Any]] = nothing_inherited
    """What the site says of a page, where its front matter does not."""
    base_keys: tuple[str, ...] = ()
    """Keys of the configuration that make up the address of the site."""
    name_keys: tuple[str, ...] = ()
    """Keys of the configuration that may hold the site's name; a dot leads into a table."""
    language_keys: tuple[str, ...] = ()
    """Keys of the configuration that may hold the language of most pages."""
