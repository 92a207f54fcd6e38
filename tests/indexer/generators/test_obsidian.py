"""Obsidian: which notes of a vault are read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from articles_of import articles_of

NOTES = ("Templates/a.md", "Extra/Forms/b.md", "Extra/c.md")
CORE = {".obsidian/templates.json": '{"folder": "Extra/Forms"}'}
PLUGIN = {".obsidian/plugins/templater-obsidian/data.json": '{"templates_folder": "Templates/"}'}


@pytest.mark.parametrize(
    ("settings", "read"),
    [
        ({".obsidian/app.json": "{}"}, ["Extra/Forms/b.md", "Extra/c.md"]),
        ({".obsidian/templates.json": '{"folder": "/"}'}, ["Extra/Forms/b.md", "Extra/c.md"]),
        ({".obsidian/templates.json": "{"}, ["Extra/Forms/b.md", "Extra/c.md"]),
        (CORE, ["Extra/c.md", "Templates/a.md"]),
        (CORE | PLUGIN, ["Extra/c.md"]),
    ],
)
def test_templates_are_where_the_settings_say_or_else_where_a_folder_is_called_so(
    folder: Callable[..., Path], settings: dict[str, str], read: list[str]
) -> None:
    _, articles, left_out, _ = articles_of(folder({**dict.fromkeys(NOTES, "Text."), **settings}))
    assert [each.source for each in articles] == read
    assert left_out == {"parts of other pages": len(NOTES) - len(read)}


def test_a_folder_that_is_never_published_is_left_out(folder: Callable[..., Path]) -> None:
    settings = {".obsidian/publish.json": '{"included": ["Extra"], "excluded": ["Extra/Forms"]}'}
    notes = dict.fromkeys((*NOTES, "Forms/d.md"), "Text.")
    _, articles, left_out, _ = articles_of(folder({**notes, **settings}))
    assert [each.source for each in articles] == ["Extra/c.md", "Forms/d.md"]
    assert left_out == {"excluded": 1, "parts of other pages": 1}


@pytest.mark.parametrize(("said", "count"), [("false", 1), ("true", 2), ("", 2)])
def test_a_note_that_is_not_to_be_published_is_left_out(
    folder: Callable[..., Path], said: str, count: int
) -> None:
    notes = {".obsidian/app.json": "{}", "a.md": f"---\npublish: {said}\n---\nText.", "b.md": "T."}
    assert sum(not each.absent for each in articles_of(folder(notes))[1]) == count
