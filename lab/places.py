"""Where the lab keeps what it writes, and where the sample site is."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

APP = "site-agent-lab"

INDEX = "LAB_INDEX"
"""Environment variable that names the index to use."""
LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""Names by which only this machine is reached."""


def home() -> Path:
    """The folder of saved runs: LAB_HOME, or the platform's user data folder."""
    named = os.environ.get("LAB_HOME")
    return Path(named) if named else Path(platformdirs.user_data_dir(APP, appauthor=False))


def cache() -> Path:
    """The folder of what can be built again: in LAB_HOME, or the platform's cache folder."""
    named = os.environ.get("LAB_HOME")
    return (
        Path(named) / "cache" if named else Path(platformdirs.user_cache_dir(APP, appauthor=False))
    )


def config_file(name: str, variable: str) -> Path | None:
    """The user's own file of that name: where `variable` says, else in the configuration folder.

    None where there is none. A file that the variable names must exist; whoever reads it says so.
    """
    if named := os.environ.get(variable):
        return Path(named)
    usual = Path(platformdirs.user_config_dir(APP, appauthor=False)) / name
    return usual if usual.is_file() else None


def named_index() -> str:
    """The folder of the index that LAB_INDEX names; empty for the sample site's."""
    return os.environ.get(INDEX, "")


def is_sample() -> bool:
    """True where no other index is named: of the sample site, questions and answers are known."""
    return not named_index()


def sample_site() -> Path:
    """The sample site of a checkout; it is no part of an installed package."""
    return Path(__file__).resolve().parent.parent / "corpus"
