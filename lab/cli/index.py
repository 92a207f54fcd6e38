"""`lab index`: a folder of articles, or a site at an address, to an index on disk."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import click

from indexer.content import PLAIN, BuildReport
from indexer.crawl.crawl import MAX_PAGES
from indexer.faults import Fault
from indexer.generators.published import LANGUAGES, ORDER, VERSIONS
from indexer.readers import cores
from indexer.settings import Settings
from indexer.storage import SEARCH
from lab.cli.building import built
from lab.cli.crawling import AGENT, crawled

MOST_WARNINGS = 50
"""So many are told one by one."""


@click.command()
@click.argument("source")
@click.option(
    "--out", required=True, metavar="DIR", type=Path, help="Folder to write the index to."
)
@click.option(
    "--engine",
    default="",
    metavar="NAME",
    help="What scores the passages: rank-bm25, tantivy, milvus, or milvus:ADDRESS for a server. "
    "Without it: what suits their number.",
)
@click.option(
    "--max-pages",
    default=MAX_PAGES,
    show_default=True,
    metavar="N",
    type=click.IntRange(min=1),
    help="Of an address: pages to read at most.",
)
@click.option(
    "--rate",
    default=1.0,
    show_default=True,
    metavar="N",
    type=click.FloatRange(min=0, min_open=True),
    help="Of an address: requests a second at most; fewer where the site's robots.txt says so.",
)
@click.option(
    "--user-agent",
    default=AGENT,
    show_default=True,
    metavar="TEXT",
    help="Of an address: who asks. With a way to reach you in it the site's owner can complain.",
)
@click.option(
    "--processes",
    default=0,
    metavar="N",
    type=click.IntRange(min=0),
    help="How many read the pages of a large site. Without it: one a processor.",
)
@click.option("--semantic", is_flag=True, help="Find by meaning too; needs the extra `semantic`.")
def command(  # noqa: PLR0913, PLR0917  one parameter an option
    source: str,
    out: Path,
    engine: str,
    max_pages: int,
    rate: float,
    user_agent: str,
    processes: int,
    semantic: bool,
) -> None:
    """Cut the articles of SOURCE into passages, index them, and write both to DIR.

    SOURCE is a folder of Markdown, a folder of built HTML, or the address of a sitemap, of an RSS
    or Atom feed, or of a page whose links are followed within its folder.

    A folder of Markdown may be that of a site by Hugo, Jekyll, Eleventy, Astro, Docusaurus, MkDocs,
    Sphinx, Quarto, VitePress, VuePress, mdBook or Obsidian: then drafts, parts, and other languages
    and versions are left out, and counted. A fault in a page is one warning on stderr; the page is
    indexed all the same.

    What has not changed since the last time is not read again, and a run that was stopped goes on
    where it was; delete DIR to begin anew.

    From an address only its host is read, slowly, and what its robots.txt allows. The pages are
    kept in DIR/crawl: a run that was stopped goes on there, and the next one asks only for what has
    changed.

    A `site.toml` in the folder may say name, base and language of the site, its generator, its
    folder of articles, the languages and versions to keep (a list, or "all"), and include_drafts.
    """
    began = time.perf_counter()
    folder, met = Path(source), list[Fault]()
    if source.lower().startswith(("http://", "https://")):
        folder, met = crawled(source, out, max_pages, rate, user_agent)
    report = built(folder, out, Settings(engine=engine, semantic=semantic), processes or cores())
    for fault in report.faults[:MOST_WARNINGS]:
        click.echo(f"warning: {fault}", err=True)
    if (more := len(report.faults) - MOST_WARNINGS) > 0:
        click.echo(f"warning: {more:,} more are listed in {out / SEARCH}", err=True)
    for line in described(report):
        click.echo(line)
    warnings, seconds = len(met) + len(report.faults), time.perf_counter() - began
    click.echo(
        f"{report.pages:,} pages, {report.passages:,} passages, {report.words:,} words, "
        f"{warnings:,} warnings, {seconds:.1f} seconds"  # scripts read this line
    )


def described(report: BuildReport) -> Iterator[str]:
    """Say what the folder was read as and what was left out, where that is not plain."""
    if report.generator != PLAIN:
        yield f"read as a site of {report.generator}"
    kept = {LANGUAGES: report.kept.language, VERSIONS: report.kept.version}
    told = [
        f"{report.left_out[why]:,} {why}" + (f" ({kept[why]} kept)" if kept.get(why) else "")
        for why in dict.fromkeys((*ORDER, *sorted(report.left_out)))
        if report.left_out.get(why)
    ]
    if told:
        yield f"left out: {', '.join(told)}"
    if report.known:
        yield f"{report.read:,} pages read anew, {report.known:,} known from the last time"
