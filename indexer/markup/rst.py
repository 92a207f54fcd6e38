"""reStructuredText -> Markdown, line by line: sections, code, links; the rest read plainly."""

import re
from collections.abc import Iterator

from indexer.markup.admonitions import bold, named

_RULE = re.compile(r"([!-/:-@\[-`{-~])\1{2,}\s*")
_DIRECTIVE = re.compile(r"(\s*)\.\.\s+(?:\|[^|]+\|\s+)?([\w:.+-]+)::\s*(.*)")
_EXPLICIT = re.compile(r"\s*\.\.(?:\s+.*)?")
_FOOTNOTE = re.compile(r"(\s*)\.\.\s+(\[[^\]]+\])\s+(.*)")
_OPTION = re.compile(r"\s+:[\w-]+:(?:\s.*)?")
_CODE = ("code", "code-block", "sourcecode", "parsed-literal", "literalinclude", "doctest", "math")
_UNSEEN = (
    *("toctree", "contents", "index", "meta", "raw", "image", "highlight", "default-role", "role"),
    *("module", "currentmodule", "py:module", "py:currentmodule", "automodule", "autoclass"),
)
_TITLED = ("admonition", "topic", "sidebar", "rubric", "tab", "tab-item", "dropdown")
_NAMELESS = ("figure", "only", "container", "class", "include", "rst-class")
_LITERAL = re.compile(r"``(.+?)``")
_ROLE = re.compile(r"(?<!`):[\w:.+-]+:`(?:([^`<]+?)\s*<[^>`]*>|[~!]?([^`]+))`")
_LINK = re.compile(r"`([^`<]+?)\s*<[^>`]*>`__?|`([^`]+)`__?(?!\w)")
_SUBSTITUTION = re.compile(r"\|(\S(?:[^|\n]*\S)?)\|_?")


def as_markdown(lines: list[str]) -> list[str]:
    """Return the lines as Markdown, one for each."""
    found = list(lines)
    levels: list[str] = []
    n = 0
    while n < len(found):
        if over := _overlined(found, n):
            found[n : n + 3] = ["", _heading(over, "=" + found[n][0], levels), ""]
            n += 3
        elif _underlined(found, n):
            found[n : n + 2] = [_heading(found[n], found[n + 1][0], levels), ""]
            n += 2
        elif _EXPLICIT.fullmatch(found[n]):
            n = _explicit(found, n)
        elif found[n].rstrip().endswith("::"):
            found[n] = _spoken(found[n].rstrip().removesuffix("::") + ":")
            found[n] = "" if found[n].strip() == ":" else found[n]
            n = _as_code(found, n + 1, _indent(found[n]))
        else:
            found[n] = _spoken(found[n])
            n += 1
    return found


def _overlined(lines: list[str], n: int) -> str:
    if n + 2 >= len(lines) or not _RULE.fullmatch(lines[n]):
        return ""
    is_title = lines[n + 2].rstrip() == lines[n].rstrip() and lines[n + 1].strip()
    return lines[n + 1].strip() if is_title and not _RULE.fullmatch(lines[n + 1]) else ""


def _underlined(lines: list[str], n: int) -> bool:
    if n + 1 >= len(lines) or not lines[n].strip() or lines[n][0] in " \t":
        return False
    before = lines[n - 1].strip() if n else ""
    rule = _RULE.fullmatch(lines[n + 1])
    return bool(rule and not before and not _RULE.fullmatch(lines[n]))


def _heading(title: str, adornment: str, levels: list[str]) -> str:
    if adornment not in levels:
        levels.append(adornment)
    return "#" * min(6, levels.index(adornment) + 1) + " " + _spoken(title.strip())


def _explicit(lines: list[str], n: int) -> int:
    """Read a directive, a footnote, a target or a comment; return the line that follows it."""
    line = lines[n]
    indent = _indent(line)
    if note := _FOOTNOTE.fullmatch(line):
        lines[n] = f"{note[1]}{note[2]} {_spoken(note[3])}"
        return n + 1
    directive = _DIRECTIVE.fullmatch(line)
    if directive is None or directive[2] in _UNSEEN:
        for at in _inside(lines, n + 1, indent):
            lines[at] = ""
        lines[n] = ""
        return n + 1
    name, argument = directive[2], directive[3]
    seen = named(name) if not argument else bold(argument) if name in _TITLED else argument
    seen = "" if name in (*_CODE, *_NAMELESS) else seen
    lines[n] = directive[1] + _spoken(seen)
    at = n + 1
    while at < len(lines) and _OPTION.fullmatch(lines[at]):
        lines[at] = ""
        at += 1
    if name in _CODE:
        return _as_code(lines, at, indent)
    inside = list(_inside(lines, at, indent))
    depth = min((_indent(lines[each]) for each in inside if lines[each].strip()), default=indent)
    for each in inside:
        lines[each] = lines[each][depth - indent :] if lines[each].strip() else ""
    return at


def _as_code(lines: list[str], n: int, indent: int) -> int:
    """Indent what stands deeper than `indent`, so that Markdown takes it for code."""
    end = n
    for at in _inside(lines, n, indent):
        lines[at] = "    " + lines[at] if lines[at].strip() else ""
        end = at + 1
    return max(end, n)


def _inside(lines: list[str], n: int, indent: int) -> Iterator[int]:
    while n < len(lines) and (not lines[n].strip() or _indent(lines[n]) > indent):
        yield n
        n += 1


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _spoken(line: str) -> str:
    """Write the inline markup of a line as Markdown, or as a reader sees it."""
    if "`" in line:
        line = _ROLE.sub(lambda match: match[1] or match[2], line)
        parts = _LITERAL.split(line)
        parts[::2] = [_LINK.sub(lambda m: m[1] or m[2], part) for part in parts[::2]]
        parts[1::2] = [f"`{part}`" for part in parts[1::2]]
        line = "".join(parts)
    return _SUBSTITUTION.sub(r"\1", line) if line.count("|") == 2 else line
