"""What Streamlit would read as Markdown is written in the sources, or made literal."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from lab.app.told import literal

ROOT = Path(__file__).parents[3]
FILES = sorted([*ROOT.glob("lab/app/**/*.py"), ROOT / "streamlit_app.py"])

TEXTS = "caption error header info markdown subheader success title toast warning write"
WIDGETS = (
    "button chat_input checkbox date_input dialog download_button expander form_submit_button "
    "link_button menu_button multiselect number_input page_link pills popover radio "
    "segmented_control select_slider selectbox slider status tabs text_area text_input toggle"
)
READERS = {*TEXTS.split(), *WIDGETS.split()}
"""Methods of Streamlit whose first argument, and `label` and `help`, are read as Markdown."""
OF_OPTIONS = {"radio", "segmented_control", "pills", "menu_button"}
"""Those that read their options as Markdown too, which come second."""
KNOWN = {
    "list(choices)",  # the menu of a run, whose entries are written in its source
    "list(names)",  # A to D
    "numbers",  # of the steps and questions of a run
    "range(1, repeats + 1)",
    "ASSUMED",  # in lab/app/ask/at_most.py
}
"""Other arguments, as they are written, that hold nothing a model, a site or a visitor wrote."""


def plain(node: ast.expr, parameters: set[str]) -> bool:
    """True for what is written in the source, a number with its format, or made literal."""
    match node:
        case ast.Constant():
            return True
        case ast.FormattedValue(format_spec=ast.JoinedStr(values=[ast.Constant(value=",")])):
            return True
        case ast.JoinedStr(values=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
            return all(plain(part, parameters) for part in parts)
        case ast.FormattedValue(value=value):
            return plain(value, parameters)
        case ast.IfExp(body=one, orelse=other):
            return plain(one, parameters) and plain(other, parameters)
        case ast.Call(func=ast.Name(id="literal")):
            return True
        case ast.Name(id=name):  # a label that is passed on is looked at where it comes from
            return name.isupper() or (name == "label" and "label" in parameters)
        case ast.Attribute(attr=name):
            return name in KNOWN
    return False


def calls(tree: ast.AST) -> Iterator[tuple[ast.Call, set[str]]]:
    """Every call, with the parameters of the function that it stands in."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            names = {argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)}
            yield from ((call, names) for call in ast.walk(node) if isinstance(call, ast.Call))


def read(call: ast.Call, passing: dict[str, int]) -> list[ast.expr]:
    """The arguments of a call that are read as Markdown."""
    match call.func:
        case ast.Attribute(value=ast.Name(id="told")):
            return []
        case ast.Attribute(attr=name) if name in READERS:
            positional = call.args[: 2 if name in OF_OPTIONS else 1]
            if name == "page_link":
                positional = []  # the first one is a page
        case ast.Name(id=name) if name in passing:
            positional = call.args[passing[name] :][:1]
        case _:
            return []
    named = [each.value for each in call.keywords if each.arg in ("label", "body", "help")]
    return [*positional, *named]


def markdown(source: str) -> list[str]:
    """Arguments that are read as Markdown and may hold anything."""
    tree = ast.parse(source)
    passing = {
        node.name: place
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        for place, argument in enumerate(node.args.args)
        if argument.arg == "label"
    }
    return [
        ast.unparse(argument)
        for call, parameters in calls(tree)
        for argument in read(call, passing)
        if not plain(argument, parameters) and ast.unparse(argument) not in KNOWN
    ]


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_no_text_from_elsewhere_is_read_as_markdown(file: Path) -> None:
    assert markdown(file.read_text(encoding="utf-8")) == []


SEEN = [
    ("st.error(error)", ["error"]),
    ("st.error(literal(error))", []),
    ("told.error(error)", []),
    ("st.button(f'Ask {name}')", ["f'Ask {name}'"]),
    ("place.caption(f'{count:,} runs', help=text)", ["text"]),
    ("st.radio('Your reply', names)", ["names"]),
    ("st.page_link(page, label=title)", ["title"]),
    ("offer(key, title)", ["title"]),
    ("offer(key, 'Compare')", []),
]


@pytest.mark.parametrize(("call", "found"), SEEN)
def test_the_check_sees_what_it_looks_for(call: str, found: list[str]) -> None:
    helper = "def offer(key, label):\n    st.button(label)\n"
    assert markdown(f"{helper}def view(page):\n    {call}\n") == found


HOSTILE = "![x](//evil.example) <b> $a$ :red[x] :material/home: `c` _u_ *b* ~s~ [l](j:) # h | t"


def test_every_sign_of_markdown_is_put_out_of_effect() -> None:
    made = literal(HOSTILE)
    assert "".join(made.split("\\")) == HOSTILE
    signs = [place for place, sign in enumerate(made) if sign in "![]()<>$:`_*~#|{}/"]
    assert all(made[place - 1] == "\\" for place in signs)
    assert literal("# a\n- b -> __c__") == r"\# a \- b \-\> \_\_c\_\_"


def test_a_name_stays_as_it_is_read_aloud() -> None:
    name = "Description of search_site, a half-open 'word'?"
    assert literal(name) == name
