"""Each sample site gives the passages written down beside it.

A sample is a folder under `sites/`; the file of its name says what must come of it.
"""

from pathlib import Path

import pytest
from articles_of import articles_of

from indexer.cutting import cut
from indexer.settings import Sizes

SITES = Path(__file__).parent / "sites"
SECTIONS = Sizes(least=1)
"""Every section is a passage."""


def read(folder: Path) -> str:
    """Describe all that comes of a site, for people to read."""
    site, articles, left_out, faults = articles_of(folder)
    lines = [f"{site.generator.name}: {site.site.name}, {site.site.base or 'no base'}"]
    lines += [f"left out: {count} {why}" for why, count in sorted(left_out.items())]
    lines += [f"kept: {site.kept.language or '-'} {site.kept.version or '-'}"] * any(
        (site.kept.language, site.kept.version)
    )
    lines += [f"warning: {fault}" for fault in faults]
    for article in articles:
        lines += ["", f"== {article.source}", f"{article.title} | {article.url}"]
        for each in cut(article, SECTIONS):
            path = " > ".join(each.headings)
            lines.append(f"-- {each.id} {each.first_line}-{each.last_line} {path}".rstrip())
            lines += [f"   {line}".rstrip() for line in each.text.split("\n") if line.strip()]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", sorted(each.name for each in SITES.iterdir() if each.is_dir()))
def test_a_sample_site_gives_the_passages_written_down(name):
    assert read(SITES / name) == (SITES / f"{name}.txt").read_text("utf-8")
