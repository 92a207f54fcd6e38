"""What the configuration of a Docusaurus site says of its docs, blogs and pages."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from indexer.generators.config import as_table
from indexer.generators.generator import Config
from indexer.generators.patterns import listed, whole

_DEFAULTS = {"docs": ("docs", "docs"), "blog": ("blog", "blog"), "pages": ("src/pages", "/")}
"""Folder and address of each kind."""
_PLUGIN = "plugin-content-"


@dataclass(frozen=True, slots=True)
class Collection:
    """Pages of one kind that lie in one folder."""

    kind: str
    """`docs`, `blog` or `pages`."""
    id: str
    """Empty for the one of its kind that needs none."""
    folder: str
    """As the configuration names it: `docs`, or `../docs` beside the site's own folder."""
    base: str
    """Where it begins on the site, without slashes around it."""
    versions: tuple[str, ...] = ()
    """Released versions of docs, newest first; the folder itself is one where there are none."""
    paths: Mapping[str, str] = field(default_factory=dict)
    """What addresses call a version, where not by its name."""
    current: bool = False
    """Whether the folder, and no released version, is what is shown without a version's name."""
    excluded: tuple[str, ...] = ()
    """Patterns of paths in it, or in the folder of one version, that are no pages."""

    @property
    def released(self) -> str:
        """The folder of released versions."""
        return f"{self.id}_versioned_docs" if self.id else "versioned_docs"

    @property
    def inside(self) -> str:
        """The folder, below that of the site or the one above."""
        return self.folder.removeprefix("../")


def collections(config: Config) -> list[Collection]:
    """Return what a site has: of its preset, and of plugins of their own."""
    found = [
        _collection(kind, options.get(kind), config)
        for options in _presets(config)
        for kind in _DEFAULTS
        if options.get(kind) is not False
    ]
    for name, options in _entries(config.get("plugins")):
        _, plugin, kind = name.partition(_PLUGIN)
        if plugin and kind in _DEFAULTS:
            found.append(_collection(kind, options, config))
    return found or [_collection(kind, {}, config) for kind in _DEFAULTS]


def areas(config: Config) -> tuple[str, ...]:
    """Return all folders that may hold pages."""
    found = [
        folder
        for each in collections(config)
        for folder in (each.folder, *([each.released] if each.versions else []))
    ]
    return (*dict.fromkeys(found), "i18n")


def _presets(config: Config) -> list[dict[str, Any]]:
    return [options for _, options in _entries(config.get("presets"))]


def _entries(listed: Any) -> list[tuple[str, dict[str, Any]]]:
    """Return names and options of presets or plugins: each a name, or a list of the two."""
    entries = [[each] if isinstance(each, str) else each for each in _listed(listed)]
    return [
        (each[0], next((other for other in each[1:] if isinstance(other, dict)), {}))
        for each in entries
        if isinstance(each, list) and each and isinstance(each[0], str)
    ]


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _collection(kind: str, options: Any, config: Config) -> Collection:
    said = as_table(options)
    texts = {key: value for key, value in said.items() if isinstance(value, str)}
    folder, base = _DEFAULTS[kind]
    id = texts.get("id", "").removeprefix("default")
    folder = texts.get("path", folder).removeprefix("./").strip("/")
    base = texts.get("routeBasePath", base).strip("/")
    versions = _listed(config.get("versions")) if kind == "docs" and not id else []
    current = texts.get("lastVersion") == "current"
    excluded = whole(listed(said, "exclude"))
    released = tuple(map(str, versions))
    return Collection(kind, id, folder, base, released, _paths(said), current, excluded)


def _paths(said: dict[str, Any]) -> dict[str, str]:
    """Return the paths that versions are given."""
    versions = said.get("versions")
    given = {
        version: options.get("path")
        for version, options in (versions.items() if isinstance(versions, dict) else ())
        if isinstance(options, dict)
    }
    return {version: path.strip("/") for version, path in given.items() if isinstance(path, str)}
