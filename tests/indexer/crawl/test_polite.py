"""A host is asked no faster than agreed, and later where it says so."""

import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from served import Reply, Site, linked

from indexer.crawl.crawl import Options, crawl
from indexer.crawl.polite import Manners, Visitor

HOUR = "in an hour, as a date"
WAITS = [("7", [7.0]), ("", [2.0]), ("soon", [2.0]), ("999", []), (HOUR, [])]


@pytest.mark.parametrize(("said", "waits"), WAITS)
def test_a_busy_host_is_asked_again_when_it_says_or_not_at_all(
    site: Site, said: str, waits: list[float]
) -> None:
    if said == HOUR:
        said = format_datetime(datetime.now(UTC) + timedelta(hours=1))
    replies = iter([Reply(status=503, headers={"retry-after": said}), linked("Home")])
    site.routes["/"] = lambda _: next(replies)
    slept: list[float] = []
    visitor = Visitor(Manners("x", rate=1e6, sleep=slept.append))
    answer = visitor.get(f"{site.url}/", lambda *_: 100)
    assert answer.status == (200 if waits else 503)
    assert [wait for wait in slept if wait > 0.1] == waits


def test_requests_keep_the_pace(site: Site, tmp_path: Path) -> None:
    site.routes |= {"/": linked("Home", "/a", "/b"), "/a": linked("A"), "/b": linked("B")}
    began = time.monotonic()
    crawl(f"{site.url}/", tmp_path, Options(Manners("x", rate=20)), lambda _: None)
    assert len(site.asked) == 4
    assert time.monotonic() - began >= 3 / 20


def test_a_slower_pace_that_robots_txt_asks_for_is_kept(site: Site, tmp_path: Path) -> None:
    site.routes |= {
        "/robots.txt": Reply(b"User-agent: *\nCrawl-delay: 30\n"),
        "/": linked("Home", "/a"),
        "/a": linked("A"),
    }
    slept: list[float] = []
    manners = Manners("x", rate=1e6, sleep=slept.append)
    crawl(f"{site.url}/", tmp_path, Options(manners), lambda _: None)
    assert [round(wait) for wait in slept if wait > 1] == [30]
