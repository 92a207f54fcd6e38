"""What a page says of itself: title, address, language, and what search engines may do with it.

Does not know its article.
"""

import re
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser

_REFRESH = re.compile(r"\s*(\d{1,9})?(?:\.\d*)?\s*[;,]?\s*(?:url\s*=)?\s*[\"']?([^\"']+)", re.I)
_SOON = 30
"""A page that goes elsewhere within so many seconds is not meant to be read."""
_LANGUAGE = re.compile(r"[a-z]{2,3}(?![a-z])")


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a page; all as written, empty where it is not said."""

    title: str = ""
    """Often with the site's name behind it."""
    site_name: str = ""
    """What the site is called."""
    canonical: str = ""
    """The address under which the page wants to be known."""
    base: str = ""
    """What the page's links are relative to."""
    language: str = ""
    """ISO 639 code, without region."""
    description: str = ""
    """Of the page."""
    date: str = ""
    """When it was published."""
    robots: frozenset[str] = frozenset()
    """Such as `noindex` and `nofollow`."""
    moved_to: str = ""
    """Where a page that only redirects leads."""


def read_head(tree: LexborHTMLParser) -> Head:
    """Return what the head of a page says; never fails."""
    names: dict[str, str] = {}
    moved_to = ""
    for node in tree.css("meta[content]"):
        said = node.attributes
        content = " ".join((said.get("content") or "").split())
        for key in ("name", "property", "http-equiv"):
            if name := (said.get(key) or "").lower():
                names.setdefault(name, content)
    if (match := _REFRESH.fullmatch(names.get("refresh", ""))) and int(match[1] or 0) <= _SOON:
        moved_to = match[2].strip() if not match[2].strip().isdecimal() else ""
    html, title = tree.css_first("html"), tree.css_first("head title, title")
    language = _LANGUAGE.match(((html.attributes.get("lang") if html else "") or "").lower())
    return Head(
        title=" ".join(title.text().split()) if title else "",
        site_name=names.get("og:site_name", ""),
        canonical=_address(tree, "link[rel~=canonical][href]"),
        base=_address(tree, "base[href]"),
        language=language[0] if language else "",
        description=names.get("description", ""),
        date=names.get("article:published_time", ""),
        robots=frozenset(re.findall(r"[a-z]+", names.get("robots", "").lower())),
        moved_to=moved_to,
    )


def _address(tree: LexborHTMLParser, selector: str) -> str:
    node = tree.css_first(selector)
    return (node.attributes.get("href") or "").strip() if node else ""
