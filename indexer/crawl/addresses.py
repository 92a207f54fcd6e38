"""Addresses in one form each, and which of them belong to a crawl. Fetches nothing."""

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, unquote, urlencode, urljoin, urlsplit, urlunsplit

_LONGEST = 2000
_PORTS = {"http": 80, "https": 443}
_KEPT_IN_PATH = "/%:@!$&'()*+,;=~"
_KEPT_IN_QUERY = "/%:@!$&'()*+,;=~?[]"
_TRACKING = re.compile(
    r"utm_\w+|fbclid|gclid|msclkid|mc_[ce]id|_ga|igshid|phpsessid|jsessionid|aspsessionid\w*|"
    r"sid|session_?id|replytocom|share",
    re.I,
)
"""Parts of a query that make no other page."""
_SESSION = re.compile(r";jsessionid=[^/?#]*", re.I)
_NO_PAGE = re.compile(
    r"\.(?:7z|avi|bmp|bz2|css|csv|dmg|docx?|eot|epub|exe|gif|gz|ico|iso|jar|jpe?g|js|json|m4a|mov|"
    r"mp3|mp4|mpe?g|msi|odt|ogg|otf|pdf|png|pptx?|ps|rar|rss|svg|tar|tgz|tiff?|ttf|wasm|wav|webm|"
    r"webp|whl|woff2?|xlsx?|xml|xz|zip|zst)",
    re.I,
)
_MOST_REPEATED = 3


@dataclass(frozen=True, slots=True)
class Scope:
    """What belongs to a crawl: one host, and of it perhaps one folder."""

    scheme: str
    """`http` or `https`; the other one is taken for the same."""
    host: str
    """As it stands in addresses, with a port that is not the usual one."""
    folder: str = "/"
    """What the paths of pages begin with."""

    def own(self, address: str) -> str:
        """Return an address of this host with the scope's scheme; empty for any other."""
        scheme, host, *rest = urlsplit(address)
        if host != self.host or scheme not in _PORTS:
            return ""
        return urlunsplit((self.scheme, host, *rest))

    def holds(self, address: str) -> bool:
        """Tell whether an address is on this host and in this folder."""
        return bool(self.own(address)) and urlsplit(address).path.startswith(self.folder)

    @property
    def root(self) -> str:
        """Address of the host's front page."""
        return f"{self.scheme}://{self.host}/"


def scope_of(address: str) -> Scope:
    """Return the host that an address in normal form is on."""
    parts = urlsplit(address)
    return Scope(parts.scheme, parts.netloc)


def folder_of(address: str) -> str:
    """Return the path of the folder that a page is in."""
    return urlsplit(address).path.rpartition("/")[0] + "/"


def normal(address: str, base: str = "") -> str:
    """Return an address in the form that all its spellings share; empty for what is no web page.

    Fragments, tracking and sessions go, and so does the usual port. Never fails.
    """
    try:
        parts = urlsplit(urljoin(base, re.sub(r"[\t\n\r]", "", address.strip())))
        host, port = (parts.hostname or "").rstrip("."), parts.port
        if parts.scheme not in _PORTS or not host or parts.username or parts.password:
            return ""
        if ":" in host:
            host = f"[{host}]"
        elif not host.isascii():
            host = host.encode("idna").decode("ascii")
    except (ValueError, UnicodeError):
        return ""
    if re.search(r"[^\w.\-\[\]:]", host):
        return ""
    netloc = host if port in (None, _PORTS[parts.scheme]) else f"{host}:{port}"
    path = quote(_SESSION.sub("", _without_dots(parts.path or "/")), safe=_KEPT_IN_PATH)
    query = quote(_without_tracking(parts.query), safe=_KEPT_IN_QUERY)
    whole = urlunsplit((parts.scheme, netloc, path, query, ""))
    return whole if len(whole) <= _LONGEST else ""


def may_be_page(address: str) -> bool:
    """Tell whether an address may be that of a page, by its look."""
    path = urlsplit(address).path
    parts = [part for part in path.split("/") if part]
    if any(parts.count(part) > _MOST_REPEATED for part in parts):
        return False  # a link that is relative to itself leads ever deeper
    return (
        not parts
        or "." not in parts[-1]
        or not _NO_PAGE.fullmatch("." + parts[-1].rpartition(".")[2])
    )


def shape(address: str) -> str:
    """Return what addresses that a program makes one after another have in common."""
    parts = urlsplit(address)
    path = re.sub(r"\d+", "0", unquote(parts.path))
    if not parts.query:
        return path
    names = sorted({name for name, _ in parse_qsl(parts.query, keep_blank_values=True)})
    return f"{path}?{'&'.join(names)}"


def is_made(address_shape: str) -> bool:
    """Tell a shape that endless addresses may have."""
    return "?" in address_shape or "0" in address_shape


def _without_dots(path: str) -> str:
    if "/." not in path:
        return path
    kept: list[str] = []
    parts = path.split("/")
    for part in parts[1:]:
        if part == "..":
            kept = kept[:-1]
        elif part != ".":
            kept.append(part)
    if parts[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)


def _without_tracking(query: str) -> str:
    if not query:
        return ""
    pairs = parse_qsl(query, keep_blank_values=True)
    left = [(name, value) for name, value in pairs if not _TRACKING.fullmatch(name)]
    return query if len(left) == len(pairs) else urlencode(left)
