"""What the calculator can do: operators, functions and constants, each bounded before it computes.

It does not know syntax. A result too large to allow raises OverflowError, one that is not a real
number ValueError, as Python's own arithmetic does.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from dataclasses import dataclass

from lab.tools.errors import ToolError

Number = int | float

MAX_DIGITS = 3_000
"""Of a whole number; below the 4,300 that Python agrees to print."""
MAX_BITS = int(MAX_DIGITS * math.log2(10))
MAX_FACTORIAL = 1_000
MAX_ROUND_DIGITS = 100


@dataclass(frozen=True, slots=True)
class Function:
    """What a name before parentheses computes, and from how many arguments."""

    compute: Callable[..., Number]
    fewest: int = 1
    most: float = 1
    """Infinite where any number of arguments will do; such a function also takes one list."""


def multiply(left: Number, right: Number) -> Number:
    """The product, exact for whole numbers."""
    if isinstance(left, int) and isinstance(right, int):
        require_bits(left.bit_length() + right.bit_length())
    return left * right


def divide(left: Number, right: Number) -> Number:
    """The quotient; one of whole numbers that comes out even stays whole, and so exact."""
    if isinstance(left, int) and isinstance(right, int) and right and left % right == 0:
        return left // right
    return left / right


def power(base: Number, exponent: Number) -> Number:
    """The power, unless it is too large or complex."""
    if isinstance(base, int) and isinstance(exponent, int) and exponent > 0 and abs(base) > 1:
        require_bits(math.log2(abs(base)) * exponent)
    if base < 0 and exponent != math.floor(exponent):
        raise ValueError("a negative base with a fractional exponent gives a complex number")
    result: Number = base**exponent
    return result


def factorial(value: Number) -> int:
    """The factorial of a whole number up to MAX_FACTORIAL."""
    n = whole(value, "factorial")
    if n > MAX_FACTORIAL:
        raise ToolError(f"factorial is limited to whole numbers from 0 to {MAX_FACTORIAL}.")
    return math.factorial(n)


def comb(total: Number, chosen: Number) -> int:
    """The number of ways to choose, unless the count itself is too large."""
    n, k = whole(total, "comb"), whole(chosen, "comb")
    if 0 <= k <= n:
        require_bits(min(n, min(k, n - k) * n.bit_length()))
    return math.comb(n, k)


def round_to(value: Number, digits: Number = 0) -> Number:
    """Rounds as Python does: a half goes to the even neighbour, digits may be negative."""
    places = whole(digits, "The second argument of round")
    if abs(places) > MAX_ROUND_DIGITS:
        limit = MAX_ROUND_DIGITS
        raise ToolError(f"The second argument of round must lie between -{limit} and {limit}.")
    return round(value, places)


def whole(value: Number, who: str) -> int:
    """The value as an int, or an error that names who asked for a whole number."""
    if isinstance(value, float) and not value.is_integer():
        raise ToolError(f"{who} needs a whole number, not {value:.12g}.")
    return int(value)


def require_bits(bits: float) -> None:
    """Refuses a whole number of that size before it is computed."""
    if bits > MAX_BITS:
        raise OverflowError


CONSTANTS: dict[str, float] = {"pi": math.pi, "e": math.e, "tau": math.tau}

FUNCTIONS: dict[str, Function] = {
    "sqrt": Function(math.sqrt),
    "exp": Function(math.exp),
    "log": Function(math.log, most=2),
    "ln": Function(math.log),
    "log2": Function(math.log2),
    "log10": Function(math.log10),
    "sin": Function(math.sin),
    "cos": Function(math.cos),
    "tan": Function(math.tan),
    "asin": Function(math.asin),
    "acos": Function(math.acos),
    "atan": Function(math.atan),
    "radians": Function(math.radians),
    "degrees": Function(math.degrees),
    "factorial": Function(factorial),
    "comb": Function(comb, fewest=2, most=2),
    "floor": Function(math.floor),
    "ceil": Function(math.ceil),
    "round": Function(round_to, most=2),
    "abs": Function(abs),
    "min": Function(lambda *values: min(values), most=math.inf),
    "max": Function(lambda *values: max(values), most=math.inf),
    "sum": Function(lambda *values: sum(values), most=math.inf),
}

SIGNS: dict[type[ast.AST], Callable[[Number], Number]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
}

OPERATORS: dict[type[ast.AST], Callable[[Number, Number], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: multiply,
    ast.Div: divide,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: power,
}
