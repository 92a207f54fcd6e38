"""Eleventy: permalinks, Nunjucks and Liquid, dates cut off from file names."""

import datetime
import re
from dataclasses import replace
from functools import partial

from indexer.generators import common
from indexer.generators.addresses import dated, folder_address, given_address
from indexer.generators.eleventy_ignored import IGNORED, ignored, is_ignored
from indexer.generators.generator import Config, Generator, Page
from indexer.generators.published import UNPUBLISHED, draft_or_folder
from indexer.markup import liquid
from indexer.markup.clean import Markup
from indexer.markup.includes import Include

_MARKUP = Markup(
    before=(*common.UNSEEN, liquid.raw_kept, liquid.fences_of_highlight),
    within=(
        *(liquid.without_hash_comments, *common.LIQUID),
        *(*common.COLONS, *common.ALERTS, *common.HTML, *common.ATTRIBUTES),
    ),
)


def address(page: Page) -> str:
    """Return the address by `permalink`, or by path; a file named like its folder is its index."""
    given = given_address(page, "permalink")
    if given is not None:
        return given
    path = page.inner
    path = path.with_name(dated(path.name)[1])
    same = path.name == path.parent.name
    return folder_address(path.parent if same else path, "index")


def _reason(page: Page, today: datetime.date) -> str:
    hidden = page.values.get("permalink") is False
    return UNPUBLISHED if hidden else draft_or_folder(page, today)


def _configured(generator: Generator, config: Config) -> Generator:
    """Leave out what the site ignores."""
    return replace(generator, is_excluded=partial(is_ignored, config=config))


ELEVENTY = Generator(
    name="Eleventy",
    marks=(
        *(".eleventy.js", ".eleventy.cjs", "eleventy.config.js", "eleventy.config.mjs"),
        *("eleventy.config.cjs", "eleventy.config.ts"),
    ),
    area_keys=("dir.input", "setInputDirectory"),
    beside=lambda home, config: {IGNORED: ignored(home, config)},
    configured=_configured,
    address=address,
    markup=_MARKUP,
    is_part=lambda path: any(part in ("_includes", "_data", "_layouts") for part in path.parts),
    reason=_reason,
    includes=(
        Include(
            re.compile(r"\s*\{%-?\s*include\s+[\"'](?P<file>[^\"'%]+\.(?:md|txt))[\"'][^%]*%\}\s*"),
            ("_includes", "src/_includes", "."),
        ),
    ),
)
