"""The folders of an Eleventy site, as its configuration names them. Knows no file in them."""

from posixpath import normpath

from indexer.generators.config import text_in
from indexer.generators.generator import Config

_DEFAULTS = {"input": ".", "output": "_site", "includes": "_includes", "data": "_data"}


def folder_of(config: Config, use: str) -> str:
    """Return the folder for a use, `layouts` or one of those with a default; empty for none.

    `input` and `output` are relative to the site's folder, where they are `.`; others to `input`.
    """
    named = text_in(config, f"dir.{use}", f"set{use.title()}Directory") or _DEFAULTS.get(use, "")
    return normpath(named) if named else ""
