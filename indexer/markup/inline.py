"""Inline code and formulas are hidden while markup is taken away."""

import re
from collections import defaultdict

from indexer.markup.hidden import Hidden

_TICKS = re.compile(r"`+")
_FORMULA = re.compile(
    # The dollar comes first, so that the engine looks at nothing else.
    r"\$(?<![\\$\w]\$)(?:\$(?=[^$])(?:[^$]|\$(?!\$))*+\$\$"
    r"|(?=[^\s$])[^$\n]*+(?<=[^\s\\])\$(?![\d$\w]))"
)


def hide_formulas(text: str, hidden: Hidden) -> str:
    """Hide formulas between dollars."""
    if "$" not in text:
        return text
    return _FORMULA.sub(lambda match: "\n".join(map(hidden.keep, match[0].split("\n"))), text)


def hide_spans(text: str, hidden: Hidden) -> str:
    """Hide inline code, paragraph by paragraph."""
    if "`" not in text:
        return text
    parts = re.split(r"(\n[ \t]*\n)", text)
    parts[::2] = [_hide_spans_of(part, hidden) if "`" in part else part for part in parts[::2]]
    return "".join(parts)


def _hide_spans_of(paragraph: str, hidden: Hidden) -> str:
    runs = [match.span() for match in _TICKS.finditer(paragraph)]
    escaped = [_is_escaped(paragraph, start) for start, _ in runs]
    by_length: dict[int, list[int]] = defaultdict(list)
    for n, (start, end) in reversed(list(enumerate(runs))):
        by_length[end - start].append(n)
    parts, at, n = [], 0, 0
    while n < len(runs):
        if escaped[n]:  # opens nothing; but in a span nothing is escaped, so it may close one
            n += 1
            continue
        start, end = runs[n]
        later = by_length[end - start]
        while later and later[-1] <= n:
            later.pop()
        if not later:
            n += 1
            continue
        closing = later[-1]
        lines = paragraph[start : runs[closing][1]].split("\n")
        parts += [paragraph[at:start], "\n".join(hidden.keep(line) for line in lines)]
        at, n = runs[closing][1], closing + 1
    return "".join([*parts, paragraph[at:]])


def _is_escaped(text: str, at: int) -> bool:
    first = at
    while text[first - 1 : first] == "\\":
        first -= 1
    return (at - first) % 2 == 1
