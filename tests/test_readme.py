"""The README tells the truth: its commands run, its transcripts are real, its tree exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from transcripts import BLOCK, ROOT, run, transcript

README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    return [text for named, text in fenced if named == language]


def commands() -> list[str]:
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    return [line for line in lines if line.startswith("lab ") and line != "lab app"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.mark.parametrize("command", [c for c in commands() if "--model" not in c])
def test_every_command_that_needs_no_model_runs(command: str, home: Path) -> None:
    run('lab ask "What is 2 + 3?"', home)
    done = run(command, home)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


@pytest.mark.parametrize("command", [c for c in commands() if "--model" in c])
def test_a_command_with_a_model_is_right_but_for_the_model(command: str, home: Path) -> None:
    done = run(command, home)
    assert "needs a key" in done.stderr or done.returncode == 5, done.stderr


@pytest.mark.parametrize(("command", "written"), BLOCK.findall(README), ids=lambda text: text[:40])
def test_a_transcript_is_what_the_command_prints(command: str, written: str, home: Path) -> None:
    done = run(command, home)
    assert done.returncode == 0, done.stderr
    assert transcript(done.stdout) == written


def test_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    named = set(re.findall(r"make ([a-z]+)", README + (ROOT / "CONTRIBUTING.md").read_text()))
    assert {"run", "test"} <= named
    assert [name for name in named if not re.search(rf"^{name}:", makefile, re.MULTILINE)] == []


def test_every_path_of_the_tree_exists() -> None:
    tree = next(block for block in blocks("") if block.startswith("corpus/"))
    parent, missing = Path(), []
    for line in tree.splitlines():
        name = line.split()[0]
        path = parent / name if line.startswith(" ") else Path(name)
        if not line.startswith(" ") and name.endswith("/"):
            parent = Path(name)
        if not (ROOT / path).exists():
            missing.append(str(path))
    assert missing == []


def test_pictures_and_links_lead_somewhere() -> None:
    targets = re.findall(r"\]\(([^)#:]+)\)", README)
    assert targets
    assert [target for target in targets if not (ROOT / target).is_file()] == []
