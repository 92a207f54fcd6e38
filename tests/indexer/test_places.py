"""Places are found in a table, whether passages are held or lie in a file, as by looking at all."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from indexer.passages import Passage
from indexer.places import Listed, Places, table
from indexer.stored import StoredPassages, line

URLS = st.sampled_from(["", "/", "/a/", "/a", "/b/#x", "/b/#x/", "é", "https://s.example/a?b=1"])
TITLES = st.text(st.characters(codec="utf-8"), max_size=8)


@st.composite
def sites(draw: st.DrawFn) -> list[Passage]:
    """Articles of one to four passages each, in some order of names."""
    names = st.text(st.characters(codec="utf-8", exclude_characters="#\n"), min_size=1, max_size=4)
    found = []
    for slug in draw(st.lists(names, unique=True, max_size=8)):
        title = draw(TITLES)
        for at in range(draw(st.integers(1, 4))):
            text, headings = draw(TITLES), tuple(draw(st.lists(TITLES, max_size=2)))
            url = draw(URLS)
            found.append(
                Passage(f"{slug}#{at}", slug, title, url, headings, text, slug, 1, 1, len(text))
            )
    return found


@given(sites(), st.data())
def test_all_is_found_as_by_looking_at_every_passage(
    site: list[Passage], data: st.DataObject
) -> None:
    with TemporaryDirectory() as folder:
        rows = table(site)
        for at, passage in enumerate(site):
            rows["start"][at + 1] = rows["start"][at] + len(line(passage))
        file = Path(folder) / "passages.jsonl"
        file.write_bytes(b"".join(map(line, site)))
        stored = StoredPassages(file, rows["start"])
        assert list(stored) == site
        for places in (Places(site, rows), Places(stored, rows)):
            holds(places, site)
            url = data.draw(URLS)
            there = [at for at, p in enumerate(site) if p.url.rstrip("/") == url.rstrip("/")]
            assert places.at_address(url) == next(iter(there), None)


def holds(places: Places, site: list[Passage]) -> None:
    """What does not depend on what is asked for."""
    ids = [passage.id for passage in site]
    assert [places.find(id) for id in ids] == list(range(len(ids)))
    assert places.find("no#such") is None
    assert list(places.near("no#such")) == sorted(ids)
    assert [sorted(ids).index(id) for id in ids] == places.ranks.tolist()
    grouped = [list(of) for _, of in groupby(site, attrgetter("article"))]
    assert places.articles() == [
        Listed(of[0].article, of[0].title, site.index(of[0]), len(of)) for of in grouped
    ]
    texts = [len(site[at].text) for at in places.longest("text", 3)]
    assert texts == sorted((len(passage.text) for passage in site), reverse=True)[:3]
