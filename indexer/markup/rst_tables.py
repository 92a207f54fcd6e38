"""reStructuredText's tables -> those of Markdown, line by line. Knows no inline markup."""

import re

_SIMPLE = re.compile(r"\s*=+(?:\s+=+)+\s*")
_MOST_RULES = 3
"""Above the head, below it, and at the end."""
_SPANNED = re.compile(r"\s*-+(?:\s+-+)*\s*")
_BORDER = re.compile(r"\s*\+(?:-+\+)+\s*")
_HEAD = re.compile(r"\s*\+(?:=+\+)+\s*")


def table_end(lines: list[str], n: int) -> int:
    """Write the table that begins on line `n`; return the line after it, `n` where there is none.

    A border in a table becomes an empty row, as a row of several lines becomes several rows.
    """
    if _SIMPLE.fullmatch(lines[n]):
        return _simple(lines, n)
    return _grid(lines, n) if _BORDER.fullmatch(lines[n]) else n


def _simple(lines: list[str], n: int) -> int:
    """Write a table whose columns are told by rules of `=`."""
    rule, indent = lines[n].rstrip(), _indent(lines[n])
    last = _last_rule(lines, n)
    columns = [match.start() for match in re.finditer("=+", rule)]
    for at in range(n + 1, last):
        row = lines[at]
        if _SIMPLE.fullmatch(row):
            lines[at] = _row(indent, ["---"] * len(columns))
        elif _SPANNED.fullmatch(row):
            lines[at] = ""
        elif row.strip():
            lines[at] = _row(indent, _cells(row, columns))
    if last > n:
        lines[n] = lines[last] = ""
        return last + 1
    return n


def _last_rule(lines: list[str], n: int) -> int:
    """Return the rule that ends a table, a blank line after it; `n` where there is none."""
    indent, rules = _indent(lines[n]), 1
    for at in range(n + 1, len(lines)):
        if lines[at].strip() and _indent(lines[at]) < indent:
            break
        if _SIMPLE.fullmatch(lines[at]):
            rules += 1
            if not "".join(lines[at + 1 : at + 2]).strip():
                return at
            if rules == _MOST_RULES:
                break
    return n


def _cells(row: str, columns: list[int]) -> list[str]:
    """Return the texts of the columns; one where a text runs over their borders."""
    if any(row[at - 1 : at].strip() for at in columns[1:]):
        return [row.strip()]
    ends = [*columns[1:], len(row)]
    return [row[start:end].strip() for start, end in zip(columns, ends, strict=True)]


def _grid(lines: list[str], n: int) -> int:
    """Write a table that is drawn; its rows are those of Markdown already."""
    end = n
    while end < len(lines) and lines[end].lstrip().startswith(("+", "|")):
        end += 1
    indent, columns = _indent(lines[n]), lines[n].count("+") - 1
    for at in range(n, end):
        if _HEAD.fullmatch(lines[at]):
            lines[at] = _row(indent, ["---"] * columns)
        elif _BORDER.fullmatch(lines[at]):
            lines[at] = "" if at in (n, end - 1) else _row(indent, [""] * columns)
    return end


def _row(indent: int, cells: list[str]) -> str:
    return " " * indent + f"| {' | '.join(cells)} |"


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
