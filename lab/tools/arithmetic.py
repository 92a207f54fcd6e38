"""Arithmetic in Python's notation -> a number, by a whitelist over the syntax tree.

It does not know what people write instead of Python's notation, nor how a number is shown.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Sequence

from lab.tools.errors import ToolError
from lab.tools.functions import CONSTANTS, FUNCTIONS, MAX_BITS, MAX_DIGITS, OPERATORS, SIGNS, Number

MAX_QUOTED = 60
"""Characters of the expression that an error quotes."""


def evaluate(source: str) -> Number:
    """The finite value of one line of ASCII source; whatever is not arithmetic is refused."""
    values: dict[ast.AST, Number] = {}

    def value_of(node: ast.expr) -> Number:
        if node not in values:
            raise ToolError(f"`{segment(source, node)}` is not a number or a known calculation.")
        return values[node]

    compute: Callable[..., Number]
    tree = parse(source)
    # Breadth first and backwards, operands come before their operator: no recursion to bound.
    for node in reversed(list(ast.walk(tree))):
        match node:
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                compute, operands = SIGNS[ast.UAdd], [number]
            case ast.Name(id=name) if name in CONSTANTS:
                compute, operands = SIGNS[ast.UAdd], [CONSTANTS[name]]
            case ast.UnaryOp(op=op, operand=operand) if type(op) in SIGNS:
                compute, operands = SIGNS[type(op)], [value_of(operand)]
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
                compute, operands = OPERATORS[type(op)], [value_of(left), value_of(right)]
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS:
                compute = FUNCTIONS[name].compute
                operands = [value_of(argument) for argument in arguments(name, args)]
            case _:
                continue
        values[node] = finite(segment(source, node), compute, operands)
    return value_of(tree)


def parse(source: str) -> ast.expr:
    """The syntax tree, or an error that quotes the source from where it cannot be read."""
    try:
        return ast.parse(source, mode="eval").body
    except SyntaxError as error:
        rest = source[max((error.offset or 1) - 1, 0) :].strip()
        raise ToolError(
            f"The expression cannot be read at `{cut(rest or source)}`: "
            "a number is missing, or there is an operator too many."
        ) from None
    except (ValueError, RecursionError, MemoryError):
        raise ToolError("The expression is too deeply nested; calculate it in parts.") from None


def arguments(name: str, given: list[ast.expr]) -> Sequence[ast.expr]:
    """The arguments of a call, as many as the function takes; a lone list stands for its items."""
    function = FUNCTIONS[name]
    if function.most == math.inf and len(given) == 1 and isinstance(given[0], ast.List | ast.Tuple):
        given = given[0].elts
    if not function.fewest <= len(given) <= function.most:
        most = "more" if function.most == math.inf else f"{function.most}"
        takes = most if most == f"{function.fewest}" else f"{function.fewest} or {most}"
        raise ToolError(f"{name} takes {takes} argument(s), separated by commas, not {len(given)}.")
    return given


def finite(text: str, compute: Callable[..., Number], operands: Sequence[Number]) -> Number:
    """The result, or an error that quotes the part of the expression that has none."""
    try:
        result = compute(*operands)
        if is_in_range(result):
            return result
    except ZeroDivisionError:
        raise ToolError(f"Division by zero in `{text}`.") from None
    except ValueError:
        raise ToolError(f"`{text}` has no real value.") from None
    except OverflowError:
        pass
    raise ToolError(
        f"`{text}` is too large: whole numbers may have {MAX_DIGITS:,} digits, others reach 1e308."
    )


def is_in_range(value: Number) -> bool:
    """Whether a number may be worked with further."""
    return math.isfinite(value) if isinstance(value, float) else value.bit_length() <= MAX_BITS


def segment(source: str, node: ast.expr) -> str:
    """The source of a node, cut to what an error can quote."""
    return cut(source[node.col_offset : node.end_col_offset])


def cut(text: str) -> str:
    """A text short enough to quote."""
    return text if len(text) <= MAX_QUOTED else text[: MAX_QUOTED - 1] + "…"
