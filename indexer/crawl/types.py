"""What a server says of the kind of a body, and how far that is to be believed."""

import re
from collections.abc import Mapping

_HTML = ("text/html", "application/xhtml+xml")
_LISTINGS = re.compile(r"(?:application|text)/(?:[\w.-]+\+)?xml|application/(?:x-)?gzip|text/plain")
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", re.I)
_MARKUP = re.compile(rb"\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.I | re.S)
_XML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml|<!--|<urlset|<sitemapindex|<rss|<feed|<rdf:RDF|\x1f\x8b|https?://)"
)


def is_html(headers: Mapping[str, str], body: bytes = b"<html") -> bool:
    """Tell a page of HTML; where its type is not said, by how it begins."""
    kind = _kind(headers)
    return kind in _HTML or (not kind and bool(_MARKUP.match(body[:1024])))


def is_listing(headers: Mapping[str, str], body: bytes) -> bool:
    """Tell a sitemap or a feed; some servers call them HTML."""
    if _MARKUP.match(body[:1024]):
        return False
    looks = bool(_XML.match(body[:1024])) or body.startswith(b"\x1f\x8b")
    return looks if is_html(headers, body) else looks or bool(_LISTINGS.fullmatch(_kind(headers)))


def charset_of(headers: Mapping[str, str]) -> str:
    """Return the encoding that the server says; empty where it says none."""
    match = _CHARSET.search(headers.get("content-type", ""))
    return match[1] if match else ""


def _kind(headers: Mapping[str, str]) -> str:
    return headers.get("content-type", "").partition(";")[0].strip().lower()
