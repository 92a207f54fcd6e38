"""The calculator a model may call: text in, text out. It knows no agent and no other tool."""

from __future__ import annotations

from decimal import Context
from typing import Annotated

from lab.tools.arithmetic import evaluate
from lab.tools.functions import Number
from lab.tools.notation import plain

LARGE = 1_000_000
"""From here on a whole number is also shown in a form that is easy to read."""
MAX_GROUPED_DIGITS = 21


def calculate(
    expression: Annotated[
        str, "Arithmetic in numbers only, without units, e.g. 2 * 32 * 8 * 128 * 4,096 / 2**20"
    ],
) -> str:
    """Returns the value of an arithmetic expression: whole numbers exactly, others to 12 digits.

    Use it for every calculation, however small, rather than work it out yourself.
    Operators: + - * / // % (remainder) ** and parentheses. Constants: pi, e, tau.
    Functions: sqrt, exp, log(x) or log(x, base), ln, log2, log10, sin, cos, tan, asin, acos, atan
    (in radians), radians, degrees, factorial, comb(n, k), floor, ceil, round(x, digits), abs,
    min, max, sum. Between arguments put a comma and a space: max(1, 234).
    """
    return shown(evaluate(plain(expression)))


def shown(value: Number) -> str:
    """The number as a model reads it best: plain first, and a large whole one also in short."""
    text = str(value) if isinstance(value, int) else f"{value:.12g}"
    digits = text.removeprefix("-")
    if text == "-0" or not digits.isdecimal() or int(digits) < LARGE:
        return digits if text == "-0" else text
    grouped = f"{int(text):,}" if len(digits) <= MAX_GROUPED_DIGITS else f"{len(digits):,} digits"
    rounded = Context(prec=4).create_decimal(text).normalize()
    about = "" if rounded == int(text) else "about "
    return f"{text} ({grouped}; {about}{rounded:e})"
