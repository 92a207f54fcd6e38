"""A column of `lab compare` as it is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.cli.variant import Variant, variant
from lab.prepare import InputError


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("demo", Variant("demo")),
        ("ollama/qwen3:8b protocol=react", Variant("ollama/qwen3:8b", "react")),
        ("  x/y  cache=on   protocol=native ", Variant("x/y", "native", cache=True)),
        ("scripted:my script.json cache=off", Variant("scripted:my script.json")),
        ("scripted:a=b.json", Variant("scripted:a=b.json")),
        ("x/y speed=fast", Variant("x/y speed=fast")),
    ],
)
def test_a_model_and_its_settings_are_told_apart(text: str, found: Variant) -> None:
    assert variant(text) == found


def test_the_description_of_a_tool_is_read_from_its_file(tmp_path: Path) -> None:
    (tmp_path / "terse.md").write_text("Finds.", encoding="utf-8")
    found = variant(f"demo cache=on tool:search_site={tmp_path / 'terse.md'}")
    assert found == Variant("demo", cache=True, descriptions={"search_site": "Finds."})
    with pytest.raises(InputError, match=r"The description .*none.md cannot be read"):
        variant(f"demo tool:search_site={tmp_path / 'none.md'}")


def test_a_system_prompt_is_read_from_its_file(tmp_path: Path) -> None:
    (tmp_path / "other.md").write_text("Guess.", encoding="utf-8")
    assert variant(f"demo system={tmp_path / 'other.md'}").system == "Guess."
