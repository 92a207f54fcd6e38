"""What of a run's prompts somebody wrote is named, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from indexer.index import Index
from lab.changed import changed
from lab.prepare import Choice, settings_for
from lab.tools.site import site_tools

SYSTEM = "system prompt differs from the lab's own"


@pytest.mark.parametrize(
    ("system", "descriptions", "said"),
    [
        ("", {}, []),
        (" \n", {"calculate": " "}, []),
        ("Be brief.", {}, [SYSTEM]),
        ("", {"search_site": "Finds."}, ["description of search_site differs"]),
        (
            "Be brief.",
            {"calculate": "Adds.", "search_site": "Finds."},
            [SYSTEM, "description of search_site differs", "description of calculate differs"],
        ),
    ],
)
def test_each_prompt_that_is_not_the_labs_own_is_named(
    system: str, descriptions: Mapping[str, str], said: list[str], small_index: Index
) -> None:
    tools = site_tools(small_index).schemas()
    choice = Choice(system=system, descriptions=descriptions)
    assert changed(settings_for(choice, small_index, tools), small_index) == said


def test_a_prompt_equal_to_the_labs_own_is_no_change(small_index: Index) -> None:
    tools = site_tools(small_index).schemas()
    usual = settings_for(Choice(), small_index, tools)
    again = Choice(system=usual.system, descriptions={t.name: t.description for t in tools})
    assert changed(settings_for(again, small_index, tools), small_index) == []


def test_another_search_is_named(small_index: Index) -> None:
    settings = replace(settings_for(Choice(), small_index, ()), semantic=True)
    assert changed(settings, small_index) == ["passages are found by meaning too"]
