"""A configuration written as a program, JavaScript or TypeScript -> what it says in plain values.

Parsed, never run: a value that only running would give is left out.
"""

import json
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_WRAPPERS = (
    *("parenthesized_expression", "as_expression", "satisfies_expression", "await_expression"),
    *("non_null_expression", "spread_element"),
)
_FUNCTIONS = (
    *("arrow_function", "function_expression", "function_declaration", "method_definition"),
    "generator_function",
)
_EXPORTS = ("module.exports", "exports.default", "exports")
_ESCAPE = re.compile(
    r"((?:\\u[0-9a-fA-F]{4})+)|\\(x[0-9a-fA-F]{2}|u\{[0-9a-fA-F]{1,8}\})|\\(.)", re.S
)
_SIGNS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}
SPREAD = "..."
"""Stands among the options of a plugin for those that cannot be told."""
_MOST_STEPS = 10_000
"""So many values are looked at: each name may lead to several others."""
_MOST_FILES = 50
"""So many files are read for one configuration."""


class Opened(NamedTuple):
    """A program that another one imports."""

    path: str
    """Tells files apart."""
    text: str
    imports: "Import"
    """What opens those that it imports itself."""


Import = Callable[[str], Optional[Opened]]  # noqa: UP045  names itself in a text
"""Given what a program imports by name, opens it; None for what is not to be read."""


def _closed(_name: str) -> Opened | None:
    """Open nothing."""
    return None


def values_in(text: str, imports: Import = _closed) -> dict[str, Any]:
    """Return what a program exports, as plain dictionaries, lists, texts and truth values.

    What `export default`, `module.exports` and an exported `config` hold is put together; of a
    function, what it returns. A call stands for what it is given: `defineConfig({...})`. One that
    sets something, `setInputDirectory("src")`, gives it under its name; those that add something,
    `ignores.add("drafts")`, give a list under the name of what it is added to; one that uses a
    plugin, `use(require("x"), {...})`, gives its options under the name of its package, with None
    for those that only running would give. A name that is imported stands for what it has in the
    file that `imports` opens, or else for its package.
    """
    program = _Program(text, imports, _Work())
    return program.done_by_calls() | program.default()


@cache
def _parser() -> "Parser":
    import tree_sitter  # noqa: PLC0415  only for sites whose configuration is a program
    import tree_sitter_typescript  # noqa: PLC0415

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_typescript.language_tsx()))


@dataclass(slots=True)
class _Work:
    """What was done for a configuration, in all of its files."""

    steps: int = 0
    programs: dict[str, "_Program"] = field(default_factory=dict)


class _Program:
    def __init__(self, text: str, imports: Import, work: _Work) -> None:
        self._root = _parser().parse(text.encode(errors="replace")).root_node
        self._open, self._work = imports, work
        self._names: dict[str, Node] = {}
        self._imported: dict[str, tuple[str, str]] = {}
        """Of each name, the file it is from, and its name there."""
        for node in self._root.named_children:
            self._name(node)
            self._import(node)
        for node in self._everywhere():
            if node.type == "variable_declarator":
                self._name(node)

    def default(self) -> dict[str, Any]:
        """Return what the program exports as a whole."""
        found: dict[str, Any] = {}
        for node in self.exported():
            value = self.value(node)
            found |= value if isinstance(value, dict) else {}
        return found

    def _import(self, node: "Node") -> None:
        """Take note of the names a statement brings from another file, or exports under others."""
        source = node.child_by_field_name("source")
        file = _text(source) if source else None
        for clause in node.named_children:
            for each in clause.named_children if clause.type.endswith("_clause") else ():
                if each.type == "identifier" and file:
                    self._imported[_raw(each)] = file, "default"
                specifiers = each.named_children if each.type == "named_imports" else [each]
                for specifier in specifiers:
                    name = specifier.child_by_field_name("name")
                    alias = specifier.child_by_field_name("alias") or name
                    if name and alias and file:
                        self._imported[_raw(alias)] = file, _raw(name)
                    elif name and alias is not name and alias:
                        self._names[_raw(alias)] = name

    def _from(self, file: str, name: str) -> Any:
        """Return what a name means in another file; None where that is not to be read."""
        opened = self._open(file)
        if opened is None:
            return None
        programs = self._work.programs
        if opened.path not in programs:
            if len(programs) >= _MOST_FILES:
                return None
            programs[opened.path] = _Program(opened.text, opened.imports, self._work)
        program = programs[opened.path]
        return program.default() if name == "default" else program.named(name)

    def _name(self, node: "Node") -> None:
        if node.type == "export_statement":
            node = node.child_by_field_name("declaration") or node
        named = node.named_children if node.type.endswith("_declaration") else []
        for each in (node, *named):
            name = each.child_by_field_name("name")
            held = each.child_by_field_name("value")
            if name is not None and (held or each.type in _FUNCTIONS):
                self._names.setdefault(_raw(name), held or each)
        package = node.child_by_field_name("source")
        if node.type == "import_statement" and package and not _raw(package)[1:].startswith("."):
            clause = node.named_children[0]
            self._names |= {_raw(each): package for each in clause.named_children[:1]}

    def exported(self) -> Iterator["Node"]:
        """Yield what the program exports."""
        for node in self._root.named_children:
            if node.type == "export_statement":
                given = node.child_by_field_name("value")
                declared = node.child_by_field_name("declaration")
                if given or (declared and declared.type in _FUNCTIONS):
                    yield given or declared  # type: ignore[misc]
            for inner in node.named_children:
                left = inner.child_by_field_name("left")
                right = inner.child_by_field_name("right")
                if left and right and _raw(left) in _EXPORTS:
                    yield right
        if "config" in self._names:
            yield self._names["config"]

    def done_by_calls(self) -> dict[str, Any]:
        """Return what is set, added, and used, by a call, wherever it stands."""
        found: dict[str, Any] = {}
        added: dict[str, list[str]] = {}
        for call, function in self._calls():
            of, _, name = _raw(function).replace("?.", ".").rpartition(".")
            value = self._argument(call)
            if name.startswith("set") and isinstance(value, str | bool):
                found[name] = value
            elif name == "add" and isinstance(value, str):
                added.setdefault(of.rpartition(".")[2], []).append(value)
            elif name == "use":
                found |= self._used(call)
        return added | found

    def _calls(self) -> Iterator[tuple["Node", "Node"]]:
        """Yield each call with what it calls, in their order."""
        for node in self._everywhere():
            function = node.child_by_field_name("function")
            if node.type == "call_expression" and function:
                yield node, function

    def _everywhere(self) -> Iterator["Node"]:
        waiting = [self._root]
        while waiting:
            node = waiting.pop()
            waiting += reversed(node.named_children)
            yield node

    def _used(self, call: "Node") -> dict[str, Any]:
        """Return the options of the plugin that a call uses, by the name of its package."""
        arguments = call.child_by_field_name("arguments")
        given = arguments.named_children if arguments else []
        name = self.value(given[0]) if given else None
        if not isinstance(name, str):
            return {}
        options = [self._names.get(_raw(each), each) for each in given[1:2]]
        return {name: dict(self._pairs(options[0]) if options else ())}

    def value(self, node: "Node | None") -> Any:
        """Return the value of an expression; None where only running would tell."""
        self._work.steps += 1
        if node is None or self._work.steps > _MOST_STEPS:
            return None
        kind = node.type
        if kind in ("string", "template_string"):
            return _text(node)
        if kind in ("true", "false"):
            return kind == "true"
        if kind == "object":
            return self._object(node)
        if kind == "array":
            values = (self.value(each) for each in node.named_children)
            return [value for value in values if value is not None]
        if kind in _WRAPPERS:
            return self.value(node.named_child(0))
        if kind == "member_expression" and _raw(node).endswith(".default"):
            return self.value(node.named_child(0))
        if kind in ("identifier", "shorthand_property_identifier"):
            return self.named(_raw(node))
        if kind == "call_expression":
            return self._argument(node)
        if kind == "binary_expression":
            return self._either(node)
        if kind in _FUNCTIONS:
            return self._returned(node.child_by_field_name("body"))
        return None

    def named(self, name: str) -> Any:
        """Return the value of a name; None within that value, where names lead in a circle."""
        if node := self._names.pop(name, None):
            value = self.value(node)
            self._names[name] = node
            return value
        if imported := self._imported.pop(name, None):
            value = self._from(*imported)
            self._imported[name] = imported
            return value
        return None

    def _object(self, node: "Node") -> dict[str, Any]:
        return {key: value for key, value in self._pairs(node) if value is not None}

    def _pairs(self, node: "Node") -> Iterator[tuple[str, Any]]:
        """Yield the keys of an object with their values; `...` for keys only running would give."""
        if node.type != "object":
            yield SPREAD, None
            return
        for each in node.named_children:
            value = self._held(each.child_by_field_name("value") or each)
            key = each.child_by_field_name("key") or each.child_by_field_name("name") or each
            if each.type == "spread_element":
                yield from value.items() if isinstance(value, dict) else [(SPREAD, None)]
            elif each.type != "comment":
                yield (_text(key) or "" if key.type == "string" else _raw(key)), value

    def _held(self, node: "Node") -> Any:
        """Return what an object holds; what a function makes of what it is given, nobody knows."""
        given = node.child_by_field_name("parameters") or node.child_by_field_name("parameter")
        asks = given and (given.type == "identifier" or given.named_children)
        return None if asks else self.value(node)

    def _argument(self, call: "Node") -> Any:
        """Return what a call is given: its first dictionary, or else its first plain value."""
        given = call.child_by_field_name("arguments")
        values = [self.value(each) for each in given.named_children] if given else []
        plain = [value for value in values if value is not None]
        return next((value for value in plain if isinstance(value, dict)), next(iter(plain), None))

    def _either(self, node: "Node") -> Any:
        """Return a sum of texts, or what stands in where a value is missing."""
        operator = node.child_by_field_name("operator")
        left, right = (self.value(node.child_by_field_name(side)) for side in ("left", "right"))
        if operator is not None and _raw(operator) == "+":
            both = isinstance(left, str) and isinstance(right, str)
            return left + right if both else None
        return right if left is None else left

    def _returned(self, body: "Node | None") -> Any:
        if body is None or body.type != "statement_block":
            return self.value(body)
        returns = [each for each in body.named_children if each.type == "return_statement"]
        return self.value(returns[-1].named_child(0)) if returns else None


def _raw(node: "Node") -> str:
    return (node.text or b"").decode(errors="replace")


def _text(node: "Node") -> str | None:
    """Return what a string says; None for one with parts that are computed."""
    if any(each.type == "template_substitution" for each in node.named_children):
        return None
    return _ESCAPE.sub(_unescaped, _raw(node)[1:-1]).encode(errors="replace").decode()


def _unescaped(match: re.Match[str]) -> str:
    halves, code, sign = match.groups()
    if halves:  # two halves are one character
        return str(json.loads(f'"{halves}"'))
    if code:
        number = int(code.strip("xu{}"), 16)
        return chr(number) if number <= sys.maxunicode else ""
    return _SIGNS.get(sign, sign)
