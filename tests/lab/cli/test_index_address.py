"""`lab index` of an address: the same contract as for a folder, told meanwhile, and stopped."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from served import Reply, Site, linked

FAST = ("--rate", "100000")


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()


def passages(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "passages.jsonl").read_text("utf-8").splitlines()]


def test_a_site_is_read_indexed_and_found(
    lab: Callable[..., Any], site: Site, tmp_path: Path
) -> None:
    site.routes |= {"/": linked("Home", "/tides", "/gone"), "/tides": linked("Tides")}
    out = tmp_path / "out"
    said = lab("index", f"{site.url}/", "--out", str(out), *FAST)
    assert said.code == 0
    assert said.err == f"warning: {site.url}/gone: answers 404; left out\n"
    assert said.lines[0] == "read as a site of HTML pages from an address"
    assert said.lines[-1].startswith("2 pages, 2 passages, ")
    assert ", 1 warnings, " in said.lines[-1]
    home, tides = passages(out)
    assert (tides["source"], tides["url"]) == (f"{site.url}/tides", f"{site.url}/tides")
    assert (home["title"], tides["first_line"], tides["last_line"]) == ("Home", 1, 1)
    assert site.asked[0][1]["user-agent"].startswith("site-agent-lab/")
    (hit,) = json.loads(lab("search", "tides", "--index", str(out), "--json").out)
    assert hit["id"] == tides["id"]


def test_flags_bound_the_pages_and_name_who_asks(
    lab: Callable[..., Any], site: Site, tmp_path: Path
) -> None:
    site.routes["/"] = linked("Home", "/a", "/b")
    site.fallback = linked
    flags = ("--max-pages", "2", "--user-agent", "my-reader (me@x.example)")
    said = lab("index", f"{site.url}/", "--out", str(tmp_path / "out"), *FAST, *flags)
    assert said.lines[-1].startswith("2 pages, ")
    assert {headers["user-agent"] for _, headers in site.asked} == {"my-reader (me@x.example)"}


def test_a_site_that_cannot_be_read_leaves_the_old_index_whole(
    lab: Callable[..., Any], site: Site, tmp_path: Path
) -> None:
    site.routes["/"] = linked("Home")
    out = tmp_path / "out"
    lab("index", f"{site.url}/", "--out", str(out), *FAST)
    before = {file.name: file.read_bytes() for file in out.iterdir() if file.is_file()}
    site.routes["/"] = Reply(status=500)
    said = lab("index", f"{site.url}/", "--out", str(out), *FAST)
    assert (said.code, said.out) == (2, "")
    assert said.err == f"lab: {site.url}/ answers 500. Look whether it is right.\n"
    assert {file.name: file.read_bytes() for file in out.iterdir() if file.is_file()} == before


def test_ctrl_c_keeps_the_old_index_and_the_pages_and_the_next_run_goes_on(
    spawn: Callable[..., Any], lab: Callable[..., Any], site: Site, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    site.routes["/"] = linked("Home")
    lab("index", f"{site.url}/", "--out", str(out), *FAST)
    before = (out / "passages.jsonl").read_bytes()
    site.asked.clear()
    site.routes |= {"/": linked("Home", "/a", "/slow"), "/a": linked("A")}
    site.routes["/slow"] = lambda _: _waiting(process, site)
    process = spawn("index", f"{site.url}/", "--out", str(out), *FAST)
    stdout, stderr = process.communicate(timeout=30)
    assert (process.returncode, stdout) == (130, "")
    assert stderr.startswith("lab: Stopped. 2 pages are kept in ")
    assert (out / "passages.jsonl").read_bytes() == before
    site.routes["/slow"] = linked("Slow")
    site.asked.clear()
    said = lab("index", f"{site.url}/", "--out", str(out), *FAST)
    assert said.lines[-1].startswith("3 pages, 3 passages, ")
    assert site.paths == ["/slow"]


def _waiting(process: Any, site: Site) -> Reply:
    """Press Ctrl-C, and answer nothing for a while."""
    process.send_signal(signal.SIGINT)
    site.closing.wait(20)
    return Reply()
