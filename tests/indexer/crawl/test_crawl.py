"""A site at an address -> its pages: what is read, what is not, and what is told."""

from __future__ import annotations

import gzip
import itertools
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from served import Reply, Site, html, linked, moved, xml

from indexer.crawl.frontier import MOST_ALIKE
from indexer.crawl.kept import kept_pages
from indexer.errors import CrawlError

Crawl = Callable[..., Any]


def robots(text: str) -> Reply:
    return Reply(text.encode(), headers={"content-type": "text/plain"})


def test_links_of_a_page_are_followed_within_its_folder_and_each_page_is_asked_for_once(
    site: Site, crawled: Crawl
) -> None:
    site.routes |= {
        "/docs/": linked(
            "Home", "tides.html#high", "tides.html?utm_source=x", "./", "/blog/", "a.pdf"
        ),
        "/docs/tides.html": linked("Tides", "/docs/", "deep/winds.html", "mailto:a@b.example"),
        "/docs/deep/winds.html": linked("Winds", "../tides.html", "http://other.example/docs/"),
        "/blog/": linked("Blog"),
    }
    done = crawled("/docs/")
    assert done.titles == ["Home", "Tides", "Winds"]
    assert site.paths == ["/docs/", "/docs/tides.html", "/docs/deep/winds.html"]
    assert done.faults == []
    assert {headers["user-agent"] for _, headers in site.asked} == {"test-agent/1"}
    (tides,) = (each for each in done.index.passages if each.title == "Tides")
    assert (tides.id, tides.source, tides.url) == (
        "docs/tides#tides",
        f"{site.url}/docs/tides.html",
        f"{site.url}/docs/tides.html",
    )
    assert tides.text == "# Tides\n\nAll of Tides."


def test_robots_txt_and_the_pages_say_what_may_be_read_and_followed(
    site: Site, crawled: Crawl
) -> None:
    site.routes |= {
        "/robots.txt": robots("User-agent: *\nDisallow: /private/\nAllow: /private/open$\n"),
        "/": linked("Home", "/private/a", "/private/open", "/hidden", "/dead-end", "/header"),
        "/private/a": linked("Secret"),
        "/private/open": linked("Open"),
        "/hidden": html(
            "<h1>Hidden</h1><a href=/behind>x</a>", "<meta name=robots content=noindex>"
        ),
        "/behind": linked("Behind"),
        "/dead-end": html(
            "<h1>End</h1><a href=/never>x</a>", "<meta name=robots content=nofollow>"
        ),
        "/header": html("<h1>Header</h1>", x_robots_tag="noindex"),
        "/never": linked("Never"),
    }
    done = crawled()
    assert done.titles == ["Behind", "End", "Home", "Open"]
    assert not {"/private/a", "/never"} & set(site.paths)
    (fault,) = done.faults
    assert "1 addresses are not allowed by robots.txt, such as /private/a" in fault


def test_an_index_of_sitemaps_is_read_packed_or_not(site: Site, crawled: Crawl) -> None:
    inner = f"<urlset><url><loc>{site.url}/a</loc></url><url><loc>http://x.example/</loc></url></urlset>"
    site.routes |= {
        "/sitemap.xml": xml(
            '<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
            f"<sitemap><loc>{site.url}/one.xml.gz</loc></sitemap>"
            f"<sitemap><loc>{site.url}/two.txt</loc></sitemap>"
            f"<sitemap><loc>{site.url}/gone.xml</loc></sitemap>"
            f"<sitemap><loc>{site.url}/sitemap.xml</loc></sitemap></sitemapindex>"
        ),
        "/one.xml.gz": Reply(
            gzip.compress(inner.encode()), headers={"content-type": "application/gzip"}
        ),
        "/two.txt": Reply(f"{site.url}/b\n".encode(), headers={"content-type": "text/plain"}),
        "/a": linked("A", "/not-listed"),
        "/b": linked("B"),
        "/not-listed": linked("Not listed"),
    }
    done = crawled("/sitemap.xml")
    assert done.titles == ["A", "B"]
    assert [fault.partition(": ")[0] for fault in done.faults] == ["/gone.xml", "/"]
    assert "such as http://x.example/" in done.faults[1]


def test_a_start_page_takes_the_sitemaps_of_robots_txt_too(site: Site, crawled: Crawl) -> None:
    site.routes |= {
        "/robots.txt": robots(f"User-agent: *\nDisallow:\nSitemap: {site.url}/map.xml\n"),
        "/map.xml": xml(f"<urlset><url><loc>{site.url}/alone</loc></url></urlset>"),
        "/": linked("Home"),
        "/alone": linked("Alone"),
    }
    assert crawled().titles == ["Alone", "Home"]


FEEDS = {
    "rss": "<rss><channel><link>{0}/</link><item><link>{0}/a</link></item></channel></rss>",
    "atom": '<feed xmlns="http://www.w3.org/2005/Atom"><link href="{0}/"/><entry>'
    '<link rel="edit" href="{0}/e"/><link href="{0}/a"/></entry></feed>',
    "rdf": '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
    'xmlns="http://purl.org/rss/1.0/"><item><link>{0}/a</link></item></rdf:RDF>',
}


@pytest.mark.parametrize("feed", FEEDS.values(), ids=list(FEEDS))
def test_the_entries_of_a_feed_are_read(site: Site, crawled: Crawl, feed: str) -> None:
    site.routes |= {
        "/feed": xml(feed.format(site.url)),
        "/a": linked("A", "/b"),
        "/": linked("Home"),
    }
    assert crawled("/feed").titles == ["A"]


def test_redirects_on_the_host_are_followed_and_no_others(site: Site, crawled: Crawl) -> None:
    site.routes |= {
        "/robots.txt": Reply(status=404),
        "/": linked("Home", "/old", "/off", "/self", "/a", "/far/0"),
        "/old": moved("/new", 308),
        "/new": linked("New"),
        "/off": moved("http://elsewhere.example/"),
        "/self": moved("/self"),
        "/a": moved("/b", 302),
        "/b": moved("/a", 302),
    }
    site.fallback = lambda path: moved(f"/far/{int(path.rpartition('/')[2]) + 1}")
    done = crawled()
    assert done.titles == ["Home", "New"]
    assert {fault.partition(" ")[0] for fault in done.faults} == {
        "/off:",
        "/self:",
        "/b:",
        "/far/5:",
    }
    assert "elsewhere.example" in next(each for each in done.faults if each.startswith("/off"))


def test_an_endless_calendar_does_not_keep_the_rest_from_being_read(
    site: Site, crawled: Crawl
) -> None:
    def page(path: str) -> Reply:
        month = int(path.rpartition("/")[2])
        near = [f"/calendar/{month + n}" for n in range(1, 9)]
        return linked(f"Month {month}", *near, f"/list?page={month}&sort=up")

    site.routes |= {
        "/": linked("Home", "/calendar/1", "/winds"),
        "/winds": linked("Winds", "/tides"),
    }
    site.routes["/tides"] = linked("Tides")
    site.fallback = lambda path: page(path) if "calendar" in path else linked(path)
    done = crawled()
    assert {"Home", "Winds", "Tides", "Month 1"} <= set(done.titles)
    assert len([path for path in site.paths if "calendar" in path]) == MOST_ALIKE
    assert len(site.paths) < 2 * MOST_ALIKE + 10
    assert any("/calendar/0: " in fault and "alike" in fault for fault in done.faults)


def test_links_that_lead_ever_deeper_into_themselves_end(site: Site, crawled: Crawl) -> None:
    site.fallback = lambda path: linked(f"Page {len(path)}", "more/")
    crawled()
    assert len(site.paths) == 4


def test_the_limit_of_pages_holds_and_is_told(site: Site, crawled: Crawl) -> None:
    site.routes["/"] = linked("Home", *(f"/p{letter}" for letter in "abcdefgh"))
    site.fallback = linked
    done = crawled(max_pages=3)
    assert len(done.titles) == 3
    assert done.faults == ["/: 6 addresses that are known were not read: the limit was reached"]


def zeros() -> Iterator[bytes]:
    yield b"<p>Before</p>"
    yield from itertools.repeat(b"0" * 65536, 2**14)


def drip(site: Site) -> Iterator[bytes]:
    while not site.closing.wait(0.05):
        yield b"x"


def test_pages_without_end_are_bounded_in_bytes_and_seconds(site: Site, crawled: Crawl) -> None:
    typed = {"content-type": "text/html"}
    bomb = gzip.compress(b"<p>Bomb</p>" + b"0" * 2**26)
    site.routes |= {
        "/": linked("Home", "/huge", "/bomb", "/drip", "/head", "/movie"),
        "/huge": lambda _: Reply(zeros(), headers=typed),
        "/bomb": Reply(bomb, headers={**typed, "content-encoding": "gzip"}),
        "/drip": lambda _: Reply(drip(site), headers=typed),
        "/movie": lambda _: Reply(zeros(), headers={"content-type": "video/mp4"}),
        "/head": Reply(b"x", headers={**typed, "content-encoding": "br"}),
    }
    began = time.monotonic()
    done = crawled(seconds=1.0)
    assert time.monotonic() - began < 10
    assert done.faults == [
        "/drip: took longer than 1 seconds; left out",
        "/head: is packed as br, which was not asked for; left out",
        "/: 1 addresses are no HTML, such as /movie",
    ]
    assert {each.removeprefix(site.url) for each in kept_pages(done.folder)} == {
        *("/", "/huge", "/bomb"),
    }
    assert sum(file.stat().st_size for file in done.folder.glob("pages/*")) < 9 * 2**20


def test_pages_in_several_encodings_are_read(site: Site, crawled: Crawl) -> None:
    typed = {"content-type": "text/html"}
    site.routes |= {
        "/": linked("Home", "/latin", "/meta", "/wrong", "/packed"),
        "/latin": Reply(
            b"<h1>M\xfcnze</h1>", headers={"content-type": "text/html; charset=latin-1"}
        ),
        "/meta": Reply("<meta charset=shift_jis><h1>潮</h1>".encode("shift_jis"), headers=typed),
        "/wrong": Reply(b"<h1>Caf\xe9</h1>", headers={"content-type": "text/html; charset=utf-8"}),
        "/packed": Reply(
            gzip.compress(b"<h1>Packed</h1>"), headers={**typed, "content-encoding": "gzip"}
        ),
    }
    done = crawled()
    assert done.titles == sorted(["Home", "Münze", "潮", "Caf\ufffd", "Packed"])


def test_what_fails_is_told_and_tried_again_where_that_helps(site: Site, crawled: Crawl) -> None:
    times = itertools.count()

    def busy(headers: dict[str, str]) -> Reply:
        return linked("Busy") if next(times) else Reply(status=503, headers={"retry-after": "0.01"})

    site.routes |= {
        "/": linked("Home", "/gone", "/broken", "/busy", "/later"),
        "/broken": Reply(b"oh", 500),
        "/busy": busy,
        "/later": Reply(status=429, headers={"retry-after": "3600"}),
    }
    done = crawled()
    assert done.titles == ["Busy", "Home"]
    assert done.faults == [
        "/gone: answers 404; left out",
        "/broken: answers 500; left out",
        "/later: answers 429; left out",
    ]
    assert site.paths.count("/busy") == 2
    assert site.paths.count("/later") == 1


def test_of_pages_that_name_one_address_that_one_is_read(site: Site, crawled: Crawl) -> None:
    site.routes |= {
        "/": linked("Home", "/tides?print=1", "/mutual/a"),
        "/tides?print=1": html("<h1>Tides to print</h1>", '<link rel="canonical" href="/tides">'),
        "/tides": html("<h1>Tides</h1>", f'<link rel="canonical" href="{site.url}/tides">'),
        "/mutual/a": html("<h1>A</h1>", '<link rel="canonical" href="b">'),
        "/mutual/b": html("<h1>B</h1>", '<link rel="canonical" href="a">'),
    }
    assert crawled().titles == ["B", "Home", "Tides"]


STARTS: list[tuple[dict[str, Reply], str]] = [
    ({}, "answers 404"),
    ({"/": moved("http://other.example/docs/")}, "http://other.example/docs/"),
    ({"/": moved("/")}, "redirects in a circle"),
    ({"/": Reply(b"%PDF", headers={"content-type": "application/pdf"})}, "neither a page"),
    ({"/": linked("x"), "/robots.txt": Reply(b"User-agent: *\nDisallow: /")}, "does not allow"),
    ({"/": linked("x"), "/robots.txt": Reply(status=500)}, "answers 500"),
    ({"/": xml("<urlset></urlset>")}, "No page"),
]


@pytest.mark.parametrize(("routes", "says"), STARTS, ids=[says for _, says in STARTS])
def test_a_start_that_cannot_be_read_is_one_error(
    site: Site, crawled: Crawl, routes: dict[str, Reply], says: str
) -> None:
    site.routes |= routes
    with pytest.raises(CrawlError, match=says):
        crawled()


def test_a_host_that_is_not_there_is_one_error(site: Site, crawled: Crawl) -> None:
    site.close()
    with pytest.raises(CrawlError, match="refused the connection"):
        crawled()
