"""MDX: imports, exports, components and expressions go; the text they enclose stays."""

import html
import re
from collections.abc import Iterator

from indexer.markup.code import Holds
from indexer.markup.html import INLINE
from indexer.markup.marks import CODE, HIDDEN, newlines
from indexer.markup.spans import apart, gaps_filled, replaced

_BLOCK = re.compile(r"\s*</?[A-Za-z>]")
_MODULE = re.compile(
    r"import\s+(?:type\s+)?(?:[\w*{}\s,$]+\s+from(?:\s+|$))?(?:[\"']|$)"
    r"|export\s+(?:const|let|var|function|default|async|class|type|interface|\{|\*)"
)
_TAG = re.compile(r"(?<!\\)</?(?:(?:[A-Z][\w.]*|[a-z][a-z0-9]*(?:-[a-z0-9]+)*)(?=[\s/>])|(?=>))")
_NAME = re.compile(r"</?([A-Za-z][\w.-]*)")
_COMPONENT = re.compile(r"(?<!\\)</?[A-Z][\w.]*(?=[\s/>])")
_BLANKS = re.compile(r"(?:[ \t]|\n(?![ \t]*\n))+")
"""No blank line: that ends a paragraph, and no tag goes on after it."""
_END = re.compile(r"/?>")
_ATTRIBUTE = re.compile(r"[A-Za-z_$@:#][\w$.:@#-]*")
_VALUE = re.compile(r"\"[^\"]*\"|'[^']*'|[^\s\"'<>=`{}]+")
_LITERAL = re.compile(
    rf"\{{\s*(?:\"([^\"\n{{}}]*)\"|'([^'\n{{}}]*)')\s*\}}|\{{\s*({HIDDEN}\d+\ufdd1)\s*\}}"
)
_SAID = re.compile(
    r"\s(?:title|label|text|summary|alt|caption|header|heading|description|children)="
    r"\{?(?:\"([^\"]*)\"|'([^']*)')"
    r"|\blabel:\s*[\"']([^\"'\n]*)[\"']"
)
_CODE = re.compile(
    r"^([ \t]*)<[A-Z][\w.]*(?:\s+[\w-]+(?:=(?:\"[^\"]*\"|'[^']*'|\{[^{}`]*\}))?)*"
    r"\s+code=\{\s*`((?:[^`\\]|\\.)*)`\s*\}[^<>`]*/>[ \t]*$",
    re.M,
)
_LINES = re.compile(r"(?<=>)(\s*)\{\s*`((?:[^`\\\n]|\\.)*+\n(?:[^`\\]|\\.)*+)`\s*\}(?=\s*</[A-Z])")
_FENCED = re.compile(r"^[ \t]*(`{3,}|~{3,})[^`\n]*$.*?^[ \t]*\1[`~]*[ \t]*$", re.M | re.S)
_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]")
_ANCHOR_COMMENT = re.compile(r"\{/\*[ \t]*(#[\w-]+)[ \t]*\*/\}")


def read_info(info: str) -> tuple[Holds, str]:
    """Take a fence for code, but for the one that Docusaurus reads like the text around it."""
    return (Holds.TEXT, "") if info == "mdx-code-block" else (Holds.CODE, info)


def code_shown(text: str) -> str:
    """Write the code of a component as `<pre>`: `<Code code={`...`} />`, or lines that are all
    that it encloses.
    """
    if "{" not in text or "`" not in text:
        return text
    return _as_pre(_LINES, _as_pre(_CODE, text))


def _as_pre(pattern: re.Pattern[str], text: str) -> str:
    if not pattern.search(text):
        return text
    fences = [match.span() for match in _FENCED.finditer(text)]

    def shown(match: re.Match[str]) -> str:
        indent, code = match.groups()
        if any(start < match.start() < end for start, end in fences):
            return match[0]
        before = newlines(text[match.end(1) : match.start(2)])
        after = newlines(text[match.end(2) : match.end()])
        shown = html.escape(re.sub(r"\\([`$\\])", r"\1", code))
        return f"{before}{indent}<pre>{shown}</pre>{after}"

    return pattern.sub(shown, text)


def without_modules(text: str) -> str:
    """Take away `import` and `export`, each up to a blank line outside of its braces."""
    if "import" not in text and "export" not in text:
        return text
    lines, blank, depth, inside = text.split("\n"), True, 0, False
    for n, line in enumerate(lines):
        inside = inside or bool(blank and _MODULE.match(line))
        blank = not line.strip()
        if inside:
            depth += sum(map(line.count, "{([")) - sum(map(line.count, "})]"))
            inside = not (blank and depth <= 0)
            lines[n] = ""
        depth = depth if inside else 0
    return text if depth > 0 else "\n".join(lines)


def without_components(text: str) -> str:
    """Take away the tags of components, which have a capital; titles and labels in them stay.

    To be done before those of elements: a `<Button>` is no `<button>`.
    """
    return _without(_COMPONENT, text)


def without_elements(text: str) -> str:
    """Take away the tags of elements of any name, likewise."""
    return _without(_TAG, text)


def _without(tags: re.Pattern[str], text: str) -> str:
    if "<" not in text:
        return text
    stretches = ((at, end, said(text[at:end])) for at, end in _spans(tags, text))
    return gaps_filled(replaced(text, stretches))


def without_expressions(text: str) -> str:
    """Take away `{expression}`; a string alone in braces is text."""
    if "{" not in text:
        return text
    text = _ANCHOR_COMMENT.sub(r"{\1}", text)
    braces = _pairs(text)
    parts, at, start = [], 0, text.find("{")
    while start >= 0:
        end = braces.get(start)
        if end is None or text[start - 1 : start] == "\\" or text.startswith("{#", start):
            start = text.find("{", start + 1)
            continue
        literal = _LITERAL.fullmatch(text, start, end + 1)
        instead = next(filter(None, literal.groups()), "") if literal else ""
        parts += [text[at:start], instead + newlines(text[start:end])]
        at = end + 1
        start = text.find("{", at)
    return "".join([*parts, text[at:]])


def without_block_expressions(text: str) -> str:
    """Take away `{expression}` in the paragraphs that begin with a tag, and nowhere else."""
    if "{" not in text:
        return text
    parts = re.split(r"(\n[ \t]*\n)", text)
    parts[::2] = [
        _without_expressions_between_tags(part) if _BLOCK.match(part) and "{" in part else part
        for part in parts[::2]
    ]
    return "".join(parts)


def _without_expressions_between_tags(text: str) -> str:
    parts, at = list[str](), 0
    for start, end in _spans(_TAG, text):
        if start >= at:
            parts += [without_expressions(text[at:start]), text[start:end]]
            at = end
    return "".join([*parts, without_expressions(text[at:])])


def dedented(text: str) -> str:
    """Take away the indentation that is no list's: MDX has no indented code but `<pre>`."""
    lines, base = text.split("\n"), -1
    for n, line in enumerate(lines):
        bare = line.lstrip(" \t")
        indent = len(line) - len(bare)
        is_item = bool(_ITEM.match(bare))
        if bare and (indent < base or (indent == base and not is_item)):
            base = -1
        if bare and base < 0:
            base = indent if is_item else -1
            lines[n] = bare
        elif bare:
            lines[n] = line[base:]
    return "\n".join(lines).replace(CODE, "    ")


def _pairs(text: str) -> dict[int, int]:
    """Return for each opening brace where its closing one stands."""
    found, stack = {}, list[int]()
    for match in re.finditer(r"(?<!\\)[{}]", text):
        if match[0] == "{":
            stack.append(match.start())
        elif stack:
            found[stack.pop()] = match.start()
    return found


def _spans(tags: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    """Yield where the tags that begin so lie; one may lie in another's attributes."""
    braces = _pairs(text)
    for tag in tags.finditer(text):
        if end := _tag_end(text, tag.end(), braces):
            yield tag.start(), end


def _tag_end(text: str, at: int, braces: dict[int, int]) -> int | None:
    """Return where the tag ends whose attributes begin at `at`; None where it is no tag.

    What is no attribute makes text of all of it, such as a type's parameters: `<T = any>`.
    """
    while True:
        at = _after_blanks(text, at)
        if end := _END.match(text, at):
            return end.end()
        if name := _ATTRIBUTE.match(text, at):
            at = _after_blanks(text, name.end())
            if not text.startswith("=", at):
                continue
            at = _after_blanks(text, at + 1)
            if value := _VALUE.match(text, at):
                at = value.end()
                continue
        closing = braces.get(at)
        if closing is None:
            return None
        at = closing + 1


def _after_blanks(text: str, at: int) -> int:
    blanks = _BLANKS.match(text, at)
    return blanks.end() if blanks else at


def said(tag: str) -> str:
    """Return what a reader sees of a component's tag: its title or label.

    It stands apart from what is beside it; an inline element, or a fragment, parts nothing.
    """
    shown = " ".join(" ".join("".join(groups) for groups in _SAID.findall(tag)).split())
    name = _NAME.match(tag)
    left = shown + newlines(tag)
    return apart(left) if name and name[1] not in INLINE else left
