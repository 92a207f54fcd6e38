"""The block of YAML between two `---` lines at the top of a page.

Does not know what the keys mean.
"""

import re
from dataclasses import dataclass
from typing import Any

_SIMPLE_LINE = re.compile(r"([A-Za-z_]\w*):[ \t]+(\S.*)")
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


def read_front_matter(lines: list[str]) -> FrontMatter:
    """Read the front matter of a page given as lines; never fails.

    Where the YAML is broken, its plain `key: value` lines still count, so that a title with an
    unquoted colon is not lost. A block that is never closed is body.
    """
    if not lines or lines[0].rstrip() != "---":
        return FrontMatter({}, 0)
    closing = next(
        (n for n, line in enumerate(lines[1:], 1) if line.rstrip() in ("---", "...")), None
    )
    if closing is None:
        return FrontMatter({}, 0, 1, "front matter is not closed by a line `---`; read as text")
    source = "\n".join(lines[1:closing])
    if len(source) > _MAX_CHARS:
        return FrontMatter({}, 0, 1, "front matter is longer than 64 kB; read as text")
    import yaml  # noqa: PLC0415  who only searches a saved index does not wait for it

    try:
        values = yaml.load(source, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError) as error:
        line, why = _place(error)
        return FrontMatter(
            _plain_lines(lines[1:closing]), closing + 1, line, f"front matter is broken: {why}"
        )
    if values is None:
        return FrontMatter({}, closing + 1)
    if not isinstance(values, dict):
        return FrontMatter(
            {}, closing + 1, 2, "front matter is not a list of `key: value` lines; ignored"
        )
    return FrontMatter({str(key): value for key, value in values.items()}, closing + 1)


def _place(error: Exception) -> tuple[int, str]:
    mark = getattr(error, "problem_mark", None)
    # The mark is 0-based and does not count the opening fence.
    line = mark.line + 2 if mark else 2
    return line, getattr(error, "problem", None) or str(error) or type(error).__name__


def _plain_lines(lines: list[str]) -> dict[str, Any]:
    found = (_SIMPLE_LINE.fullmatch(line.rstrip()) for line in lines)
    return {match[1]: match[2].strip("\"'") for match in found if match}
