"""Patterns of paths, as configurations list them."""

from __future__ import annotations

import pytest

from indexer.generators.patterns import match, of_names, of_paths

PATHS = ["README.md", "a/TODO.md", "a/b.md"]


@pytest.mark.parametrize(
    ("pattern", "left_out"),
    [
        ("**/(README|TODO).md", ["README.md", "a/TODO.md"]),
        ("a/{TODO,b}*", ["a/TODO.md", "a/b.md"]),
        ("@(a|c)/b.md", ["a/b.md"]),
        ("./a", ["a/TODO.md", "a/b.md"]),
        ("a/**", ["a/TODO.md", "a/b.md"]),
        ("**/*.md", PATHS),
        ("*.md", ["README.md"]),
        ("b.md", []),
        ("!README.md", []),
        ("(README).md", []),
        ("[z-a]", []),
        ("{0,1}" * 50, []),
    ],
)
def test_a_pattern_of_whole_paths_is_read_as_in_a_shell(pattern: str, left_out: list[str]) -> None:
    patterns = of_paths("srcExclude")({"srcExclude": [pattern]})
    assert [path for path in PATHS if match(path, patterns)] == left_out


@pytest.mark.parametrize(
    ("lines", "left_out"),
    [
        ("# all\n*.md\n!b.md\n", ["README.md", "a/TODO.md"]),
        ("b.md", ["a/b.md"]),
        ("/b.md", []),
        (["a/"], ["a/TODO.md", "a/b.md"]),
        ({"TODO.md": "Markdown"}, ["a/TODO.md"]),
        (3, []),
        ([3, None], []),
    ],
)
def test_a_pattern_of_names_is_read_as_git_does(lines: object, left_out: list[str]) -> None:
    patterns = of_names("exclude_docs", "draft_docs")({"exclude_docs": lines})
    assert [path for path in PATHS if match(path, patterns)] == left_out
