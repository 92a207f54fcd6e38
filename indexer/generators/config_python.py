"""A configuration written in Python -> what it says in plain values. Parsed, never run."""

import ast
from typing import Any


def values_in(text: str) -> dict[str, Any]:
    """Return what the program's names hold at its end; ValueError where it is no Python.

    A value that only running would give is left out, in a list too.
    """
    try:
        statements = ast.parse(text).body
    except SyntaxError as error:
        raise ValueError(str(error)) from error
    names: dict[str, Any] = {}
    said: dict[str, Any] = {}
    """What calls are given by name, as by those who let a function make the configuration."""
    for statement in statements:
        match statement:
            case ast.Assign([ast.Name(name)], value) | ast.AnnAssign(ast.Name(name), value=value):
                found = _value(value, names)
            case ast.AugAssign(ast.Name(name), ast.Add(), value):
                found = _sum(names.get(name), _value(value, names))
            case ast.Expr(ast.Call() as call):
                for each in ast.walk(call):
                    if isinstance(each, ast.keyword):
                        said[each.arg or ""] = _value(each.value, names)
                continue
            case _:
                continue
        if found is not None:
            names[name] = found
    return {name: value for name, value in said.items() if value is not None} | names


def _value(node: ast.expr | None, names: dict[str, Any]) -> Any:
    match node:
        case ast.Constant(str() | bool() as value):
            return value
        case ast.List(items) | ast.Tuple(items) | ast.Set(items):
            values = (_value(each, names) for each in items)
            return [value for value in values if value is not None]
        case ast.Dict(keys, values):
            pairs = zip(keys, values, strict=True)
            return {
                key.value: _value(value, names)
                for key, value in pairs
                if isinstance(key, ast.Constant) and isinstance(key.value, str)
            }
        case ast.Name(name):
            return names.get(name)
        case ast.BinOp(left, ast.Add(), right):
            return _sum(_value(left, names), _value(right, names))
    return None


def _sum(left: Any, right: Any) -> Any:
    """Return two texts or lists as one; of a list and an unknown value, the list."""
    if isinstance(left, list) or isinstance(right, list):
        return [each for side in (left, right) if isinstance(side, list) for each in side]
    return left + right if isinstance(left, str) and isinstance(right, str) else None
