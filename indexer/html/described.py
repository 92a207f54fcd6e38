"""What most pages of a site say of it: its name and its language. Knows no addresses."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from indexer.html.decoding import decode
from indexer.html.head import Head, read_head
from indexer.html.marked import marked
from indexer.site import Choices, Site

PEEKED = 40
"""So many pages are asked."""
_HEAD_BYTES = 64 * 1024


def described(site: Site, choices: Choices, heads: Mapping[str, Head]) -> Site:
    """Return the site with what its pages say; its `site.toml` comes first."""
    if "name" not in choices.given:
        name = commonest(head.site_name for head in heads.values())
        site = replace(site, name=name or site.name)
    if "language" not in choices.given:
        language = commonest(head.language for head in heads.values())
        site = replace(site, language=language or site.language)
    return site


def commonest(found: Iterable[str]) -> str:
    """Return the commonest text that is not empty."""
    return next((each for each, _ in Counter(found).most_common() if each), "")


def peek(file: Path) -> Head:
    """Return what a page says of itself at its top."""
    try:
        with file.open("rb") as stream:
            text = decode(stream.read(_HEAD_BYTES)).text
    except OSError:
        return Head()
    return read_head(LexborHTMLParser(marked(text).text))
