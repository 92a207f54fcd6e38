"""Paths are rewritten as path-to-regexp does it."""

import pytest

from indexer.generators.rewrites import rewritten

CASES = {
    "the rest of a path": ("en/guide/start.md", {"en/:rest*": ":rest*"}, "guide/start.md"),
    "a name": (
        "packages/a/docs/b/c.md",
        {"packages/:pkg/docs/:rest*": ":pkg/:rest*"},
        "a/b/c.md",
    ),
    "a pattern without a name": (
        "packages/a/docs/b.md",
        {"packages/:pkg/docs/(.*)": ":pkg/(.*)"},
        "a/b.md",
    ),
    "a pattern of a name": ("a/src/b.md", {":pkg(a|b)/src/:page": ":pkg/:page"}, "a/b.md"),
    "a pattern that is for others": ("c/src/b.md", {":pkg(a|b)/src/:page": ":page"}, "c/src/b.md"),
    "a path as it is": ("a.md", {"b.md": "c.md", "a.md": "d/index.md"}, "d/index.md"),
    "the first that matches": ("a/b.md", {"a/:x": "c/:x", "a/b.md": "d.md"}, "c/b.md"),
    "a name that is not there": ("a/b.md", {"a/:x": ":y"}, "a/b.md"),
    "part of a name": ("a/(b).md", {"a/\\(:x\\).md": ":x.md"}, "b.md"),
    "a regular expression": ("a/b.md", {"^a/(.*)$": "(.*)"}, "b.md"),
    "what is no pattern": ("a/b.md", {"a/:x([)": ":x", "(": "c", "a/b.md": 1}, "a/b.md"),
    "no rules": ("a/b.md", None, "a/b.md"),
}


@pytest.mark.parametrize(("path", "rules", "found"), CASES.values(), ids=CASES)
def test_a_path_is_rewritten(path, rules, found):
    assert rewritten(path, rules) == found
