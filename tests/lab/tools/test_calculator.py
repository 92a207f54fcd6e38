"""The calculator: tables of what it answers and refuses, and properties that hold for any text."""

from __future__ import annotations

import math
import re
import time
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lab.tools.arithmetic import evaluate
from lab.tools.calculator import calculate
from lab.tools.errors import ToolError
from lab.tools.functions import CONSTANTS, FUNCTIONS
from lab.tools.notation import plain
from lab.tools.tool import tool

SECONDS = 0.1
"""Within this, of the thread's own time, any input must have its answer."""
TRIES = 3
"""The quickest counts: the first may pay for rubbish of other tests, or for a slow moment."""


def refusal(expression: str) -> str:
    with pytest.raises(ToolError) as caught:
        calculate(expression)
    return str(caught.value)


def answer(expression: str) -> str:
    """The result or the refusal, whichever there is."""
    try:
        return calculate(expression)
    except ToolError as error:
        return str(error)


def seconds(expression: str) -> float:
    """Of the thread's own time, that the answer takes."""
    taken = math.inf
    for _ in range(TRIES):
        started = time.thread_time()
        answer(expression)
        taken = min(taken, time.thread_time() - started)
        if taken < SECONDS:
            break
    return taken


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("2 + 3 * 4", "14"),
        ("(2 + 3) * 4", "20"),
        ("7 // 2", "3"),
        ("7 % 3", "1"),
        ("-7 % 3", "2"),
        ("10 % (-3)", "-2"),
        ("2**10", "1024"),
        ("2**3**2", "512"),
        ("-2**2", "-4"),
        ("2**-1", "0.5"),
        ("(-2)**3", "-8"),
        ("(-2)**2.0", "4"),
        ("+5 - -3", "8"),
        ("--5", "5"),
        ("1**100000000", "1"),
        ("6/3", "2"),
        ("7/2", "3.5"),
        ("10**400 / 10**399", "10"),
        ("8 * 128 * 2 * 2 * 32", "131072"),
    ],
)
def test_operators_follow_the_usual_precedence(expression: str, result: str) -> None:
    assert calculate(expression) == result


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("sqrt(16)", "4"),
        ("exp(0)", "1"),
        ("log(e)", "1"),
        ("log(8, 2)", "3"),
        ("ln(e**2)", "2"),
        ("log2(1024)", "10"),
        ("log10(10**400)", "400"),
        ("sin(0) + cos(0) + tan(0)", "1"),
        ("asin(1) + acos(1) - pi/2", "0"),
        ("4 * atan(1)", "3.14159265359"),
        ("radians(180) - pi", "0"),
        ("degrees(tau)", "360"),
        ("factorial(0)", "1"),
        ("factorial(10.0)", "3628800 (3,628,800; about 3.629e+6)"),
        ("comb(5, 2)", "10"),
        ("comb(2, 5)", "0"),
        ("comb(10**9, 10**9 - 1)", "1000000000 (1,000,000,000; 1e+9)"),
        ("floor(-2.5)", "-3"),
        ("ceil(2.1)", "3"),
        ("round(2.5)", "2"),
        ("round(3.14159, 2)", "3.14"),
        ("round(1234, -2)", "1200"),
        ("abs(-3)", "3"),
        ("min(3, 1, 2)", "1"),
        ("max(3, 1, 2)", "3"),
        ("max(7)", "7"),
        ("sum(1,2,3)", "6"),
        ("sum([1, 2, 3]) / 3", "2"),
        ("min((4, 5))", "4"),
        ("max(sqrt(16), 2 * (1 + 2))", "6"),
    ],
)
def test_functions_give_the_value_mathematics_gives(expression: str, result: str) -> None:
    assert calculate(expression) == result


@pytest.mark.parametrize(
    ("expression", "python"),
    [
        ("2^10", "2**10"),
        ("3 × 4", "3*4"),
        ("3 · 4", "3*4"),
        ("8 ÷ 2", "8/2"),
        ("5 − 3", "5-3"),
        ("5 – 3", "5-3"),
        ("10²", "10**2"),
        ("10⁻³ + 2²", "10**-3+2**2"),
        ("√(2) * π", "sqrt(2)*pi"),
        ("４，０９６ ＋ （１）", "4096+(1)"),
        ("1_000_000", "1000000"),
        ("1.5e3 + 2E-3 + .5 + 5.", "1.5e3+2E-3+.5+5."),
        ("007", "7"),
        ("  2\n+\t3\u00a0 ", "2+3"),
        ("2 + 3 =", "2+3"),
        ("2 + 3 = ?", "2+3"),
        ("2 + 3?", "2+3"),
        ("SQRT(Pi) + E + TAU", "sqrt(pi)+e+tau"),
        ("math.sqrt(math.pi)", "sqrt(pi)"),
    ],
)
def test_usual_ways_of_writing_are_read_as_python(expression: str, python: str) -> None:
    assert plain(expression) == python


@pytest.mark.parametrize(
    ("expression", "python"),
    [
        ("4,096", "4096"),
        ("1,234,567.8 * 2", "1234567.8*2"),
        ("(4,096 + 1) * 1,000", "(4096+1)*1000"),
        ("sqrt(4,096)", "sqrt(4096)"),
        ("max(sqrt(1,234), 3)", "max(sqrt(1234), 3)"),
        ("comb(52,5)", "comb(52, 5)"),
        ("comb(1000,500)", "comb(1000, 500)"),
        ("max(1, 234)", "max(1, 234)"),
        ("max(0,500)", "max(0, 500)"),
        ("max(1.5,234)", "max(1.5, 234)"),
        ("max(4,096, 3)", "max(4096, 3)"),
        ("max(10,000,20,000)", "max(10000, 20000)"),
        ("sum([4,096, 1,000,000])", "sum([4096, 1000000])"),
    ],
)
def test_a_comma_that_can_mean_one_thing_only_is_read_so(expression: str, python: str) -> None:
    assert plain(expression) == python


@pytest.mark.parametrize(
    ("expression", "number", "arguments"),
    [
        ("max(1,234)", "1234", "1, 234"),
        ("sum(100,200,300)", "100200300", "100, 200, 300"),
        ("max(10,000,300)", "10000300", "10, 000, 300"),
        ("sum(1,10,100)", "10100", "10, 100"),
        ("sum((100,200))", "100200", "100, 200"),
        ("sum([1,234.5])", "1234.5", "1, 234.5"),
        ("log(8,256)", "8256", "8, 256"),
    ],
)
def test_an_ambiguous_comma_is_refused_with_both_ways_out(
    expression: str, number: str, arguments: str
) -> None:
    message = refusal(expression)
    assert f"`{number}` for the number" in message
    assert f"`{arguments}` for the arguments" in message


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("999,999", "999999"),
        ("10**6", "1000000 (1,000,000; 1e+6)"),
        ("2**32", "4294967296 (4,294,967,296; about 4.295e+9)"),
        ("-2**32", "-4294967296 (-4,294,967,296; about -4.295e+9)"),
        ("16e9 * 2", "32000000000 (32,000,000,000; 3.2e+10)"),
        ("2**100", "1267650600228229401496703205376 (31 digits; about 1.268e+30)"),
        ("0.1 + 0.2", "0.3"),
        ("1/3", "0.333333333333"),
        ("1e-7", "1e-07"),
        ("70e9 * 15e12", "1.05e+24"),
        ("-0.0", "0"),
        ("1234567.5", "1234567.5"),
    ],
)
def test_a_result_is_plain_and_a_large_whole_one_also_short(expression: str, result: str) -> None:
    assert calculate(expression) == result


@pytest.mark.parametrize(
    ("expression", "mentions"),
    [
        ("", ["empty", "2 * (3 + 4)"]),
        (" = ?", ["empty"]),
        ("2 +", ["missing at the end", "`+` at character 3"]),
        ("2 * * 3", ["`*3`"]),
        ("2 *× 3", ["`*3`"]),
        ("8 /÷ 2", ["`/2`"]),
        ("(1 + 2", ["`(` at character 1", "never closed"]),
        ("1 + 2)", ["`)` at character 6"]),
        ("max(1]", ["`]` at character 6"]),
        ("2(3+4)", ["Write `*`", "`2`", "`(` at character 2"]),
        ("(1)(2)", ["Write `*`", "`(` at character 4"]),
        ("2pi", ["Write `*`", "`pi` at character 2"]),
        ("2 sqrt(4)", ["Write `*`", "`sqrt` at character 3"]),
        ("1 000", ["operator is missing", "`000` at character 3", "spaces"]),
        ("10²⁻¹", ["`⁻¹` at character 4", "`**`"]),
        ("50%", ["`%` at character 3", "50/100"]),
        ("200 * 5%", ["`%` at character 8", "50/100"]),
        ("5% of 200", ["`%`", "50/100"]),
        ("50% - 3", ["`%`", "parentheses"]),
        ("32 GB * 2", ["`GB` at character 4", "leave units"]),
        ("5 m", ["`m` at character 3", "leave units"]),
        ("5 min", ["`min` at character 3", "units"]),
        ("17 mod 5", ["`mod`", "%"]),
        ("sqrt 4", ["write sqrt(...)"]),
        ("0x10", ["`x10`"]),
        ("pow(2, 3)", ["`pow` at character 1", "sqrt", "tau"]),
        ("1,5", ["`,` at character 2", "0.5"]),
        ("12,34,567", ["`,` at character 3"]),
        ("1.234,5", ["`,` at character 6"]),
        ("4, 096", ["`,` at character 2"]),
        ("sqrt(1, 2)", ["`,` at character 7"]),
        ("max()", ["max takes 1 or more", "not 0"]),
        ("log(1, 2, 3)", ["log takes 1 or 2", "not 3"]),
        ("comb(5)", ["comb takes 2", "not 1"]),
        ("[1, 2]", ["`[1, 2]` is not a number"]),
        ("()", ["`()` is not a number"]),
        ("2 * max", ["write max(...)"]),
        ("1 < 2", ["`<` at character 3", "+ - * /"]),
        ("5!", ["`!`", "Accepted"]),
        ("x = 5", ["`=` at character 3"]),
        ("3½", ["`½` at character 2"]),
        ("1\x00", ["`U+0000` at character 2"]),
        ("1\ud800", ["`U+D800` at character 2"]),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(expression: str, mentions: list[str]) -> None:
    message = refusal(expression)
    assert [part for part in mentions if part not in message] == []


@pytest.mark.parametrize(
    ("expression", "mentions"),
    [
        ("1 + 5/(2 - 2)", ["Division by zero in `5/(2-2)`"]),
        ("5 // 0", ["Division by zero"]),
        ("5 % 0.0", ["Division by zero"]),
        ("0**-1", ["Division by zero in `0**-1`"]),
        ("log(5, 1)", ["Division by zero"]),
        ("sqrt(-1)", ["`sqrt(-1)` has no real value"]),
        ("log(0)", ["`log(0)` has no real value"]),
        ("acos(2)", ["no real value"]),
        ("factorial(-1)", ["no real value"]),
        ("comb(-1, 2)", ["no real value"]),
        ("(-8)**(1/3)", ["`(-8)**(1/3)` has no real value"]),
        ("factorial(2.5)", ["factorial needs a whole number, not 2.5"]),
        ("comb(5, 0.5)", ["comb needs a whole number"]),
        ("round(1, 0.5)", ["second argument of round needs a whole number"]),
        ("1e400", ["`1e400` is too large"]),
        ("-1e400", ["too large"]),
        ("10**400 / 3", ["`10**400/3` is too large"]),
        ("1e308 * 10", ["too large"]),
        ("10.0**400", ["too large"]),
        ("exp(1000)", ["`exp(1000)` is too large"]),
        ("9**9**9", ["`9**9**9` is too large", "3,000 digits"]),
        ("2**2**1000", ["too large"]),
        ("(10**2000) * (10**2000)", ["too large"]),
        ("factorial(1001)", ["from 0 to 1000"]),
        ("factorial(10**100)", ["from 0 to 1000"]),
        ("comb(10**9, 5*10**8)", ["too large"]),
        ("comb(10**9, 10**8)", ["too large"]),
        ("round(5, -10**9)", ["between -100 and 100"]),
    ],
)
def test_what_has_no_value_is_named_with_its_part(expression: str, mentions: list[str]) -> None:
    message = refusal(expression)
    assert [part for part in mentions if part not in message] == []


@pytest.mark.parametrize(
    "source",
    [
        "True",
        "None",
        "1j",
        "'a' * 3",
        "b'a'",
        "f'{1}'",
        "...",
        "__import__('os')",
        "(1).real",
        "[1, 2][0]",
        "{1: 2}",
        "[x for x in [1]]",
        "lambda: 1",
        "1 if 1 else 2",
        "(x := 1)",
        "1 < 2",
        "1 and 2",
        "not 1",
        "~1",
        "1 << 2",
        "1 | 2",
        "1 @ 2",
        "max(*[1])",
        "max(**{})",
        "round(1.5, ndigits=1)",
        "sqrt(True)",
        "sqrt",
        "1; 2",
        "",
    ],
)
def test_the_evaluator_refuses_all_python_that_is_not_arithmetic(source: str) -> None:
    with pytest.raises(ToolError):
        evaluate(source)


@pytest.mark.parametrize(
    "expression",
    [
        "-" * 20_000 + "1",
        "-" * 1_999 + "1",
        "(" * 20_000,
        "(" * 1_000 + "1" + ")" * 999,
        "(" * 50 + "1" + ")" * 50,
        "(" * 51 + "1" + ")" * 51,
        "1" * 5_000,
        "1" * 2_000,
        "9" * 1_999 + "?",
        "+".join("1" * 1_000),
        "**".join("1" * 660),
        "^".join("9" * 1_000),
        "*".join(["9**3000"] * 200),
        "+".join(["9**3000"] * 220),
        "+".join(["factorial(1000)"] * 125),
        "%7+".join(["factorial(1000)"] * 110),
        "+".join(["comb(9999,4999)"] * 125),
        "+".join(["log(9**3000)"] * 150),
        "+".join(["round(9**3000,-99)"] * 100),
        "max(" + ",".join(["1"] * 990) + ")",
        "1," * 1_000,
        "1,000" + ",000" * 490,
        "1" + " " * 1_998 + "1",
        "pi " * 600,
        "pi" + " " * 1_990 + "?",
        "a" * 2_000,
        "1e" * 1_000,
        "1_" * 1_000,
        "." * 2_000,
        "²" * 2_000,
        "1e999999999",
        "1e-999999999",
        "factorial(factorial(factorial(9)))",
        "comb(10**2000, 10**2000 - 1) + comb(5, 10**2000)",
        "1**(10**2000) + (-1)**(10**2000)",
        "\x00" * 100,
        "\ud800" * 100,
        "1\\",
        "1(2)",
        "[1](2) + [1][2]",
        "1if 1else 2",
        "'\\d'",
    ],
    ids=lambda text: ascii(text[:24]),
)
def test_hostile_input_is_answered_in_time_with_a_text_that_can_be_sent(expression: str) -> None:
    assert seconds(expression) < SECONDS
    text = answer(expression)
    assert text
    assert text.encode()


@given(st.text() | st.text("0123456789.,_+-*/%^()[]eE ×÷−²√", max_size=60))
@example("1.e5,000")
def test_any_text_gets_a_result_or_a_tool_error(expression: str) -> None:
    text = answer(expression)
    assert text.isprintable()
    assert text.split()[0] not in ("inf", "-inf", "nan")


PIECES = [*FUNCTIONS, *CONSTANTS, "(", ")", "[", "]", ", ", ",", "+", "-", "*", "/", "//", "%"]
PIECES += ["**", "^", "2", "0", "-1", "0.5", "1e300", "999", "4,096", "10**300", "²", " GB", "!"]


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_any_jumble_of_arithmetic_gets_an_answer_in_time(expression: str) -> None:
    assert answer(expression)
    assert seconds(expression) < SECONDS


def combined(numbers: st.SearchStrategy[int], operators: str) -> st.SearchStrategy[str]:
    """Trees of operations, written with all their parentheses."""
    return st.recursive(
        numbers.map(lambda number: f"({number})" if number < 0 else str(number)),
        lambda inner: st.builds(
            "({} {} {})".format, inner, st.sampled_from(operators.split()), inner
        ),
        max_leaves=12,
    )


@given(combined(st.integers(-(10**12), 10**12), "+ - * // %"))
def test_whole_numbers_agree_exactly_with_python(expression: str) -> None:
    try:
        expected = str(eval(expression))
    except ZeroDivisionError:
        assert "Division by zero" in refusal(expression)
    else:
        assert calculate(expression).split()[0] == expected


@given(combined(st.integers(1, 999), "+ * /"))
def test_quotients_agree_with_exact_fractions(expression: str) -> None:
    exact = eval(re.sub(r"\d+", r"Fraction(\g<0>)", expression), {"Fraction": Fraction})
    assert math.isclose(float(calculate(expression).split()[0]), exact, rel_tol=1e-11)


@given(st.integers(-(10**60), 10**60))
def test_a_whole_number_written_with_separators_comes_back_exactly(number: int) -> None:
    assert calculate(f"{number:,}").split()[0] == str(number)
    assert calculate(f"sum({number}, 0)").split()[0] == str(number)


def test_the_description_names_every_function_and_constant() -> None:
    words = set(tool(calculate).schema.description.replace("(", " ").replace(",", " ").split())
    assert {*FUNCTIONS, *CONSTANTS} - {word.strip(".") for word in words} == set()
