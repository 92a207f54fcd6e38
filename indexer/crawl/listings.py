"""XML that lists addresses: read as far as it can be, within bounds. Knows no format.

What a document defines of its own, such as entities, is never read.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import Element, ParseError, XMLPullParser

MAX_BYTES = 50 * 1024 * 1024
"""Of a listing, unpacked: what the protocol of sitemaps allows."""
MOST_ADDRESSES = 50_000
"""That one listing gives."""
_PIECE = 64 * 1024
_DEEPEST = 100


@dataclass(slots=True)
class Listing:
    """The addresses that a document lists."""

    pages: list[str] = field(default_factory=list)
    """Of pages."""
    more: list[str] = field(default_factory=list)
    """Of further listings."""
    fault: str = ""
    """Why not all of it could be read; empty where it could."""


@dataclass(slots=True)
class Elements:
    """The elements of a document; after they were gone through, `fault` says what was wrong."""

    body: bytes
    fault: str = ""

    def __iter__(self) -> Iterator[tuple[str, Element]]:
        """Yield the name of the parent and the element, for each that ends."""
        if b"<!ENTITY" in self.body:
            self.fault = "defines entities; refused"
            return
        parser: Any = XMLPullParser(("start", "end"))
        names: list[str] = []
        try:
            for at in range(0, len(self.body), _PIECE):
                parser.feed(self.body[at : at + _PIECE])
                for event, element in parser.read_events():
                    if event == "start":
                        names.append(name_of(element))
                        if len(names) > _DEEPEST:
                            self.fault = "nests too deep; the rest is not read"
                            return
                        continue
                    names.pop()
                    yield names[-1] if names else "", element
                    if len(names) <= 2:
                        element.clear()
            parser.close()
        except (ParseError, ValueError, LookupError) as error:
            self.fault = f"is not well-formed ({error}); read up to there"


def name_of(element: Element) -> str:
    """Return the name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2].lower()
