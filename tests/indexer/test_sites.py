"""Each sample site gives the passages written down beside it.

A sample is a folder under `sites/`; the file of its name says what must come of it.
"""

import datetime
from pathlib import Path

import pytest

from indexer.cutting import cut
from indexer.folder import SiteFolder
from indexer.settings import Sizes
from indexer.sources import read_pages

SITES = Path(__file__).parent / "sites"
TODAY = datetime.date(2026, 6, 1)
SECTIONS = Sizes(least=1)
"""Every section is a passage."""


def read(folder: Path) -> str:
    """Describe all that comes of a site, for people to read."""
    site, faults = SiteFolder(folder, TODAY), []
    pages = [
        site.article(page, faults.append)
        for page in read_pages(site.pages(faults.append), faults.append)
    ]
    lines = [f"{site.generator.name}: {site.site.name}, {site.site.base or 'no base'}"]
    lines += [f"left out: {count} {why}" for why, count in sorted(site.left_out.items()) if count]
    lines += [f"kept: {site.kept.language or '-'} {site.kept.version or '-'}"] * any(
        (site.kept.language, site.kept.version)
    )
    lines += [f"warning: {fault}" for fault in faults]
    for article in filter(None, pages):
        lines += ["", f"== {article.source}", f"{article.title} | {article.url}"]
        for each in cut(article, SECTIONS):
            path = " > ".join(each.headings)
            lines.append(f"-- {each.id} {each.first_line}-{each.last_line} {path}".rstrip())
            lines += [f"   {line}".rstrip() for line in each.text.split("\n") if line.strip()]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", sorted(each.name for each in SITES.iterdir() if each.is_dir()))
def test_a_sample_site_gives_the_passages_written_down(name):
    assert read(SITES / name) == (SITES / f"{name}.txt").read_text("utf-8")
