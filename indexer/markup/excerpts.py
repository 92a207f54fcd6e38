"""Which lines of a file a page includes: by number, by a name that marks them, or by their text."""

import re

PART = re.compile(
    r"(.*?)(?::(\d+)(?::(\d+))?|(?:#([\w-]+))?\{(\d*),(\d*)\}|:([A-Za-z][\w-]*)|#([\w-]+))"
)
"""A file's name, and what of it is asked for."""
_OPTION = re.compile(
    r":(lines|start-after|start-at|end-before|end-at):[ \t]*(.*?)(?=[ \t]+:[a-z-]+:|[ \t]*$)", re.M
)
_COMMENT = r"(?://|/\*|<!--|#|--|::|;|%)"
_BEGINS = rf"\[start:{{0}}\]|(?:#|{_COMMENT} ?|#pragma )[rR]egion[ \t]+{{0}}|\bANCHOR:[ \t]*{{0}}"
_ENDS = (
    rf"\[end:{{0}}\]|(?:#|{_COMMENT} ?|#pragma )[eE]nd ?[rR]egion[ \t]+{{0}}"
    r"|\bANCHOR_END:[ \t]*{0}"
)
_MARK = re.compile(
    rf"[ \t]*{_COMMENT}[ \t]*(?:#?(?:pragma )?(?:[eE]nd ?)?[rR]egion\b|ANCHOR(?:_END)?:"
    r"|-+8<-+[ \t]*\[(?:start|end):)"
)
_NUMBERS = re.compile(r"(\d+)(?:.*?(\d+))?")


def part_of(lines: list[str], part: re.Match[str]) -> list[str]:
    """Return the lines of a section that marks name, or those from one number to another in it."""
    _, start, end, outer, start_too, end_too, section, region = part.groups()
    if name := outer or section or region:
        lines = _section(lines, name)
    first = int(start or start_too or 1)
    last = int(end or end_too or len(lines))
    return lines[max(0, first - 1) : last]


def _section(lines: list[str], name: str) -> list[str]:
    """Return the lines between the marks of a section, without those of others; all without it."""
    begins, ends = (re.compile(mark.format(f"{name}(?![\\w-])")) for mark in (_BEGINS, _ENDS))
    start = next((n for n, line in enumerate(lines) if begins.search(line)), len(lines))
    end = next((n for n in range(start, len(lines)) if ends.search(lines[n])), None)
    if end is None:
        return lines
    return [line for line in lines[start + 1 : end] if not _MARK.match(line)]


def between(lines: list[str], options: str) -> list[str]:
    """Return the lines that a directive's options ask for; a text is looked for line by line.

    Of several stretches of numbers, all from the first to the last is taken.
    """
    said = {key: value.strip("\"' ") for key, value in _OPTION.findall(options)}
    first, last = 0, len(lines)
    if numbers := _NUMBERS.fullmatch(said.get("lines", "")):
        first, last = int(numbers[1]) - 1, int(numbers[2] or numbers[1])
    for key, after in (("start-after", 1), ("start-at", 0)):
        at = _line_with(said.get(key, ""), lines[first:last])
        first += 0 if at is None else at + after
    for key, after in (("end-before", 0), ("end-at", 1)):
        at = _line_with(said.get(key, ""), lines[first:last])
        last = last if at is None else first + at + after
    return lines[max(0, first) : last]


def _line_with(text: str, lines: list[str]) -> int | None:
    return next((n for n, line in enumerate(lines) if text and text in line), None)
