"""reStructuredText -> Markdown, line by line: sections, directives, code; the rest read plainly."""

import re
from collections.abc import Iterator

from indexer.markup.admonitions import bold, named
from indexer.markup.marks import INCLUDE, QUOTE
from indexer.markup.rst_inline import speak
from indexer.markup.rst_tables import table_end

_RULE = re.compile(r"([!-/:-@\[-`{-~])\1{2,}\s*")
_DIRECTIVE = re.compile(r"(\s*)\.\.\s+(?:\|([^|]+)\|\s+)?([\w:.+-]+)::(?:\s+(.*))?")
_EXPLICIT = re.compile(r"\s*\.\.(?:\s+.*)?")
_FOOTNOTE = re.compile(r"(\s*)\.\.\s+(\[[^\]]+\])\s+(.*)")
_OPTION = re.compile(r"\s+:([\w-]+):(?:\s+(.*))?")
_FIELD = re.compile(r":[\w-]+:(?:\s.*)?")
_CODE_NAMES = """
code code-block sourcecode parsed-literal doctest testcode testoutput math graphviz digraph
mermaid console prompt ipython plot jupyter-execute code-tab command-output program-output
productionlist
"""
_UNSEEN_NAMES = """
toctree contents index meta raw image highlight default-role default-domain role program testsetup
testcleanup module currentmodule py:module py:currentmodule automodule autoclass tabularcolumns
sectionauthor codeauthor moduleauthor inheritance-diagram cpp:namespace cpp:namespace-push
cpp:namespace-pop c:namespace c:namespace-push c:namespace-pop
"""
_CODE = frozenset(_CODE_NAMES.split())
_UNSEEN = frozenset(_UNSEEN_NAMES.split())
_TITLED = ("admonition", "topic", "sidebar", "rubric", "tab", "tab-item", "group-tab", "dropdown")
_NAMELESS = ("figure", "only", "container", "class", "rst-class", "cssclass", "hlist", "grid")
_SIGNATURE = re.compile(r"[\w.]+\(|[\w.]*[A-Z]")
"""To Sphinx `class` documents a class of Python's; to Docutils it names one of a style sheet."""
_INCLUDED = {"include": INCLUDE, "literalinclude": QUOTE}
_VERSIONS = re.compile(r"(version)-?(added|changed|removed)|deprecated")


def as_markdown(lines: list[str]) -> list[str]:
    """Return the lines as Markdown, one for each."""
    return _Reader(list(lines)).read()


def version_title(name: str, argument: str) -> str:
    """Return what a reader sees of a note on a version; empty for another directive."""
    note = _VERSIONS.fullmatch(name)
    if note is None or not argument:
        return ""
    version, _, text = argument.partition(" ")
    kind = f"{note[1]} {note[2]}" if note[1] else name
    return f"{kind.capitalize()}: {version} {text}".rstrip()


class _Reader:
    """Goes through the lines of a page, and writes them anew where they stand."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._adornments: list[str] = []
        """Of the headings, outermost first."""
        self._code: set[int] = set()
        """Lines that hold code."""
        self._replaced: dict[str, str] = {}
        """Texts of substitutions."""

    def read(self) -> list[str]:
        """Return the lines as Markdown."""
        lines, n = self._lines, self._fields()
        while n < len(lines):
            n = self._one(n)
        speak(lines, self._code, self._replaced)
        return lines

    def _fields(self) -> int:
        """Take away the fields at the top, which say something to the generator alone."""
        n = 0
        while n < len(self._lines) and (
            not self._lines[n].strip() or _FIELD.fullmatch(self._lines[n])
        ):
            self._lines[n] = ""
            n += 1
        return n

    def _one(self, n: int) -> int:
        """Read what begins on line `n`; return the line from which to go on."""
        lines, line = self._lines, self._lines[n]
        if over := _overlined(lines, n):
            lines[n : n + 3] = ["", self._heading(over, "=" + line[0]), ""]
            return n + 3
        if _underlined(lines, n):
            lines[n : n + 2] = [self._heading(line, lines[n + 1][0]), ""]
            return n + 2
        if _EXPLICIT.fullmatch(line):
            return self._explicit(n)
        if line.lstrip().startswith(">>> "):
            return self._session(n)
        if (end := table_end(lines, n)) > n:
            return end
        if line.rstrip().endswith("::"):
            lines[n] = "" if line.strip() == "::" else line.rstrip()[:-1]
            return self._as_code(n + 1, _indent(line))
        return n + 1

    def _heading(self, title: str, adornment: str) -> str:
        if adornment not in self._adornments:
            self._adornments.append(adornment)
        return "#" * min(6, self._adornments.index(adornment) + 1) + " " + title.strip()

    def _explicit(self, n: int) -> int:
        """Read a directive, a footnote, a target or a comment."""
        lines = self._lines
        if note := _FOOTNOTE.fullmatch(lines[n]):
            lines[n] = f"{note[1]}{note[2]} {note[3]}"
            return n + 1
        indent = _indent(lines[n])
        directive = _DIRECTIVE.fullmatch(lines[n])
        inside = list(_inside(lines, n + 1, indent))
        if directive and directive[2]:
            said = [directive[4] or "", *(lines[at].strip() for at in inside)]
            self._replaced[directive[2]] = (
                " ".join(filter(None, said)) if directive[3] == "replace" else ""
            )
        if directive is None or directive[2] or directive[3] in _UNSEEN:
            for at in (n, *inside):
                lines[at] = ""
            return n + 1
        return self._directive(n, directive[1], directive[3], (directive[4] or "").strip())

    def _directive(self, n: int, before: str, name: str, argument: str) -> int:
        lines, indent = self._lines, len(before)
        at, options = n + 1, dict[str, str]()
        while at < len(lines) and (option := _OPTION.fullmatch(lines[at])):
            key, value = option[1], (option[2] or "").strip()
            options[key] = value
            lines[at] = before + value if (name, key) == ("csv-table", "header") else ""
            at += 1
        if name in _INCLUDED:
            said = (f":{key}: {value}" for key, value in options.items())
            lines[n] = " ".join((before + _INCLUDED[name] + argument, *said))
        elif name in _CODE:
            lines[n] = before + bold(options.get("caption", ""))
            return self._as_code(at, indent)
        elif name in _NAMELESS and not (name == "class" and _SIGNATURE.match(argument)):
            lines[n] = ""
        elif argument:
            title = bold(argument.strip("\\")) if name in _TITLED else argument
            lines[n] = before + (version_title(name, argument) or title)
        else:
            lines[n] = before + named(name)
        inside = list(_inside(lines, at, indent))
        depth = min((_indent(lines[each]) for each in inside if lines[each].strip()), default=0)
        for each in inside:
            lines[each] = lines[each][max(0, depth - indent) :] if lines[each].strip() else ""
        return at

    def _session(self, n: int) -> int:
        """Read lines typed into Python, and what it answered."""
        while n < len(self._lines) and self._lines[n].strip():
            self._lines[n] = "    " + self._lines[n]
            self._code.add(n)
            n += 1
        return n

    def _as_code(self, n: int, indent: int) -> int:
        """Indent what stands deeper than `indent` by four, so that Markdown takes it for code."""
        lines, end = self._lines, n
        inside = [at for at in _inside(lines, n, indent) if lines[at].strip()]
        depth = min((_indent(lines[at]) for at in inside), default=0)
        for at in inside:
            lines[at] = " " * (indent + 4) + lines[at][depth:]
            self._code.add(at)
            end = at + 1
        return end


def _overlined(lines: list[str], n: int) -> str:
    if n + 2 >= len(lines) or not _RULE.fullmatch(lines[n]):
        return ""
    is_title = lines[n + 2].rstrip() == lines[n].rstrip() and lines[n + 1].strip()
    return lines[n + 1].strip() if is_title and not _RULE.fullmatch(lines[n + 1]) else ""


def _underlined(lines: list[str], n: int) -> bool:
    if n + 1 >= len(lines) or not lines[n].strip() or lines[n][0] in " \t":
        return False
    before = lines[n - 1].strip() if n else ""
    rule = _RULE.fullmatch(lines[n + 1])
    return bool(rule and not before and not _RULE.fullmatch(lines[n]))


def _inside(lines: list[str], n: int, indent: int) -> Iterator[int]:
    while n < len(lines) and (not lines[n].strip() or _indent(lines[n]) > indent):
        yield n
        n += 1


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
