"""MyST: directives whose content is text, roles, targets, comments, substitutions."""

import re

from indexer.markup.admonitions import bold, named
from indexer.markup.code import Holds
from indexer.markup.marks import END, HIDDEN, ROLE, anchored
from indexer.markup.rst import version_title

_DIRECTIVE = re.compile(r"\{([\w:.-]+)\}[ \t]*(.*)")
_CODE_NAMES = """
code code-block sourcecode code-cell literalinclude parsed-literal doctest testcode testoutput
prompt mermaid graphviz eval-rst math plot ipython jupyter-execute
"""
_UNSEEN_NAMES = """
toctree contents raw highlight bibliography currentmodule module automodule autoclass autosummary
meta index
"""
_CODE = frozenset(_CODE_NAMES.split())
_UNSEEN = frozenset(_UNSEEN_NAMES.split())
_NAMELESS = ("image", "iframe", "only", "include", "figure", "tab-set", "grid")
"""Directives whose argument no reader sees."""
_ROLE = re.compile(rf"(?:\{{[\w:+.-]+\}}|(?<![\w:]):[a-z][\w:+.-]*:)({HIDDEN}\d+{END})")
_TARGET = re.compile(r"^[ \t]*\(([^()\n]+)\)=[ \t]*$", re.M)
_TARGET_ABOVE = re.compile(r"^[ \t]*\(([^()\n]+)\)=[ \t]*\n(#{1,6}[ \t][^\n]*)$", re.M)
_COMMENT = re.compile(r"^[ \t]{0,3}%(?!%)[^\n]*$", re.M)
_BREAK = re.compile(r"^\+\+\+[^\n]*$", re.M)
_MARKED = re.compile(rf"{ROLE}(`+)([^`{ROLE}]*)\1")
_TITLED = re.compile(r"(.+?)[ \t]*<[^<>]*>", re.S)


def read_directive(info: str) -> tuple[Holds, str]:
    """Tell what a directive's fence holds, and what a reader sees of its opening line."""
    match = _DIRECTIVE.fullmatch(info)
    if match is None:
        return Holds.CODE, info
    name, argument = match.groups()
    if name in _CODE:
        return Holds.CODE, argument if name.startswith(("code", "source")) else name
    if name in _UNSEEN:
        return Holds.NOTHING, ""
    if name in _NAMELESS:
        return Holds.TEXT, ""
    if version := version_title(name, argument):
        return Holds.TEXT, version
    return Holds.TEXT, bold(argument) if argument else named(name)


def without_targets(text: str) -> str:
    """Take away targets, comments and block breaks; a target above a heading is its anchor."""
    if ")=" in text:
        text = _TARGET_ABOVE.sub(lambda m: f"\n{m[2]}{anchored(m[1].lower())}", text)
        text = _TARGET.sub("", text)
    text = _COMMENT.sub("", text) if "%" in text else text
    return _BREAK.sub("", text) if "+++" in text else text


def roles_marked(text: str) -> str:
    """Mark the inline code that follows the name of a role, and take away the name."""
    return _ROLE.sub(rf"{ROLE}\1", text) if HIDDEN in text else text


def roles_read(text: str) -> str:
    """Write what a reader sees of the roles marked before."""
    return _MARKED.sub(_role_text, text).replace(ROLE, "") if ROLE in text else text


def _role_text(match: re.Match[str]) -> str:
    inner = match[2].strip()
    titled = _TITLED.fullmatch(inner)
    return titled[1] if titled else inner.removeprefix("~").removeprefix("!")
