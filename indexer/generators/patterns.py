"""Patterns of paths that a configuration lists, as Git reads them; what it lists of other words.

A pattern that begins with `/` is of the whole path, one without any of a name wherever it is; a
folder stands for all that lies in it, and one after `!` for an exception.
"""

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_GROUP = re.compile(r"@?\(([^()|]*\|[^()]*)\)|\{([^{},]*,[^{}]*)\}")
_MOST = 100
"""Patterns that one with alternatives may stand for."""


def listed(config: dict[str, Any], key: str) -> list[str]:
    """Return the texts under a key: of a list, the keys of a table, or one a line."""
    value = config.get(key)
    value = value.splitlines() if isinstance(value, str) else value
    found = list(value) if isinstance(value, list | dict) else []
    texts = (each.strip() for each in found if isinstance(each, str))
    return [each for each in texts if each and not each.startswith("#")]


def of_names(*keys: str) -> Callable[[dict[str, Any]], tuple[str, ...]]:
    """Return what reads the patterns under these keys as they are."""
    return lambda config: tuple(each for key in keys for each in listed(config, key))


def of_paths(*keys: str) -> Callable[[dict[str, Any]], tuple[str, ...]]:
    """Return what reads the patterns under these keys as those of whole paths."""
    return lambda config: whole(each for key in keys for each in listed(config, key))


def whole(patterns: Iterable[str]) -> tuple[str, ...]:
    """Return patterns as those of whole paths, which know no exceptions."""
    wanted = (each for each in patterns if not each.startswith("!"))
    return tuple(f"/{each.removeprefix('./').lstrip('/')}" for each in wanted)


def match(path: str, patterns: tuple[str, ...]) -> bool:
    """Tell whether a path, or a folder it lies in, is one of the patterns."""
    return bool(patterns) and _matcher(patterns).match_file(path)


@cache
def _matcher(patterns: tuple[str, ...]) -> "GitIgnoreSpec":
    import pathspec  # noqa: PLC0415  who only searches a saved index does not wait for it

    usable = []
    for pattern in (one for each in patterns for one in _alternatives(each)):
        with suppress(ValueError, re.error):  # what is no pattern matches nothing
            pathspec.GitIgnoreSpec.from_lines([pattern])
            usable.append(pattern)
    return pathspec.GitIgnoreSpec.from_lines(usable)


def _alternatives(pattern: str) -> list[str]:
    """Return the patterns that one with alternatives stands for: `(a|b).md`, `{a,b}.md`."""
    patterns, at = [pattern], 0
    while at < len(patterns) <= _MOST:
        if group := _GROUP.search(patterns[at]):
            before, after = patterns[at][: group.start()], patterns[at][group.end() :]
            inner = re.split(r"[|,]", group[1] or group[2])
            patterns[at : at + 1] = [f"{before}{each}{after}" for each in inner]
        else:
            at += 1
    return patterns
