"""Sitemaps, feeds and robots.txt are read as far as they can be, whatever they hold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexer.crawl.feed import is_feed, read_feed
from indexer.crawl.robots import Robots
from indexer.crawl.sitemap import read_sitemap

URL = "<url><loc> https://x.example/{} </loc><lastmod>2026</lastmod></url>"
SITEMAPS = [
    (f"<urlset>{URL.format('a')}{URL.format('b')}</urlset>", 2, ""),
    (f'<s:urlset xmlns:s="http://x/">{URL.format("a")}</s:urlset>', 1, ""),
    (f"<urlset>{URL.format('a')}<url><loc>https://x.example/b&c", 1, "not well-formed"),
    ('<!DOCTYPE x [<!ENTITY a "b">]><urlset><url><loc>&a;</loc></url></urlset>', 0, "entities"),
    ("<a>" * 200, 0, "too deep"),
    ("https://x.example/a\nhttps://x.example/b\nno\n", 2, ""),
    (f"<urlset>{URL.format('a') * 50_001}</urlset>", 50_000, "more than 50,000"),
    ("", 0, "not well-formed"),
]


@pytest.mark.parametrize(("text", "pages", "fault"), SITEMAPS, ids=range(len(SITEMAPS)))
def test_a_sitemap_is_read_as_far_as_it_can_be(text: str, pages: int, fault: str) -> None:
    listing = read_sitemap(text.encode())
    assert len(listing.pages) == pages
    assert fault in listing.fault
    assert bool(fault) == bool(listing.fault)


@given(
    st.binary(max_size=200)
    | st.text(st.sampled_from("<>/urlsetoc &;!\"'x"), max_size=80).map(str.encode)
)
def test_no_bytes_raise(body: bytes) -> None:
    read_sitemap(body)
    read_feed(body)
    is_feed(body)


RULES = """
User-agent: *
Disallow: /private/
Crawl-delay: 2
Sitemap: https://x.example/map.xml

User-agent: lab-agent
Disallow: /*.pdf$
Allow: /private/
Request-rate: 1/5
"""
ALLOWED = [
    ("other/1", "/private/x", False),
    ("other/1", "/x.pdf", True),
    ("lab-agent/0.1", "/private/x", True),
    ("lab-agent/0.1", "/x.pdf", False),
    ("lab-agent/0.1", "/x.pdf?y", True),
]


@pytest.mark.parametrize(("agent", "path", "allowed"), ALLOWED)
def test_the_rules_of_the_agents_own_group_hold(agent: str, path: str, allowed: bool) -> None:
    assert Robots(RULES, agent).allows(f"https://x.example{path}") is allowed


def test_the_pace_and_the_sitemaps_are_read() -> None:
    assert Robots(RULES, "other/1").delay == 2
    assert Robots(RULES, "lab-agent/0.1").delay == 5
    assert Robots("User-agent: *\nCrawl-delay: 86400", "x").delay == 60
    assert Robots(RULES, "x").sitemaps == ("https://x.example/map.xml",)
    assert Robots("", "x").delay == 0


@given(st.text(max_size=200))
def test_no_robots_txt_raises(text: str) -> None:
    robots = Robots(text, "lab-agent/1")
    robots.allows("https://x.example/a?b")
    assert 0 <= robots.delay <= 60
