"""A sitemap, or an index of sitemaps -> the addresses in it. Fetches nothing."""

from indexer.crawl.listings import MOST_ADDRESSES, Elements, Listing, name_of


def read_sitemap(body: bytes) -> Listing:
    """Return what a sitemap lists; one of plain text has an address a line."""
    listing = Listing()
    if not body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        lines = body.decode("utf-8", "replace").lstrip("\ufeff").split()
        listing.pages += [line for line in lines if line.startswith(("http://", "https://"))]
    elements = Elements(body) if not listing.pages else ()
    for parent, element in elements:
        if name_of(element) == "loc" and parent in ("url", "sitemap"):
            address = (element.text or "").strip()
            (listing.pages if parent == "url" else listing.more).append(address)
    if isinstance(elements, Elements):
        listing.fault = elements.fault
    if len(listing.pages) > MOST_ADDRESSES:
        listing.fault = f"lists more than {MOST_ADDRESSES:,} pages; the rest is not read"
        del listing.pages[MOST_ADDRESSES:]
    return listing
