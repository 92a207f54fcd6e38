"""What a folder's pages come to, before they are cut."""

import datetime
from collections import Counter
from pathlib import Path

from indexer.articles import Article
from indexer.faults import Fault
from indexer.folder import SiteFolder

TODAY = datetime.date(2026, 6, 1)


def articles_of(folder: Path) -> tuple[SiteFolder, list[Article], Counter[str], list[Fault]]:
    """The folder's reader, the articles of the site, what was left out and why, and faults."""
    site, faults = SiteFolder(folder, TODAY), list[Fault]()
    pages = [site.page(path, file, faults.append) for path, file in site.pages(faults.append)]
    read = [site.article(page, faults.append) for page in pages if page]
    left_out = Counter(site.left_out) + Counter(each.absent for each in read if each.absent)
    return site, [each for each in read if not each.absent], left_out, faults
