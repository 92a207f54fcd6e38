"""Which generator a folder is for: by the files it keeps there, or by name."""

import re
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from posixpath import normpath

from indexer.errors import SiteError
from indexer.generators import patterns
from indexer.generators.astro import ASTRO
from indexer.generators.config import read_config, read_value, text_in
from indexer.generators.docusaurus import DOCUSAURUS
from indexer.generators.eleventy import ELEVENTY
from indexer.generators.generator import Config, Generator
from indexer.generators.hugo import HUGO
from indexer.generators.jekyll import JEKYLL
from indexer.generators.mdbook import MDBOOK
from indexer.generators.mkdocs import MKDOCS
from indexer.generators.obsidian import OBSIDIAN
from indexer.generators.plain import PLAIN
from indexer.generators.quarto import QUARTO
from indexer.generators.sphinx import SPHINX
from indexer.generators.vitepress import VITEPRESS, VUEPRESS
from indexer.site import Choices, Site, articles_folder
from indexer.sources import WRITTEN_BY_TOOLS, has_page

GENERATORS = (
    *(
        DOCUSAURUS,
        QUARTO,
        VITEPRESS,
        VUEPRESS,
        MKDOCS,
        MDBOOK,
        SPHINX,
        HUGO,
        ASTRO,
        ELEVENTY,
        JEKYLL,
        OBSIDIAN,
    ),
    PLAIN,
)
"""In the order in which their marks are looked for: some sites hold those of two."""
NAMES = {generator.name.lower(): generator for generator in GENERATORS} | {
    "myst": SPHINX,
    "starlight": ASTRO,
    "11ty": ELEVENTY,
    "none": PLAIN,
}
_LANGUAGE = re.compile(r"[a-z]{2}\b")
_HOMES = ("", "docs", "website", "docs/source", "source", "site", "doc", "www", "book", "guide")
"""Where in a repository a site may lie."""


@dataclass(frozen=True, slots=True)
class Found:
    """A generator, and where its pages lie."""

    generator: Generator
    """The generator."""
    root: Path
    """The folder that the paths of pages are relative to, and that no include leads out of."""
    areas: tuple[str, ...]
    """The folders of pages in it; the folder itself where that is empty."""
    config: Config = field(default_factory=dict)
    """What the configuration says."""
    inside: str = ""
    """The folder in one of those to which reading is bounded; empty for all of them."""


def found_in(folder: Path, choices: Choices) -> Found:
    """Return the generator of a site: by name where its description says, else by its files.

    A folder of pages is known too by what lies beside it, such as Hugo's `content`.
    """
    articles = articles_folder(folder)
    generators = _named(choices.generator)
    for above in (folder, *folder.resolve().parents[:2]):
        for home in (each for each in _HOMES if (above / each).is_dir()):
            for generator in generators:
                site = site_at(above, home, generator, choices)
                found = site if above == folder or not site else _bounded(site, folder)
                if found and (not home or has_pages(found)):
                    return found
    if choices.generator and generators[0] is not PLAIN:
        return Found(generators[0], folder, _areas(folder, "", generators[0], {}, choices))
    return Found(PLAIN, articles, ("",))


def site_at(above: Path, home: str, generator: Generator, choices: Choices) -> Found | None:
    """Return the site of a generator that lies in `home` in a folder; None without its marks."""
    mark = marked(above / home, generator)
    if mark is None:
        return None
    config = _config(mark, above / home, generator)
    root, inner = _root(above, home, generator, config)
    areas = _areas(root, inner, generator, config, choices)
    configured = _with_more(generator.configured(generator, config), config)
    return Found(configured, root, areas, config)


def described(site: Site, found: Found, given: tuple[str, ...]) -> Site:
    """Return the site with what its generator's configuration knows.

    `given` are the keys of its `site.toml`, which comes first.
    """
    generator, config = found.generator, found.config
    base = _joined([text_in(config, key) for key in generator.base_keys])
    if "base" not in given and base.startswith(("http://", "https://")):
        site = replace(site, base=base)
    if "name" not in given:
        site = replace(site, name=text_in(config, *generator.name_keys) or site.name)
    language = _LANGUAGE.match(text_in(config, *generator.language_keys).lower())
    if "language" not in given and language:
        site = replace(site, language=language[0])
    return site


def _joined(parts: list[str]) -> str:
    """Return an address and the paths below it as one; a path that it ends in is there once."""
    base = ""
    for part in filter(None, (each.strip("./") for each in parts)):
        base += "" if base.endswith(f"/{part}/") else f"{part}/"
    return base


def _named(name: str) -> tuple[Generator, ...]:
    if not name:
        return GENERATORS
    if name.lower() not in NAMES:
        known = ", ".join(sorted(NAMES))
        raise SiteError(f"site.toml: there is no generator {name!r}. Name one of: {known}.")
    return (NAMES[name.lower()],)


def _root(above: Path, home: str, generator: Generator, config: Config) -> tuple[Path, str]:
    """Return the folder that holds a site and its pages, and where in it the site lies.

    A site that lies in the folder itself may have its pages beside it, and no farther away.
    """
    beside = any(name.startswith("../") for name in _named_areas(generator, config))
    whole = above.resolve()
    return (whole.parent, whole.name) if beside and not home else (above, home)


def _named_areas(generator: Generator, config: Config) -> tuple[str, ...]:
    said = text_in(config, *generator.area_keys).removeprefix("./").rstrip("/")
    return generator.areas_in(config) or ((said,) if said else generator.areas)


def _areas(
    root: Path, home: str, generator: Generator, config: Config, choices: Choices
) -> tuple[str, ...]:
    """Return the folders of pages that are there, relative to `root`."""
    if choices.articles:
        return (choices.articles.strip("/"),)
    names = _named_areas(generator, config)
    paths = dict.fromkeys(normpath(f"./{home}/{name}") for name in names)
    there = ["" if path == "." else path for path in paths if _is_inside(root, path)]
    return tuple(there) or (home,)


def _bounded(site: Found, folder: Path) -> Found | None:
    """Return the site above a folder, bounded to that; None where it has no pages there."""
    own = folder.resolve().relative_to(site.root).as_posix()
    areas = tuple(area for area in site.areas if lies_in(own, area) and _is_read(own, area, site))
    return replace(site, areas=areas, inside=own) if areas else None


def has_pages(site: Found) -> bool:
    """Tell whether a site has a page at all: one that is all program leaves the rest to be read."""
    return any(has_page(site.root, area, site.generator.suffixes) for area in site.areas)


def lies_in(path: str, folder: str) -> bool:
    """Tell whether a path is a folder's, or in it; all are in the one without a name."""
    return not folder or f"{path}/".startswith(f"{folder}/")


def _is_read(folder: str, area: str, site: Found) -> bool:
    inner, generator = PurePosixPath(folder).relative_to(area), site.generator
    return not (
        any(each.startswith(".") or each in WRITTEN_BY_TOOLS for each in inner.parts)
        or patterns.match(f"{inner}/", generator.excluded(site.config))
        or generator.is_excluded(inner)
        or generator.is_part(inner)
    )


def _is_inside(root: Path, path: str) -> bool:
    folder = root / path
    return folder.is_dir() and folder.resolve().is_relative_to(root.resolve())


def marked(folder: Path, generator: Generator) -> Path | None:
    """Return the file or folder that tells a site of this generator; None where there is none."""
    for mark in generator.marks:
        files = [folder / part for part in mark.split("+")]
        if all(file.exists() for file in files):
            return files[0]
    return None


def _config(mark: Path, home: Path, generator: Generator) -> Config:
    """Return what the configuration says, with those of its keys that have files of their own."""
    config = read_config(mark, home) if mark.is_file() else {}
    for key, name in generator.config_parts:
        if key not in config and (found := read_value(home / name)):
            config[key] = found
    beside = generator.beside(home, config)
    missing = {key: said for key, said in beside.items() if not config.get(key)}
    return {**config, **missing}


def _with_more(generator: Generator, config: Config) -> Generator:
    """Return the generator with the suffixes and the folders of pages that a site names."""
    more = patterns.listed(config, generator.suffix_key)
    areas = generator.areas_in(config)
    if not more and not areas:
        return generator
    suffixes = dict.fromkeys((*generator.suffixes, *more))
    return replace(generator, suffixes=tuple(suffixes), areas=areas or generator.areas)
