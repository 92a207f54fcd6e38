"""Lines that ask for another file are replaced by it, within the site's folder only.

Knows how a file is asked for, not what is in it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

_MOST_CHARS = 2 * 1024 * 1024
"""All that one page includes is not longer."""
_DEEPEST = 10
_TEXT_IN_FENCE = "mdx-code-block"
"""Info of a fence that holds no code."""
_PART = re.compile(r"(.*?)(?::(\d+)(?::(\d+))?|\{(\d*),(\d*)\}|:([A-Za-z][\w-]*)|#([\w-]+))")


@dataclass(frozen=True, slots=True)
class Include:
    """A way of asking for a file."""

    pattern: re.Pattern[str]
    """Matches the whole line; its group `file` is the name."""
    folders: tuple[str, ...] = (".",)
    """Where the file is looked for, in turn: `.` is the folder of the page, others are in the
    site's folder."""
    is_fence: bool = False
    """Whether the line opens a fence that ends with the directive."""
    in_code: bool = True
    """Whether it is asked for in code too."""
    file: str = ""
    """The name, where the line does not say it."""


Fetch = Callable[[str], list[str] | None]
"""Returns the lines of a file of the site, without front matter; None where there is none."""


class Includes:
    """Resolves what a page includes."""

    def __init__(
        self,
        ways: tuple[Include, ...],
        area: str,
        fetch: Fetch,
        complain: Callable[[int, str], None],
    ) -> None:
        self._ways = ways
        self._area = area
        self._fetch = fetch
        self._complain = complain
        self._room = _MOST_CHARS

    def resolved(self, lines: list[str], page: str) -> tuple[list[str], list[int]]:
        """Return the lines of `page` with those they include, and of each the index it had.

        Those included have the index of the line that asks for them.
        """
        if not self._ways and not any(map(_IMPORT.match, lines)):
            return lines, list(range(len(lines)))
        pairs = self._lines(list(enumerate(lines)), (page,))
        return [line for _, line in pairs], [number for number, _ in pairs]

    def _lines(self, lines: list[tuple[int, str]], chain: tuple[str, ...]) -> list[tuple[int, str]]:
        ways, found = (*self._ways, *_imports([line for _, line in lines])), []
        fence, skipped, in_code = "", "", False
        for number, line in lines:
            bare = line.strip()
            if skipped:
                skipped = "" if bare.startswith(skipped) else skipped
                found.append((number, ""))
                continue
            match, way = _match(line, ways, in_code) if bare and ways else (None, None)
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
            inner = self._included((way.file or match["file"]).strip(), way, number, chain)
            found += [(at, indent + each if each else each) for at, each in inner] or [(number, "")]
        return found

    def _included(
        self, name: str, way: Include, number: int, chain: tuple[str, ...]
    ) -> list[tuple[int, str]]:
        part = _PART.fullmatch(name)
        for each in (name, part[1] if part else ""):
            for path in _candidates(each, way, chain[-1], self._area) if each else ():
                if path in chain or len(chain) > _DEEPEST:
                    self._complain(number, f"includes {each}, which includes it again; left out")
                    return []
                lines = self._fetch(path)
                if lines is None:
                    continue
                if part and each != name:
                    lines = _part(lines, part)
                self._room -= sum(map(len, lines)) + len(lines)
                if self._room < 0:
                    self._complain(number, f"includes more than 2 MB; {each} is left out")
                    return []
                return self._lines([(number, line) for line in lines], (*chain, path))
        self._complain(number, f"includes {name}, which is not in the site's folder; left out")
        return []


def _match(
    line: str, ways: tuple[Include, ...], in_fence: bool
) -> tuple[re.Match[str] | None, Include | None]:
    for way in ways:
        if (way.in_code or not in_fence) and (match := way.pattern.fullmatch(line)):
            return match, way
    return None, None


def _candidates(name: str, way: Include, page: str, area: str) -> list[str]:
    """Return the paths a name may mean, none that leads out of the site's folder."""
    found = []
    from_root = name.startswith(("/", "@site/", "@/", "~/"))
    inner = name.partition("/")[2] if from_root else name
    for folder in ("", area) if from_root else way.folders:
        base = PurePosixPath(page).parent if folder == "." else PurePosixPath(folder)
        path = normal(base / inner)
        if path and path not in found:
            found.append(path)
    return found


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


def _part(lines: list[str], part: re.Match[str]) -> list[str]:
    """Return the lines from one number to another, or of a section that marks name."""
    _, start, end, start_too, end_too, section, region = part.groups()
    name = section or region
    if name:
        marks = re.compile(rf"(?:\[(start|end):{name}\]|#(region|endregion)\b[ \t]*{name}\b)")
        at = [n for n, line in enumerate(lines) if marks.search(line)]
        return lines[at[0] + 1 : at[1]] if len(at) > 1 else lines
    first = int(start or start_too or 1)
    last = int(end or end_too or len(lines))
    return lines[max(0, first - 1) : last]


_IMPORT = re.compile(r"import\s+(\w+)\s+from\s+[\"']([^\"'\n]+\.mdx?)[\"'];?\s*")


def _imports(lines: list[str]) -> tuple[Include, ...]:
    """Return the ways in which parts imported from Markdown files are asked for."""
    found = filter(None, map(_IMPORT.fullmatch, lines))
    return tuple(
        Include(re.compile(rf"\s*<{match[1]}\b[^<>]*/>\s*"), in_code=False, file=match[2])
        for match in found
    )
