"""Paths rewritten by patterns of path-to-regexp: `packages/:name/docs/:rest*` to `:name/:rest*`."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import count
from typing import Any, NamedTuple

_INNER = r"\((?:[^()]|\([^()]*\))*\)"
_TOKEN = re.compile(
    rf"(?P<before>[/.])?(?::(?P<name>\w+)(?P<of>{_INNER})?|(?P<unnamed>{_INNER}))(?P<times>[?*+]?)"
    r"|\\?(?P<char>.)"
)
_SEGMENT = "[^/#?]+?"


class _Part(NamedTuple):
    """A text as it is, or a parameter with the sign before it."""

    text: str
    name: str = ""
    pattern: str = ""
    times: str = ""


def rewritten(path: str, rules: Any) -> str:
    """Return the path that the first rule to match it, from pattern to pattern, gives it."""
    for source, target in rules.items() if isinstance(rules, dict) else ():
        values = _matched(path, source)
        if values is not None and isinstance(target, str):
            return _filled(target, values) or path
    return path


def _matched(path: str, pattern: str) -> dict[str, str] | None:
    """Return the parameters of a path; None where the pattern is for others, or none."""
    try:
        match = _compiled(pattern).match(path)
    except re.error:
        return None
    if match is None:
        return None
    named = {name.removeprefix("_"): value for name, value in match.groupdict().items() if value}
    return named or {str(n): value for n, value in enumerate(match.groups()) if value}


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    if pattern.startswith("^"):  # is a regular expression as it stands
        return re.compile(pattern)
    return re.compile("".join(map(_expression, _parts(pattern))) + r"/?\Z", re.I)


def _expression(part: _Part) -> str:
    before = re.escape(part.text)
    if not part.name:
        return before
    one = f"(?:{part.pattern})"
    several = f"{one}(?:{before}{one})*" if part.times in ("*", "+") else one
    optional = "?" if part.times in ("*", "?") else ""
    return f"(?:{before}(?P<_{part.name}>{several})){optional}"


def _filled(pattern: str, values: dict[str, str]) -> str:
    """Return the path with its parameters; empty where one is missing that must be there."""
    texts = []
    for part in _parts(pattern):
        value = values.get(part.name, "") if part.name else ""
        if part.name and not value and part.times not in ("*", "?"):
            return ""
        texts.append(part.text + value if value or not part.name else "")
    return "".join(texts).lstrip("/")


def _parts(pattern: str) -> Iterator[_Part]:
    numbers = count()
    for token in _TOKEN.finditer(pattern):
        if token["char"] is not None:
            yield _Part(token["char"])
        elif token["name"]:
            inner = token["of"][1:-1] if token["of"] else _SEGMENT
            yield _Part(token["before"] or "", token["name"], inner, token["times"])
        else:
            inner = token["unnamed"][1:-1]
            yield _Part(token["before"] or "", str(next(numbers)), inner, token["times"])
