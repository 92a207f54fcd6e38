"""A crawl after another: interrupted ones go on, later ones ask only for what has changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from served import Reply, Site, linked, moved

from indexer.crawl.kept import JOURNAL
from indexer.errors import CrawlError

Crawl = Callable[..., Any]


def tagged(reply: Reply, etag: str) -> Callable[[dict[str, str]], Reply]:
    """Answer 304 to whoever has the page already."""

    def answer(headers: dict[str, str]) -> Reply:
        if headers.get("if-none-match") == etag:
            return Reply(status=304)
        return Reply(reply.body, headers={**reply.headers, "etag": etag})

    return answer


def dated(reply: Reply, date: str) -> Callable[[dict[str, str]], Reply]:
    def answer(headers: dict[str, str]) -> Reply:
        if headers.get("if-modified-since") == date:
            return Reply(status=304)
        return Reply(reply.body, headers={**reply.headers, "last-modified": date})

    return answer


def test_the_next_run_asks_for_what_has_changed_and_forgets_what_is_gone(
    site: Site, crawled: Crawl
) -> None:
    date = "Mon, 02 Nov 2026 10:00:00 GMT"
    site.routes |= {
        "/": tagged(linked("Home", "/a", "/b", "/c", "/d"), '"1"'),
        "/a": dated(linked("A"), date),
        "/b": linked("B"),
        "/c": linked("C"),
        "/d": linked("D"),
    }
    first = crawled()
    assert first.titles == ["A", "B", "C", "D", "Home"]
    print_before = first.index.fingerprint
    site.asked.clear()
    assert crawled().index.fingerprint == print_before
    sent = dict(site.asked)
    assert sent["/"]["if-none-match"] == '"1"'
    assert sent["/a"]["if-modified-since"] == date
    site.routes |= {"/b": linked("B anew"), "/c": Reply(status=410), "/d": moved("/a")}
    done = crawled()
    assert done.titles == ["A", "B anew", "Home"]
    assert len(list(done.folder.glob("pages/*"))) == 3
    assert done.index.fingerprint != print_before


def test_an_interrupted_run_goes_on_where_it_was(site: Site, crawled: Crawl) -> None:
    names = "abcdefgh"
    site.routes |= {f"/{name}": linked(name.upper()) for name in names}
    site.routes["/"] = linked("Home", *(f"/{name}" for name in names))

    def stop(pages: int, left: int, rate: float) -> None:
        if pages == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        crawled(on_progress=stop)
    assert len(site.paths) == 4
    done = crawled()
    assert done.titles == [*names.upper(), "Home"]
    assert sorted(site.paths) == sorted({"/", *(f"/{name}" for name in names)})


def test_a_site_that_stops_answering_ends_the_run_and_the_next_one_goes_on(
    site: Site, crawled: Crawl
) -> None:
    names = "abcdefgh"
    site.routes["/"] = linked("Home", *(f"/{name}" for name in names))
    site.routes["/a"] = linked("A")
    site.fallback = lambda path: Reply(status=503, headers={"retry-after": "999"})
    site.routes["/robots.txt"] = Reply(status=404)
    with pytest.raises(CrawlError, match="does not answer any more"):
        crawled()
    assert len(site.paths) == 7
    site.fallback = linked
    site.asked.clear()
    assert len(crawled().titles) == 9
    assert "/a" not in site.paths


def test_a_page_that_fails_later_is_used_as_it_was(site: Site, crawled: Crawl) -> None:
    site.routes |= {"/": linked("Home", "/a"), "/a": linked("A", "/b"), "/b": linked("B")}
    crawled()
    site.routes["/a"] = Reply(status=500)
    done = crawled()
    assert done.titles == ["A", "B", "Home"]
    assert done.faults == ["/a: answers 500; as it was the last time"]


@pytest.mark.parametrize("cut", [1, 20, 60])
def test_a_journal_that_was_cut_off_loses_at_most_its_last_page(
    site: Site, crawled: Crawl, cut: int
) -> None:
    site.routes |= {"/": linked("Home", "/a"), "/a": linked("A")}
    done = crawled()
    journal = done.folder / JOURNAL
    journal.write_bytes(journal.read_bytes()[:-cut])
    assert crawled().titles == ["A", "Home"]


def test_another_start_in_the_same_folder_takes_its_place(site: Site, crawled: Crawl) -> None:
    site.routes |= {"/one/": linked("One"), "/two/": linked("Two")}
    assert crawled("/one/").titles == ["One"]
    assert crawled("/two/").titles == ["Two"]


def test_an_empty_answer_later_does_not_cost_what_was_kept(site: Site, crawled: Crawl) -> None:
    site.routes["/"] = linked("Home")
    done = crawled()
    site.routes["/"] = Reply(status=404)
    with pytest.raises(CrawlError):
        crawled()
    assert done.titles == ["Home"]
