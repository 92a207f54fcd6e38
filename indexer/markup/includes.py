"""Lines and tags that ask for another file are replaced by it, within the site's folder only.

Knows how a file is asked for, not what is in it.
"""

import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from pathlib import PurePosixPath

from indexer.markup.excerpts import PART, between, part_of
from indexer.markup.indented import Indented
from indexer.markup.numbered import Numbered

_MOST_CHARS = 2 * 1024 * 1024
"""All that one page includes is not longer."""
_DEEPEST = 10
_TEXT_IN_FENCE = "mdx-code-block"
"""Info of a fence that holds no code."""
_OPTION = re.compile(r"\s*:[\w-]+:.*")


@dataclass(frozen=True, slots=True)
class Tag:
    """What is particular to a way of asking within a text: what the file says takes its place."""

    searched: Callable[[str], str]
    """Returns the text as long, without what may look like a tag but is none."""
    read: Callable[[str, str, list[str]], list[str]]
    """Writes the lines of a file, known by its path, as the tag's parameters, which come first,
    have them stand in the page."""
    is_missed: Callable[[str], bool] = lambda _: True
    """Whether it is a fault that there is no file of this name."""


@dataclass(frozen=True, slots=True)
class Include:
    """A way of asking for a file."""

    pattern: re.Pattern[str]
    """Matches the whole line; its group `file` is the name, `options` says what of the file, and
    `language` and `label` what of the code."""
    folders: tuple[str, ...] = (".",)
    """Where the file is looked for, in turn: `.` is the folder of the page, what begins with `^` is
    in that or one above it, with `~` in the folder of pages, others are in the site's folder."""
    is_fence: bool = False
    """Whether the line opens a fence that ends with the directive."""
    in_code: bool = True
    """Whether it is asked for in code too."""
    as_code: bool = False
    """Whether the file is shown as code, in a fence of its own; then it includes nothing itself."""
    file: str = ""
    """The name, where the line does not say it."""
    read: Callable[[str, list[str]], list[str]] = lambda _, lines: lines
    """Writes the lines of a file, known by its path, as they are to stand in the page."""
    tag: Tag | None = None
    """Where it may stand within a line, and go over several: then the pattern is that of the tag
    alone, whose group `parameters` is what it says besides."""


Asking = Callable[[list[str]], list[str]]
"""Writes the lines of a page, as many, so that each asks for one file at most."""
Fetch = Callable[[str], list[str] | None]
"""Returns the lines of a file of the site, front matter as empty ones; None where there is none."""


def as_they_are(lines: list[str]) -> list[str]:
    """Change nothing."""
    return lines


class Includes:
    """Resolves what a page includes."""

    def __init__(
        self,
        ways: tuple[Include, ...],
        area: str,
        fetch: Fetch,
        complain: Callable[[int, str], None],
        asking: Asking = as_they_are,
    ) -> None:
        self._of_lines = tuple(way for way in ways if not way.tag)
        self._tags = tuple((way, way.tag) for way in ways if way.tag)
        self._asking = asking
        self._area = area
        self._fetch = fetch
        self._complain = complain
        self._room = _MOST_CHARS

    def resolved(self, lines: list[str], page: str) -> tuple[list[str], list[int]]:
        """Return the lines of `page` with those they include, and of each the index it had.

        Those included have the index of the line that asks for them.
        """
        if not self._of_lines and not self._tags and not any(map(_IMPORT.match, lines)):
            return lines, list(range(len(lines)))
        pairs = self._lines(list(enumerate(lines)), (page,))
        return [line for _, line in pairs], [number for number, _ in pairs]

    def _lines(self, lines: list[tuple[int, str]], chain: tuple[str, ...]) -> list[tuple[int, str]]:
        asked = self._asking([line for _, line in lines])
        numbered = [(number, text) for (number, _), text in zip(lines, asked, strict=True)]
        lines = self._in_place(numbered, chain)
        ways = (*self._of_lines, *_imports([line for _, line in lines]))
        found: list[tuple[int, str]] = []
        fence, skipped, in_code = "", "", False
        indented = Indented() if any(way.as_code for way in ways) else None
        for n, (number, line) in enumerate(lines):
            bare = line.strip()
            if skipped:
                skipped = "" if bare.startswith(skipped) else skipped
                found.append((number, ""))
                continue
            is_indented = bool(indented and not in_code and indented.is_code(line))
            match, way = _match(line, ways, in_code, is_indented) if bare else (None, None)
            marks = re.match(r"(`{3,}|~{3,})", bare)
            if marks and not match:
                fence = ("" if bare.startswith(fence) else fence) if fence else marks[1]
                in_code = bool(fence) and (in_code or not bare.endswith(_TEXT_IN_FENCE))
            if match is None or way is None:
                found.append((number, line))
                continue
            if way.is_fence and marks:
                skipped = marks[1]
            indent = line[: len(line) - len(line.lstrip())]
            name = (way.file or match["file"]).strip()
            options = _options(lines[n + 1 :]) if skipped else match.groupdict().get("options", "")
            inner = self._included(name, options or "", way, number, chain)
            if inner and way.as_code:
                inner = _fenced(inner, match, number)
            if inner is None and in_code:
                found.append((number, line))  # an example of how files are asked for
                continue
            if inner is None:
                self._missed(name, number)
            shown = [(at, indent + each if each else each) for at, each in inner or ()]
            found += shown or [(number, "")]
        return found

    def _in_place(
        self, lines: list[tuple[int, str]], chain: tuple[str, ...]
    ) -> list[tuple[int, str]]:
        """Return the lines with what files say where tags ask for them."""
        if not self._tags:
            return lines
        text = Numbered(lines)
        tags = [
            (match, way, tag)
            for way, tag in self._tags
            for match in way.pattern.finditer(tag.searched(text.whole))
        ]
        for match, way, tag in sorted(tags, key=lambda each: each[0].start()):
            name, number = match["file"].strip(), text.number(match.start())
            parameters = match.groupdict().get("parameters") or ""
            read = replace(way, read=partial(tag.read, parameters))
            inner = self._included(name, "", read, number, chain)
            if inner is not None:
                text.put(match.start(), match.end(), inner or [(number, "")])
            elif tag.is_missed(name):
                self._missed(name, number)
        return text.lines()

    def _missed(self, name: str, number: int) -> None:
        self._complain(number, f"includes {name}, which is not in the site's folder; left out")

    def _included(
        self, name: str, options: str, way: Include, number: int, chain: tuple[str, ...]
    ) -> list[tuple[int, str]] | None:
        """Return the lines of a file, none where it is refused; None where there is no file."""
        part = PART.fullmatch(name)
        for each in (name, part[1] if part else ""):
            for path in _candidates(each, way, chain[-1], self._area) if each else ():
                if path in chain or len(chain) > _DEEPEST:
                    self._complain(number, f"includes {each}, which includes it again; left out")
                    return []
                lines = self._fetch(path)
                if lines is None:
                    continue
                if part and each != name:
                    lines = part_of(lines, part)
                lines = way.read(path, between(lines, options) if options else lines)
                self._room -= sum(map(len, lines)) + len(lines)
                if self._room < 0:
                    self._complain(number, f"includes more than 2 MB; {each} is left out")
                    return []
                pairs = [(number, line) for line in lines]
                return pairs if way.as_code else self._lines(pairs, (*chain, path))
        return None


def _options(lines: list[tuple[int, str]]) -> str:
    """Return the options that a directive begins with, one a line."""
    return "\n".join(line for _, line in takewhile(lambda each: _OPTION.fullmatch(each[1]), lines))


def _match(
    line: str, ways: tuple[Include, ...], in_fence: bool, is_indented: bool
) -> tuple[re.Match[str] | None, Include | None]:
    for way in ways:
        asks = (way.in_code or not in_fence) and not (way.as_code and is_indented)
        if asks and (match := way.pattern.fullmatch(line)):
            return match, way
    return None, None


def _fenced(
    lines: list[tuple[int, str]], match: re.Match[str], number: int
) -> list[tuple[int, str]]:
    """Return the lines of a file in a fence that none of them closes."""
    said = match.groupdict()
    suffix = PurePosixPath(PART.sub(r"\1", said["file"])).suffix.removeprefix(".")
    info = " ".join(filter(None, (said.get("language") or suffix, said.get("label"))))
    code = textwrap.dedent("\n".join(line for _, line in lines)).strip("\n").split("\n")
    marks = (
        max((run for line in code for run in re.findall("`{3,}", line)), key=len, default="``")
        + "`"
    )
    return [(number, line) for line in (marks + info, *code, marks)]


def _candidates(name: str, way: Include, page: str, area: str) -> list[str]:
    """Return the paths a name may mean, none that leads out of the site's folder."""
    found = []
    from_root = name.startswith(("/", "@site/", "@/", "~/"))
    inner = name.partition("/")[2] if from_root else name
    for folder in ("", area) if from_root else way.folders:
        for base in _bases(folder, page, area):
            path = normal(base / inner)
            if path and path not in found:
                found.append(path)
    return found


def _bases(folder: str, page: str, area: str) -> tuple[PurePosixPath, ...]:
    above, rest = PurePosixPath(page).parents, folder[1:].lstrip("/")
    if folder == ".":
        return (above[0],)
    if folder.startswith("^"):
        return tuple(each / rest for each in above)
    return (PurePosixPath(area, rest) if folder.startswith("~") else PurePosixPath(folder),)


def normal(path: PurePosixPath) -> str:
    """Return a path without `..`; empty where it leads out."""
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            if not parts:
                return ""
            parts.pop()
        elif part not in (".", "/"):
            parts.append(part)
    return "/".join(parts)


_IMPORT = re.compile(
    r"import\s+(\w+)(?:\s*,\s*\{[^{}]*\})?\s+from\s+[\"']([^\"'\n]+\.mdx?)[\"'];?\s*"
)


def _imports(lines: list[str]) -> tuple[Include, ...]:
    """Return the ways in which parts imported from Markdown files are asked for."""
    found = filter(None, map(_IMPORT.fullmatch, lines))
    return tuple(
        Include(re.compile(rf"\s*<{match[1]}\b[^<>]*/>\s*"), in_code=False, file=match[2])
        for match in found
    )
