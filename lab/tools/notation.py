"""Arithmetic as people write it -> Python's notation, or an error that says what to write.

It reads tokens and the commas between them; it does not know what anything is worth.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from lab.tools.errors import ToolError
from lab.tools.functions import CONSTANTS, FUNCTIONS

MAX_CHARACTERS = 2_000
"""Bounds everything that follows: tokens, nodes of the syntax tree, operations."""
MAX_NESTING = 50

# One character for one, so that a position in an error is a position in what was written. NFKC
# would not do: it reads 10² as 102 and 3½ as 31/2.
TWINS: dict[int, int | str] = {
    **{ord(wide): ord(wide) - 0xFEE0 for wide in map(chr, range(0xFF01, 0xFF5F))},
    **dict.fromkeys(map(ord, "‐‑‒–—―−﹣"), "-"),
    **dict.fromkeys(map(ord, "✕✖·⋅∙•∗"), "×"),
    **dict.fromkeys(map(ord, "∕⁄"), "÷"),
    **dict.fromkeys(map(ord, "\u00a0\u2007\u2009\u202f\u3000"), " "),
}
OPERATORS = {"^": "**", "×": "*", "÷": "/"}
SUPERSCRIPTS = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+-0123456789")
ALIASES = {"π": "pi", "τ": "tau", "√": "sqrt"}

TOKEN = re.compile(
    r"""
      (?P<number> (?: (?P<grouped> [1-9]\d{0,2} (?: ,\d{3} (?![\d_]) )+ ) | \d[\d_]* | (?=\.\d) )
                  (?: \.[\d_]* )?  (?: [eE][+-]?\d+ )? )
    | (?P<power> [⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+ )
    | (?P<word> (?:math\.)?[a-z_]\w* | [πτ√] )
    | (?P<operator> \*\* | // | [-+*/%^×÷] )
    | (?P<open> [(\[] )
    | (?P<close> [)\]] )
    | (?P<comma> , )
    | (?P<space> \s+ )
    | (?P<other> . )
    """,
    re.VERBOSE | re.ASCII | re.IGNORECASE | re.DOTALL,
)

ACCEPTED = "Accepted are numbers, + - * / // % **, parentheses, and functions such as sqrt(2)."

OPERANDS_START = {"number", "constant", "function", "open"}
OPERANDS_END = {"number", "constant", "power", "close"}


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the expression."""

    kind: str
    """number, constant, function, word (anything unknown), power, operator, open, close, comma."""
    text: str
    """As Python writes it."""
    written: str
    """As it was written."""
    at: int
    """Position of its first character, counted from 1."""
    groups: tuple[str, ...] = ()
    """What stands between the commas of a number like 1,234,567."""

    @property
    def place(self) -> str:
        """The token and where it stands, for an error."""
        return f"`{self.written[:20]}` at character {self.at}"


START, END = (Token(kind, "", "", 0) for kind in ("start", "end"))


def plain(expression: str) -> str:
    """The expression in Python's notation, on one line of ASCII."""
    if len(expression) > MAX_CHARACTERS:
        raise ToolError(
            f"The expression has {len(expression):,} characters, more than the {MAX_CHARACTERS:,} "
            "accepted. Calculate it in parts."
        )
    text = expression.translate(TWINS).rstrip().removesuffix("?").rstrip().removesuffix("=")
    tokens = list(scan(text))
    if not tokens:
        raise ToolError("The expression is empty. Write arithmetic such as 2 * (3 + 4).")
    for before, token in pairwise([START, *tokens, END]):
        check_neighbours(before, token)
    check_brackets(tokens)
    return "".join(render(tokens))


def scan(text: str) -> Iterator[Token]:
    """The tokens of a text without its spaces."""
    for match in TOKEN.finditer(text):
        kind, written, at = match.lastgroup or "", match[0], match.start() + 1
        match kind:
            case "space":
                continue
            case "number":
                groups = tuple((match["grouped"] or "").split(","))
                yield Token(kind, re.sub(r"[,_]|^0+(?=\d)", "", written), written, at, groups[1:])
            case "word":
                name = ALIASES.get(written, written.lower().removeprefix("math."))
                called = text[match.end() :].lstrip().startswith("(")
                yield Token(kind_of_word(name, called), name, written, at)
            case "power":
                yield Token(kind, f"**{written.translate(SUPERSCRIPTS)}", written, at)
            case "other":
                shown = written if written.isprintable() else f"U+{ord(written):04X}"
                raise ToolError(f"`{shown}` at character {at} is not accepted. {ACCEPTED}")
            case _:
                yield Token(kind, OPERATORS.get(written, written), written, at)


def kind_of_word(name: str, called: bool) -> str:
    """A function's name is one only before a parenthesis: elsewhere `min` may be a unit."""
    if name in CONSTANTS:
        return "constant"
    return "function" if called and name in FUNCTIONS else "word"


def check_neighbours(before: Token, token: Token) -> None:
    """Refuses what Python would read differently from its writer, or not at all."""
    if before.text == "%" and token.kind not in OPERANDS_START:
        raise ToolError(
            f"{before.place} is read as the remainder of a division and needs a number after it. "
            "For 50 percent write 50/100; put a negative divisor in parentheses."
        )
    if token.kind == "word":
        raise ToolError(about_word(before, token))
    if before.kind in OPERANDS_END and token.kind in OPERANDS_START:
        between = f"between `{before.written}` and {token.place}"
        if token.kind == "number":
            raise ToolError(f"An operator is missing {between}. Digits are not grouped by spaces.")
        raise ToolError(f"Write `*` {between}: multiplication is never implied.")
    if before.kind == token.kind == "power":
        raise ToolError(f"Write {token.place} with `**`: superscripts are read as one number only.")
    if before.kind == "operator" and token.kind == "end":
        raise ToolError(f"A number is missing at the end, after {before.place}.")


def about_word(before: Token, word: Token) -> str:
    """What to write instead of a word that is neither a constant nor a function call."""
    if word.text in FUNCTIONS:
        return f"{word.place} is a function: write {word.text}(...). Leave units out."
    if before.kind in OPERANDS_END:
        return (
            f"{word.place} is not arithmetic: leave units and words out, "
            "and write operators as + - * / // % **."
        )
    known = ", ".join([*FUNCTIONS, *CONSTANTS])
    return f"{word.place} is unknown. Known names are {known}; leave units and other words out."


def check_brackets(tokens: list[Token]) -> None:
    """Refuses brackets that do not pair, and commas that could be read in two ways.

    Commas separate in a list and in the arguments of a function that takes several; elsewhere they
    group thousands. Where they separate, 4,096 is still one number, as no argument is written 096,
    while 1,234 might be two.
    """
    stack: list[tuple[Token, bool]] = []
    separating = False
    for before, token in pairwise([START, *tokens]):
        match token.kind:
            case "open" if len(stack) == MAX_NESTING:
                raise ToolError(f"Brackets nest deeper than {MAX_NESTING}. Calculate it in parts.")
            case "open":
                stack.append((token, separating))
                if before.kind == "function":
                    separating = FUNCTIONS[before.text].most > 1
                separating = separating or token.text == "["
            case "close":
                if not stack or stack[-1][0].text + token.text not in ("()", "[]"):
                    raise ToolError(f"{token.place} closes no bracket that is open there.")
                separating = stack.pop()[1]
            case "comma" if not separating:
                raise ToolError(
                    f"{token.place} neither groups thousands, as in 1,234,567, nor separates "
                    "arguments of a function. Decimals take a point, as in 0.5."
                )
            case "number" if separating and not all(g.startswith("0") for g in token.groups):
                raise ToolError(
                    f"{token.place} may be one number or several arguments. Write `{token.text}` "
                    f"for the number, `{token.written.replace(',', ', ')}` for the arguments."
                )
    if stack:
        raise ToolError(f"{stack[-1][0].place} is never closed.")


def render(tokens: list[Token]) -> Iterator[str]:
    """The tokens as Python writes them; a space keeps `* *` from turning into a power."""
    for before, token in pairwise([START, *tokens]):
        if before.kind == "comma" or (before.kind == "operator" and token.text[0] in "*/"):
            yield " "
        yield token.text
