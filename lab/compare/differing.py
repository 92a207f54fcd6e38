"""What runs side by side were set otherwise, in words. Knows settings, no runs.

The model is left out: every column names its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lab.compare.parting import listed
from lab.settings import Limits, Settings

PROTOCOLS = {"native": "native tool calls", "react": "text protocol"}
LIMITS = {
    "steps": "steps",
    "tool_calls": "tool calls",
    "tokens_in": "tokens in",
    "cost": "US dollars",
    "seconds": "seconds",
}


def differences(columns: Sequence[Settings], names: str) -> list[str]:
    """A phrase for each thing that is not the same in all columns."""
    found = [
        each([protocol_text(one.protocol) for one in columns], names),
        each([caching_text(one.cache) for one in columns], names),
        each([finding_text(one.semantic) for one in columns], names),
        others([one.system for one in columns], names, "system prompt", "system prompts"),
        *tools(columns, names),
        *(each([limit_text(one.limits, limit) for one in columns], names) for limit in LIMITS),
        *addresses(columns, names),
        others(
            [one.fingerprint for one in columns], names, "index of the site", "indexes of the site"
        ),
    ]
    return [phrase for phrase in found if phrase]


def each(values: Sequence[str], names: str) -> str:
    """What each column has: `A native tool calls, B text protocol`; empty where all are alike."""
    groups: dict[str, list[str]] = {}
    for name, value in zip(names, values, strict=False):
        groups.setdefault(value, []).append(name)
    said = [f"{listed(members)} {value}" for value, members in groups.items()]
    return ", ".join(said) if len(groups) > 1 else ""


def others(values: Sequence[str], names: str, one: str, several: str) -> str:
    """Which columns differ from the first in a thing too long to show; empty where none does."""
    odd = [name for name, value in zip(names, values, strict=False) if value != values[0]]
    if not odd:
        return ""
    return f"{odd[0]} has another {one}" if len(odd) == 1 else f"{listed(odd)} have other {several}"


def tools(columns: Sequence[Settings], names: str) -> list[str]:
    """Which columns have other tools, or else describe one otherwise."""
    bare = [[replace(tool, description="") for tool in one.tools] for one in columns]
    if said := others([repr(one) for one in bare], names, "list of tools", "lists of tools"):
        return [said]
    same = zip(*(one.tools for one in columns), strict=True)
    return [
        others(
            [tool.description for tool in described],
            names,
            f"description of {described[0].name}",
            f"descriptions of {described[0].name}",
        )
        for described in same
    ]


def addresses(columns: Sequence[Settings], names: str) -> list[str]:
    """Where the same model was reached at several addresses."""
    models = dict.fromkeys(one.model for one in columns)
    found = []
    for model in models:
        own = [(name, one) for name, one in zip(names, columns, strict=False) if one.model == model]
        places = [f"at {one.base_url}" for _, one in own]
        found.append(each(places, "".join(name for name, _ in own)))
    return found


def protocol_text(protocol: str) -> str:
    """How tools are called, in words."""
    return PROTOCOLS.get(protocol, protocol)


def caching_text(cache: bool) -> str:
    """Whether the prompt cache was asked for, in words."""
    return "prompt caching on" if cache else "prompt caching off"


def finding_text(semantic: bool) -> str:
    """How passages were found, in words."""
    return "found by terms and meaning" if semantic else "found by terms"


def limit_text(limits: Limits, name: str) -> str:
    """One limit in words."""
    value = getattr(limits, name)
    return f"any number of {LIMITS[name]}" if value is None else f"at most {value:g} {LIMITS[name]}"
