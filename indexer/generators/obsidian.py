"""Obsidian: a vault of notes that link by name; a note is called as its file is."""

from pathlib import PurePosixPath

from indexer.generators import common
from indexer.generators.addresses import given_address
from indexer.generators.generator import Generator, Page
from indexer.generators.published import draft_or_folder
from indexer.markup import wiki
from indexer.markup.clean import Markup

_MARKUP = Markup(
    before=common.UNSEEN,
    within=(
        wiki.without_percent_comments,
        wiki.without_wiki_links,
        wiki.without_image_sizes,
        wiki.without_block_ids,
        wiki.without_highlights,
        *common.ALERTS,
        *common.HTML,
    ),
)


def address(page: Page) -> str:
    """Return the address by `permalink`, or by path, with `+` for blanks as Publish writes it."""
    given = given_address(page, "permalink")
    return page.inner.as_posix().replace(" ", "+") if given is None else given


def _is_part(path: PurePosixPath) -> bool:
    return any(part.lower() in ("templates", "_templates") for part in path.parts[:-1])


OBSIDIAN = Generator(
    name="Obsidian",
    marks=(".obsidian",),
    address=address,
    markup=_MARKUP,
    is_part=_is_part,
    reason=draft_or_folder,
    names_title=True,
)
