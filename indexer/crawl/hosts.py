"""The name of a host -> the network addresses that may be connected to.

A public name that leads into a private network is refused, before anything is sent there.
"""

import socket
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from indexer.errors import CrawlError

Resolve = Callable[[str, int], list[str]]
"""Returns the network addresses of a name. Raises OSError where it has none."""
_NAT64 = ip_network("64:ff9b::/96")
_LOOPBACK = "localhost"


def resolved(host: str, port: int) -> list[str]:
    """Ask the system for the addresses of a name."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def checked(host: str, port: int, resolve: Resolve = resolved) -> list[str]:
    """Return the network addresses of a host, all of which may be connected to.

    A network address is meant by whoever writes it, and `localhost` means this machine. Any other
    name must lead to public addresses alone. Raises CrawlError, and OSError for an unknown name.
    """
    bare = host.strip("[]")
    if _parsed(bare):
        return [bare]
    found = resolve(bare, port)
    if bare == _LOOPBACK or bare.endswith(f".{_LOOPBACK}"):
        private = [each for each in found if not _is_loopback(each)]
    else:
        private = [each for each in found if not is_public(each)]
    if private:
        raise CrawlError(
            f"{bare} leads to {private[0]}, which is no public address; refused. "
            "Give the address itself if it is meant."
        )
    return found


def is_public(address: str) -> bool:
    """Tell whether a network address is one of the public internet."""
    ip = _parsed(address)
    if isinstance(ip, IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo or (None, None))[1]
        if ip in _NAT64:
            inner = IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is not None and not is_public(str(inner)):
            return False
    return ip is not None and ip.is_global and not ip.is_multicast


def _is_loopback(address: str) -> bool:
    ip = _parsed(address)
    return ip is not None and ip.is_loopback


def _parsed(address: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(address.partition("%")[0])
    except ValueError:
        return None
