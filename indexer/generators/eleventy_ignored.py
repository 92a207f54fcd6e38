"""Which files in its folder of pages an Eleventy site does not read."""

from pathlib import Path, PurePosixPath
from posixpath import normpath

from indexer.generators import patterns
from indexer.generators.config import read_start
from indexer.generators.eleventy_folders import folder_of
from indexer.generators.generator import Config

IGNORED = "what is ignored"
"""Key of the configuration under which `ignored` is kept."""


def ignored(home: Path, config: Config) -> tuple[str, ...]:
    """Return what the site in a folder ignores, as patterns of paths below it.

    Each begins with `/`: unlike Git, Eleventy looks for a name beside the file that lists it alone.
    """
    pages, output = folder_of(config, "input"), folder_of(config, "output")
    files = [(".", ".eleventyignore"), (pages, ".eleventyignore")]
    if config.get("setUseGitIgnore") is not False:
        files.append((".", ".gitignore"))
    listed = [
        f"{folder}/{line.strip()}"
        for folder, name in files
        for line in read_start(home / folder / name).splitlines()
        # Nor does it know exceptions.
        if line.strip() and not line.strip().startswith(("#", "!"))
    ]
    added = config.get("ignores")
    listed += [each for each in added if isinstance(each, str)] if isinstance(added, list) else []
    if not f"{pages}/".startswith(f"{output}/"):
        listed.append(output)
    return tuple(dict.fromkeys(f"/{normpath(each)}" for each in listed))


def is_ignored(inner: PurePosixPath, config: Config) -> bool:
    """Tell whether a file, by its path in the folder of pages, is one of those."""
    path = normpath(f"{folder_of(config, 'input')}/{inner}")
    return patterns.match(path, config.get(IGNORED, ()))
