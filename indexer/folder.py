"""A site's folder as its generator understands it: which files are pages, and what each is.

Does not know how articles are cut for search.
"""

import datetime
from collections import Counter
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from indexer.articles import Article, Reading, read_article
from indexer.faults import Fault, Warn
from indexer.frontmatter import read_front_matter
from indexer.generators import patterns, published
from indexer.generators.deeper import faults
from indexer.generators.detect import described, found_in, lies_in
from indexer.generators.plain import PLAIN
from indexer.outcomes import Copies, Outcome, digest
from indexer.site import Site, read_choices, read_site
from indexer.sources import SourcePage, list_files, no_pages, read_text
from indexer.variants import Told, Variant, choose

OTHER_KINDS = (
    *(".adoc", ".asciidoc", ".org", ".textile", ".rst", ".ipynb", ".qmd", ".mdx", ".njk"),
    ".canvas",
)
"""Of files that hold articles, but that not every generator's folder is read for."""


class SiteFolder:
    """Reads the pages of one site."""

    def __init__(self, folder: Path, today: datetime.date | None = None) -> None:
        self._choices = read_choices(folder)
        found = found_in(folder, self._choices)
        self.generator = found.generator
        """What the folder is written for."""
        self.site: Site = described(read_site(folder), found, self._choices.given)
        """What the site says of itself."""
        self.left_out: Counter[str] = Counter()
        """How many files are not to be read, by the reason."""
        self.parts: list[tuple[str, Path]] = []
        """Path and file of what is no page of its own, but may be included."""
        self.kept = Variant()
        """The language and the version that were preferred; empty where there is but one."""
        self._root, self._areas, self._config = found.root, found.areas, dict(found.config)
        self._inside = found.inside
        self._excluded = self.generator.excluded(found.config)
        self._spoken: Mapping[str, str] = {}
        self._today = today or datetime.date.today()
        self._digests: dict[str, str] = {}
        self._copies = Copies(titled=True)

    def pages(self, warn: Warn) -> list[tuple[str, Path]]:
        """Return path and file of every page to read, sorted by path.

        Raises SourceError where there is none.
        """
        suffixes = (*self.generator.suffixes, *OTHER_KINDS)
        found = dict[str, Path]()
        for area in self._areas:
            files = list_files(self._root, self._inside or area, suffixes, warn)
            pages = {path: file for path, file in files if self._is_page(path, file, area)}
            found |= self._led(self._indexed(pages), area)
        deeper = self._deeper()
        if not found:
            one = self._inside or (self._areas[0] if len(self._areas) == 1 else "")
            raise no_pages(self._root / one, self.generator.suffixes, deeper)
        for fault in deeper:
            warn(fault)
        told = Told(
            lambda path: self.generator.variant(path, self._config), self._language_folders()
        )
        chosen = choose(
            sorted(found),
            self.site.language,
            told,
            self._choices.languages,
            self._choices.versions,
        )
        self.kept, self._spoken = chosen.kept, chosen.spoken
        self._config["chosen_version"] = chosen.kept.version
        self.left_out[published.LANGUAGES] += chosen.languages
        self.left_out[published.VERSIONS] += chosen.versions
        return [(path, found[path]) for path in chosen.paths]

    def page(self, path: str, file: Path, warn: Warn) -> SourcePage | None:
        """Return the text of a page; None, and a fault, where it cannot be read."""
        text = read_text(path, file, warn, self._language_of(path))
        return None if text is None else SourcePage(path, text)

    def article(self, page: SourcePage, warn: Warn) -> Article:
        """Return the article that a page holds."""
        area = next(each for each in self._areas if lies_in(page.path, each))
        reading = Reading(
            self.generator,
            area,
            self._config,
            self._fetch,
            self._today,
            self._choices.include_drafts,
            self._spoken.get(page.path, ""),
        )
        return read_article(page, self.site, warn, reading)

    def superseded(self, outcome: Outcome) -> str:
        """Return why a page gives way: another one says the same."""
        return published.COPIES if self._copies.has(outcome) else ""

    def included(self, path: str) -> str:
        """Return the digest of a file that pages include; empty where they cannot."""
        if path not in self._digests:  # many pages may include it
            lines = self._fetch(path)
            self._digests[path] = "" if lines is None else digest("\n".join(lines))
        return self._digests[path]

    def particulars(self, path: str) -> str:
        """Return what is to know of a page besides its file: the language its place says."""
        return self._spoken.get(path, "")

    def description(self) -> str:
        """Return all that the pages' articles depend on besides their files, as text."""
        config = sorted(self._config.items(), key=lambda pair: str(pair[0]))
        return repr(
            (self.site, self._choices, self.generator.name, self._areas, self._inside, config)
        )

    def _language_of(self, path: str) -> str:
        """Return the language that a page is to be expected in, before it is read."""
        return self._spoken.get(path, "") or self.site.language

    def _language_folders(self) -> dict[str, str] | None:
        """Return which folders are languages; None where their names tell."""
        inner = self.generator.languages(self._config)
        if inner is None:
            return None
        return {
            f"{area}/{folder}".strip("/"): language
            for area in self._areas
            for folder, language in inner.items()
        }

    def _deeper(self) -> list[Fault]:
        """Return what is to say of the sites in a folder that is taken for none itself."""
        guessed = self.generator is PLAIN and not self._choices.generator
        return faults(self._root) if guessed else []

    def _is_page(self, path: str, file: Path, area: str) -> bool:
        inner = PurePosixPath(path[len(area) :].lstrip("/"))
        suffix, generator = inner.suffix.lower(), self.generator
        excluded = patterns.match(inner.as_posix(), self._excluded) or generator.is_excluded(inner)
        is_part = not excluded and generator.is_part(inner)
        if suffix not in generator.suffixes:  # a layout, or what is excluded, holds no article
            self.left_out[f"{suffix} files"] += not (excluded or is_part)
        elif excluded:
            self.left_out[published.EXCLUDED] += 1
        elif is_part:
            self.left_out[published.PARTS] += 1
            self.parts.append((path, file))
        else:
            return True
        return False

    def _indexed(self, pages: dict[str, Path]) -> dict[str, Path]:
        """Return the pages of an area without what gives way to the index of its folder."""
        if not self.generator.readme_gives_way:
            return pages
        names = {path: PurePosixPath(path) for path in pages}
        indexed = {name.parent for name in names.values() if name.stem.lower() == "index"}
        found = {
            path: file
            for path, file in pages.items()
            if names[path].stem.lower() != "readme" or names[path].parent not in indexed
        }
        self.left_out[published.EXCLUDED] += len(pages) - len(found)
        return found

    def _led(self, pages: dict[str, Path], area: str) -> dict[str, Path]:
        """Return the pages of an area without the files that are parts of one of them."""
        top, leads = PurePosixPath(area), self.generator.leads
        parted = {PurePosixPath(path).parent for path in pages if leads(PurePosixPath(path))}
        parted.discard(top)  # the front page has the whole site below it
        if not parted:
            return pages
        found = dict[str, Path]()
        for path, file in pages.items():
            inner = PurePosixPath(path)
            above = [each for each in inner.parents if each in parted]
            if not above or (leads(inner) and above == [inner.parent]):
                found[path] = file
            else:
                self.left_out[published.PARTS] += 1
                self.parts.append((path, file))
        return found

    def _fetch(self, path: str) -> list[str] | None:
        """Return the lines of a file of the site; None for one outside of it, or hidden in it."""
        file = self._root / path
        if (
            any(part.startswith(".") for part in path.split("/"))
            or not file.is_file()
            or not file.resolve().is_relative_to(self._root.resolve())
        ):
            return None
        text = read_text(path, file, lambda _: None, self._language_of(path))
        if text is None:
            return None
        lines = text.split("\n")
        if file.suffix.lower() not in self.generator.suffixes:
            return lines
        end = read_front_matter(lines).end  # its lines count where some are asked for by number
        return [*[""] * end, *lines[end:]]
