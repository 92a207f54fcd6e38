"""Which network addresses may be connected to: a public name never leads into a private network."""

import pytest
from served import Site, linked

from indexer.crawl.fetch import Bounds, FetchError, get
from indexer.crawl.hosts import checked, is_public
from indexer.errors import CrawlError

PRIVATE = [
    *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0"),
    *("100.64.0.1", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0"),
    *("fc00::1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "ff02::1", "no address"),
]
PUBLIC = ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "64:ff9b::101:101"]


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_known(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_known(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("host", ["sea.example", "2130706433", "0x7f.1", "127.1", "localhost.evil"])
@pytest.mark.parametrize("found", [["127.0.0.1"], ["1.1.1.1", "10.0.0.1"]])
def test_a_name_that_leads_to_any_private_address_is_refused(host: str, found: list[str]) -> None:
    with pytest.raises(CrawlError, match=r"127\.0\.0\.1|10\.0\.0\.1"):
        checked(host, 80, lambda *_: found)


def test_a_private_address_is_meant_by_whoever_writes_it() -> None:
    never = pytest.fail
    assert checked("127.0.0.1", 80, lambda *_: never("asked")) == ["127.0.0.1"]
    assert checked("[::1]", 80, lambda *_: never("asked")) == ["::1"]
    assert checked("localhost", 80, lambda *_: ["127.0.0.1"]) == ["127.0.0.1"]
    with pytest.raises(CrawlError):
        checked("localhost", 80, lambda *_: ["10.0.0.1"])


def test_nothing_is_sent_to_a_private_address_behind_a_public_name(site: Site) -> None:
    site.routes["/"] = linked("Home")
    port = site.host.partition(":")[2]
    bounds = Bounds(5, resolve=lambda *_: ["127.0.0.1"])
    with pytest.raises(CrawlError, match=r"sea\.example leads to 127\.0\.0\.1"):
        get(f"http://sea.example:{port}/", {}, lambda *_: 100, bounds)
    assert site.asked == []


def test_the_address_that_was_checked_is_the_one_connected_to(site: Site) -> None:
    # A name that is asked for a second time would lead elsewhere.
    site.routes["/"] = linked("Home")
    port = site.host.partition(":")[2]
    answers = iter([["127.0.0.1"]])
    bounds = Bounds(5, resolve=lambda *_: next(answers))
    answer = get(f"http://docs.localhost:{port}/", {}, lambda *_: 10**6, bounds)
    assert b"Home" in answer.body
    assert site.asked[0][1]["host"] == f"docs.localhost:{port}"


def test_an_unknown_name_is_told_as_such() -> None:
    def unknown(host: str, port: int) -> list[str]:
        import socket

        raise socket.gaierror(-2, "Name or service not known")

    with pytest.raises(FetchError, match="a name that is not known"):
        get("http://nowhere.example/", {}, lambda *_: 1, Bounds(5, unknown))
