"""The block of YAML, TOML or JSON at the top of a page.

Does not know what the keys mean, but that a page has one date.
"""

import json
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar

_OPENING = re.compile(r"(---|\+\+\+)(yaml|toml|json)?")
_JSON = re.compile(r"\{\s*(?:\"|\})")
_SIMPLE_LINE = re.compile(r"([A-Za-z_]\w*)(?::[ \t]+|[ \t]*=[ \t]*)(\S.*)")
_TOML_PLACE = re.compile(r" ?\(?at line (\d+), column \d+\)?|: line (\d+) column \d+ .*")
_BOOL = "tag:yaml.org,2002:bool"
_MAX_CHARS = 64 * 1024
"""What is longer is no front matter; YAML never meets it."""


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What stood at the top of a page."""

    values: dict[str, Any]
    """The keys as YAML reads them; empty where there are none."""
    end: int
    """Number of lines it takes, both fences counted: the body begins on line `end + 1`."""
    fault_line: int = 0
    """1-based line of what is broken; 0 where nothing is."""
    fault: str = ""
    """What is broken; empty where nothing is."""


ReadFront = Callable[[list[str]], FrontMatter]
"""Reads the front matter of a page given as lines; never fails."""


def read_front_matter(lines: list[str]) -> FrontMatter:
    """Read the front matter of a page given as lines; never fails.

    Where it is broken, its plain `key: value` lines still count, so that a title with an unquoted
    colon is not lost. A block that is never closed is body, and so is prose between two rules.
    """
    blank = next((n for n, line in enumerate(lines) if line.strip()), 0)
    if blank:
        # Hugo reads it all the same; with others it may as well be a rule.
        found = read_front_matter(lines[blank:])
        sound = found.values and not found.fault
        return replace(found, end=found.end + blank) if sound else FrontMatter({}, 0)
    opening = lines[0].rstrip() if lines else ""
    if opening.startswith("{"):
        return _read_json_object(lines)
    match = _OPENING.fullmatch(opening)
    if match is None:
        return FrontMatter({}, 0)
    fence, language = match[1], (match[2] or ("toml" if match[1] == "+++" else "yaml")).lower()
    closings = (fence, "...") if language == "yaml" else (fence,)
    closing = next((n for n, line in enumerate(lines[1:], 1) if line.rstrip() in closings), None)
    if closing is None:
        why = f"front matter is not closed by a line `{fence}`; read as text"
        return FrontMatter({}, 0, 1, why)
    source = "\n".join(lines[1:closing])
    if len(source) > _MAX_CHARS:
        return FrontMatter({}, 0, 1, "front matter is longer than 64 kB; read as text")
    try:
        values = _PARSERS.get(language, _yaml)(source)
    except (ValueError, OverflowError, RecursionError, MemoryError) as error:
        line, why = _place(error)
        plain = _plain_lines(lines[1:closing])
        end = closing + 1 if plain or language != "yaml" else 0
        return FrontMatter(plain, end, line, f"front matter is broken: {why}")
    if isinstance(values, str):
        return FrontMatter(
            {}, 0, 2, "text between two lines `---` is no front matter; read as text"
        )
    if values is None:
        return FrontMatter({}, closing + 1)
    if not isinstance(values, dict):
        return FrontMatter(
            {}, closing + 1, 2, "front matter is not a list of `key: value` lines; ignored"
        )
    return FrontMatter({str(key): value for key, value in values.items()}, closing + 1)


def one_date(values: dict[str, Any]) -> dict[str, Any]:
    """Return the values with the day a page was made as its date, where it says several."""
    said = values.get("date")
    return {**values, "date": said.get("created")} if isinstance(said, dict) else values


def _read_json_object(lines: list[str]) -> FrontMatter:
    """Read a page that begins with an object of JSON, which ends with its line."""
    text = "\n".join(lines)[:_MAX_CHARS]
    if not _JSON.match(text):
        return FrontMatter({}, 0)
    try:
        values, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError) as error:
        return FrontMatter({}, 0, 1, f"front matter is broken JSON: {error}; read as text")
    rest = text[end:].partition("\n")[0]
    if rest.strip():
        return FrontMatter({}, 0)
    return FrontMatter(values, text.count("\n", 0, end) + 1)


def _yaml(source: str) -> object:
    import yaml  # noqa: PLC0415  who only searches a saved index does not wait for it

    try:
        return yaml.load(source, _loader())
    except yaml.YAMLError as error:
        raise BrokenError(error) from error


@cache
def _loader() -> Any:
    """Return what reads YAML 1.2, in which `Off` and `yes` are words and no truth values."""
    import yaml  # noqa: PLC0415

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        yaml_implicit_resolvers: ClassVar = {
            first: [(tag, pattern) for tag, pattern in known if tag != _BOOL]
            for first, known in yaml.SafeLoader.yaml_implicit_resolvers.items()
        }

    Loader.add_implicit_resolver(
        _BOOL, re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z"), "tTfF"
    )
    return Loader


class BrokenError(ValueError):
    """YAML that cannot be read; holds the parser's error."""


_PARSERS: dict[str, Callable[[str], object]] = {
    "yaml": _yaml,
    "toml": tomllib.loads,
    "json": json.loads,
}


def _place(error: Exception) -> tuple[int, str]:
    cause = error.__cause__ or error
    mark = getattr(cause, "problem_mark", None)
    if mark:
        # The mark is 0-based and does not count the opening fence.
        return mark.line + 2, getattr(cause, "problem", None) or type(cause).__name__
    place = _TOML_PLACE.search(str(cause))
    line = int(place[1] or place[2]) + 1 if place else 2
    return line, " ".join(_TOML_PLACE.sub("", str(cause)).split()) or type(cause).__name__


def _plain_lines(lines: list[str]) -> dict[str, Any]:
    found = (_SIMPLE_LINE.fullmatch(line.rstrip()) for line in lines)
    return {match[1]: match[2].strip("\"'") for match in found if match}
