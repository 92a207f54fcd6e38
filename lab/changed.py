"""What of a run's prompts and search is not as the lab has it. Knows settings and an index only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from lab.prepare import own_system
from lab.settings import Settings
from lab.tools.site import site_tools

if TYPE_CHECKING:
    from indexer.index import Index


def other_system(settings: Settings, index: Index) -> str:
    """The system prompt; empty where it is the lab's own."""
    return "" if settings.system == own_system(index) else settings.system


def other_descriptions(settings: Settings, index: Index) -> dict[str, str]:
    """The descriptions that are not the lab's own, by the tool's name."""
    own = {tool.name: tool.description for tool in site_tools(index).schemas()}
    return {
        tool.name: tool.description
        for tool in settings.tools
        if tool.description != own.get(tool.name, tool.description)
    }


def changed(settings: Settings, index: Index) -> list[str]:
    """A phrase for each prompt of a run that is not the lab's own, and for another search."""
    found = ["passages are found by meaning too"] if settings.semantic else []
    return found + phrases(other_system(settings, index), other_descriptions(settings, index))


def phrases(system: str, descriptions: Mapping[str, str]) -> list[str]:
    """A phrase for each prompt that somebody wrote."""
    said = ["system prompt differs from the lab's own"] if system else []
    return said + [f"description of {name} differs" for name, text in descriptions.items() if text]
