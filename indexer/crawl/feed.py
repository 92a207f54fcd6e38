"""RSS or Atom -> the addresses of its entries. Fetches nothing."""

from indexer.crawl.listings import MOST_ADDRESSES, Elements, Listing, name_of


def read_feed(body: bytes) -> Listing:
    """Return the pages that a feed links to."""
    listing, elements = Listing(), Elements(body)
    for parent, element in elements:
        if name_of(element) != "link" or parent not in ("item", "entry"):
            continue
        address = (element.text or "").strip()
        if parent == "entry":
            is_page = element.get("rel", "alternate") == "alternate"
            address = (element.get("href") or "").strip() if is_page else ""
        if address and len(listing.pages) < MOST_ADDRESSES:
            listing.pages.append(address)
    listing.fault = elements.fault
    return listing


def is_feed(body: bytes) -> bool:
    """Tell a feed from a sitemap, by its first element."""
    return any(mark in body[:2048] for mark in (b"<rss", b"<feed", b"<rdf:RDF"))
