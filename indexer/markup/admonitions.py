"""Boxes round a text: `!!!`, `???`, `===`, `:::` and `> [!NOTE]`. Their titles and texts stay."""

import re

_BANG = re.compile(
    r"[ \t]*(?:!!!|\?\?\?\+?|===[!+]{0,2}(?=[ \t]*\"))[ \t]*([\w -]*?)[ \t]*(?:\"(.*)\")?[ \t]*"
)
_COLONS = re.compile(r"^([ \t>]*(?:[-*+][ \t]+)?):{3,}[ \t]*(.*?)[ \t]*:*$", re.M)
_HEADED = re.compile(
    r"^([ \t>]*):{3,}[ \t]*\{(?![^\n]*title=)[^{}\n]*\.callout-[^{}\n]*\}[ \t]*\n((?:[ \t]*\n)*+)"
    r"[ \t]*#{1,6}[ \t]+([^\n]+)$",
    re.M,
)
_COLON_INFO = re.compile(r"\{?[ \t]*([\w./-]*)[ \t]*\}?[ \t]*(.*)")
_BRACED = re.compile(r"\{([^{}\n]*)\}")
_TITLE = re.compile(r"title=(?:\"([^\"]*)\"|'([^']*)')")
_ALERT = re.compile(r"^([ \t>]*>[ \t]*)\[!([\w-]+)(?:\|[^\]\n]*)?\][+-]?[ \t]*(.*)$", re.M)
_NAMES = """
note tip info warning danger caution important success question failure bug example quote abstract
summary hint attention error seealso todo admonition details
"""
_SHOWN = frozenset(_NAMES.split())
"""Kinds whose name is shown where no title is given."""


def bold(title: str) -> str:
    """Return a box's title as Markdown, all of it bold; empty where there is none."""
    plain = title.replace("**", "").strip()
    return f"**{plain}**" if plain else ""


def named(kind: str) -> str:
    """Return the title a box of this kind has by itself; empty for a kind that shows none."""
    kind = kind.strip().split(" ")[0].lower()
    return bold(kind.capitalize()) if kind in _SHOWN else ""


def without_bangs(text: str) -> str:
    """Take away `!!! kind "Title"`, and the indentation of what stands in it."""
    if not re.search(r"^[ \t]*(?:!!!|\?\?\?|===)[ \t+!]", text, re.M):
        return text
    lines, borders = text.split("\n"), list[int]()
    for n, line in enumerate(lines):
        if not line.strip():
            continue
        bare = line.lstrip(" \t")
        indent = _indent(line)
        while borders and indent < borders[-1]:
            borders.pop()
        match = _BANG.fullmatch(line)
        is_box = match and (match[1] or match[2])
        if match and is_box and (bare.startswith("===") or _holds_more(lines, n, indent)):
            bare = bold(match[1].split()[0].capitalize() if match[2] is None else match[2])
            lines[n] = " " * (indent - 4 * len(borders)) + bare
            borders.append(indent + 4)
        elif borders:
            lines[n] = " " * (indent - 4 * len(borders)) + bare
    return "\n".join(lines)


def _indent(line: str) -> int:
    return len(line[: len(line) - len(line.lstrip(" \t"))].expandtabs(4))


def _holds_more(lines: list[str], n: int, indent: int) -> bool:
    """Tell whether an indented text follows: what only looks like a box is text."""
    following = next((line for line in lines[n + 1 : n + 4] if line.strip()), "")
    return _indent(following) >= indent + 4


def without_colons(text: str) -> str:
    """Take away `:::` lines; the title of a box stays."""
    if ":::" not in text:
        return text
    return _COLONS.sub(_colon_line, _HEADED.sub(_headed, text))


def _headed(match: re.Match[str]) -> str:
    """Return the first heading of a callout as its title, which opens no section."""
    before, blank, title = match.groups()
    return f"{before}\n{blank}{bold(title)}"


def _colon_line(match: re.Match[str]) -> str:
    before, info = match.groups()
    return before + colon_title(info)


def colon_title(info: str) -> str:
    """Return what a reader sees of what follows `:::`."""
    if not info or re.match(r"\{[ \t]*(?:[.#=]|[\w-]+=)", info):
        title = _TITLE.search(info)
        callout = re.search(r"\.callout-(\w+)", info)
        if title:
            return bold(title[1] or title[2] or "")
        return named(callout[1]) if callout else ""
    kind, rest = _COLON_INFO.fullmatch(info).groups()  # type: ignore[union-attr]
    rest = _BRACED.sub("", rest).strip()
    if rest.startswith("[") and rest.endswith("]"):
        rest = rest[1:-1]
    return bold(rest) if rest else named(kind)


def without_alerts(text: str) -> str:
    """Take away `[!NOTE]` at the head of a quote; its title, or its kind, stays."""
    return _ALERT.sub(_alert, text) if "[!" in text else text


def _alert(match: re.Match[str]) -> str:
    before, kind, title = match.groups()
    return before + bold(title.lstrip("#") if title else kind.capitalize())
