"""The arrows between the parts, read from the imports: none may turn back."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SCREEN = 66
"""Lines that can be seen at once."""

FILES = sorted([*ROOT.glob("lab/**/*.py"), *ROOT.glob("indexer/**/*.py"), *ROOT.glob("*.py")])

CORE = {
    f"lab.{name}"
    for name in (
        *("messages", "settings", "events", "totals", "run", "limits"),
        *("watch", "loop", "codec", "waiting", "models.model", "models.estimates"),
    )
}


def module(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module(file): ast.parse(file.read_text(encoding="utf-8")) for file in FILES}


def imports(name: str) -> set[str]:
    """Modules that one imports, anywhere in its code."""
    found: set[str] = set()
    for node in ast.walk(MODULES[name]):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name} has a relative import"
            base = node.module or ""
            inner = {f"{base}.{alias.name}" for alias in node.names}
            found |= (inner & MODULES.keys()) or {base}
    return found


def under(name: str, *packages: str) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def test_all_parts_are_seen() -> None:
    assert MODULES.keys() >= CORE
    assert "lab.tools.toolbox" in imports("lab.tools.site")
    assert "lab.places" in imports("lab.prepare")


@pytest.mark.parametrize("name", sorted(CORE))
def test_the_core_imports_only_itself_and_the_standard_library(name: str) -> None:
    foreign = {i for i in imports(name) if i.split(".")[0] not in sys.stdlib_module_names}
    assert foreign - CORE - {"lab"} == set()


FORBIDDEN = [
    ("indexer", ("lab",)),
    ("lab.tools", ("lab.models", "lab.loop", "lab.store")),
    ("lab.models", ("lab.tools", "lab.loop", "lab.store", "lab.app", "lab.cli")),
]


@pytest.mark.parametrize(("package", "above"), FORBIDDEN)
def test_a_part_knows_nothing_of_those_above_it(package: str, above: tuple[str, ...]) -> None:
    inside = [name for name in MODULES if under(name, package)]
    assert inside
    turned = {(name, i) for name in inside for i in imports(name) if under(i, *above)}
    assert turned == set()


ONLY_IN = [
    ("openai", ("lab.models.openai",)),
    ("anthropic", ("lab.models.anthropic",)),
    ("streamlit", ("lab.app", "streamlit_app")),
    ("click", ("lab.cli",)),
    ("lab.app", ("lab.app", "streamlit_app")),
    ("lab.cli", ("lab.cli", "lab.__main__")),
]


@pytest.mark.parametrize(("what", "places"), ONLY_IN)
def test_what_belongs_in_one_place_is_imported_there_alone(
    what: str, places: tuple[str, ...]
) -> None:
    elsewhere = [
        name
        for name in MODULES
        if not under(name, *places) and any(under(i, what) for i in imports(name))
    ]
    assert elsewhere == []


@pytest.mark.parametrize("name", sorted(MODULES))
def test_every_module_says_what_it_is(name: str) -> None:
    assert ast.get_docstring(MODULES[name])


def test_the_agent_fits_on_one_screen() -> None:
    spans = {
        node.name: (node.lineno, node.end_lineno or 0)
        for node in MODULES["lab.loop"].body
        if isinstance(node, ast.FunctionDef)
    }
    assert spans["advance"][1] - spans["next_need"][0] + 1 <= SCREEN
