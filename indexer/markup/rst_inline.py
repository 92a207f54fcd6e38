"""reStructuredText's inline markup -> Markdown, or what a reader sees of it.

It may run over line ends, which stay where they are. Knows no directives.
"""

import re
from collections.abc import Container, Iterator, Mapping

_NAME = r"[A-Za-z][\w:.+-]{0,60}"
_INNER = r"[^`]+"
_MARKED = re.compile(
    rf"``(?P<literal>\S(?s:.*?))``(?!`)|(?<!\w):(?P<role>{_NAME}):`(?P<said>{_INNER})`"
    rf"|(?<!\w)`(?P<text>{_INNER})`(?:(?P<link>__?(?!\w))|:(?P<after>{_NAME}):)?"
)
_TITLED = re.compile(r"(.+?)\s*<[^<>]*>", re.S)
_WORD = re.compile(r"(?<![\w`.:+/@\\*|<-])([^\W_]+(?:[-_.:+][^\W_]+)*)__?(?![\w`:/])(?!\.\w)")
_NOTE = re.compile(r"(\[[^\[\]\s]+\])_(?!\w)")
_SUBSTITUTION = re.compile(r"(?<!\w)\|(\S(?:[^|\n]*\S)?)\|(?!\w)_{0,2}(?!\w)")
_ANONYMOUS = re.compile(r"\s*__\s+.*", re.S)
_OPENS = re.compile(r"\s*(?:[-*+•]\s|\(?(?:\d+|#|[a-zA-Z])[.)]\s|:[^:\n]+:\s|__\s|\||#{1,6}\s)")
_CODE_LIKE = re.compile(r"[<{*_\\$&]")
"""In the text of a role these would be taken for markup."""
_ESCAPED = re.compile(r"\\(.)")


def speak(lines: list[str], code: Container[int], replaced: Mapping[str, str]) -> None:
    """Write the inline markup of the lines that are no code; `replaced` are substitutions."""
    for start, end in _units(lines, code):
        text = "\n".join(lines[start:end])
        lines[start:end] = spoken(text, replaced).split("\n")


def _units(lines: list[str], code: Container[int]) -> Iterator[tuple[int, int]]:
    """Yield first line and line after the last of what inline markup cannot lead out of."""
    start = 0
    for n, line in enumerate(lines):
        if not line.strip() or n in code:
            yield from [(start, n)] if start < n else ()
            start = n + 1
        elif start < n and _OPENS.match(line):
            yield start, n
            start = n
    if start < len(lines):
        yield start, len(lines)


def spoken(text: str, replaced: Mapping[str, str]) -> str:
    """Return a paragraph with as many lines as it had."""
    if _ANONYMOUS.fullmatch(text):
        return ""
    if "|" in text and not text.lstrip().startswith("| "):
        text = _SUBSTITUTION.sub(lambda match: replaced.get(match[1], match[1]), text)
    if "`" not in text:
        return _words(text)
    parts, at = list[str](), 0
    for match in _MARKED.finditer(text):
        parts += [_words(text[at : match.start()]), _shown(match)]
        at = match.end()
    return "".join([*parts, _words(text[at:])])


def _words(text: str) -> str:
    """Write the references of a text without backticks."""
    if "_" in text:
        text = _NOTE.sub(r"\1", _WORD.sub(r"\1", text))
    return text.replace("\\ ", "") if "\\" in text else text


def _shown(match: re.Match[str]) -> str:
    """Return a literal, a role or a link as Markdown, or its text alone."""
    if literal := match["literal"]:
        return f"`` {literal} ``" if "`" in literal else f"`{literal}`"
    role, inner = match["role"] or match["after"], match["said"] or match["text"]
    if not role and not match["link"]:
        return match[0]
    if role == "math":
        return f"${inner}$"
    titled = _TITLED.fullmatch(inner)
    shown = titled[1] if titled else inner.removeprefix("~").removeprefix("!").strip("<>")
    if role in ("pep", "rfc"):
        shown = f"{role.upper()} {shown}"
    if role and _CODE_LIKE.search(shown):
        shown = "`" + _ESCAPED.sub(r"\1", shown) + "`"
    return _kept(match, shown)


def _kept(match: re.Match[str], shown: str) -> str:
    """Return what is shown of a match, with the line ends that are not in it after it."""
    return shown + "\n" * (match[0].count("\n") - shown.count("\n"))
