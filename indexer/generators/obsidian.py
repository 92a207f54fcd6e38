"""Obsidian: a vault of notes that link by name; a note is called as its file is."""

import datetime
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from indexer.generators import common
from indexer.generators.addresses import given_address
from indexer.generators.anchors import of_obsidian
from indexer.generators.config import read_config, text_in
from indexer.generators.generator import Config, Generator, Page
from indexer.generators.patterns import listed, of_paths
from indexer.generators.published import UNPUBLISHED, draft_or_folder
from indexer.markup import wiki
from indexer.markup.clean import Markup

_MARKUP = Markup(
    before=common.UNSEEN,
    fences=wiki.read_info,
    within=(
        wiki.with_box_titles,
        wiki.without_percent_comments,
        wiki.without_wiki_links,
        wiki.without_image_sizes,
        wiki.without_block_ids,
        wiki.without_highlights,
        *common.ALERTS,
        *common.HTML,
    ),
)
_DRAWING = replace(_MARKUP, within=(wiki.without_drawing, *_MARKUP.within))
_TEMPLATES, _EXCLUDED = "templates", "excluded"
_SETTINGS = (
    (".obsidian/templates.json", "folder"),
    (".obsidian/plugins/templater-obsidian/data.json", "templates_folder"),
)
"""Files that may say where templates lie, and the key for it."""


def address(page: Page) -> str:
    """Return the address by `permalink`, or by path, with `+` for blanks as Publish writes it."""
    given = given_address(page, "permalink")
    return page.inner.as_posix().replace(" ", "+") if given is None else given


def _other_names(values: dict[str, Any]) -> list[str]:
    """Return what a note is called besides: it is looked for by these names too."""
    said = values.get("aliases") or values.get("alias")
    names = said.split(",") if isinstance(said, str) else said if isinstance(said, list) else []
    texts = [" ".join(each.split()) for each in names if isinstance(each, str)]
    return [", ".join(filter(None, texts))] if any(texts) else []


def _beside(home: Path, _config: Config) -> Config:
    said = (text_in(read_config(home / name), key).strip("/") for name, key in _SETTINGS)
    excluded = listed(read_config(home / ".obsidian/publish.json"), _EXCLUDED)
    return {_TEMPLATES: [folder for folder in said if folder], _EXCLUDED: excluded}


def _configured(generator: Generator, config: Config) -> Generator:
    """Know the folders of templates by the vault's settings, where these name them."""
    folders = {PurePosixPath(each) for each in listed(config, _TEMPLATES)}
    if not folders:
        return generator
    return replace(generator, is_part=lambda path: not folders.isdisjoint(path.parents))


def _for_page(generator: Generator, page: Page) -> Generator:
    return replace(generator, markup=_DRAWING) if "excalidraw-plugin" in page.values else generator


def _is_part(path: PurePosixPath) -> bool:
    return any(part.lower() in ("templates", "_templates") for part in path.parts[:-1])


def _reason(page: Page, today: datetime.date) -> str:
    if page.values.get("publish") is False:
        return UNPUBLISHED
    return draft_or_folder(page, today)


OBSIDIAN = Generator(
    name="Obsidian",
    marks=(".obsidian",),
    address=address,
    markup=_MARKUP,
    anchor=of_obsidian,
    is_part=_is_part,
    excluded=of_paths(_EXCLUDED),
    reason=_reason,
    shown=_other_names,
    names_title=True,
    beside=_beside,
    configured=_configured,
    for_page=_for_page,
)
