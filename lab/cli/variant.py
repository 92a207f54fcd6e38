"""A column of `lab compare` as it is written: a model, and what is set for it alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lab.cli.ask import prompt_in
from lab.models.catalog import PROTOCOLS
from lab.prepare import InputError

SAVED = "run:"
"""Before the id of a saved run that stands in a column as it is."""
TOOL = "tool:"
"""Before the name of a tool whose description is in a file."""
SWITCH = {"on": True, "off": False}

_SETTING = re.compile(r"\s+(protocol|cache|semantic|system|tool:\w+)=(\S+)$")


@dataclass(frozen=True, slots=True)
class Variant:
    """A model with its settings."""

    model: str
    protocol: str = "auto"
    cache: bool = False
    system: str = ""
    """Another system prompt; empty for the lab's own."""
    semantic: bool | None = None
    """Whether passages are found by meaning too; None for as the index was built."""
    descriptions: Mapping[str, str] = field(default_factory=dict)
    """Other descriptions of tools, by the tool's name."""


def variant(text: str) -> Variant:
    """Read `MODEL protocol=react cache=on semantic=on system=FILE tool:NAME=FILE`.

    InputError for a value that is none.
    """
    name, found = text.strip(), {}
    while match := _SETTING.search(name):
        found[match[1]], name = match[2], name[: match.start()]
    return Variant(
        name,
        one_of("protocol", found.get("protocol", "auto"), PROTOCOLS),
        bool(switch("cache", found)),
        prompt_in(Path(found["system"])) if "system" in found else "",
        switch("semantic", found),
        {
            setting.removeprefix(TOOL): prompt_in(Path(file), "description")
            for setting, file in found.items()
            if setting.startswith(TOOL)
        },
    )


def switch(setting: str, found: Mapping[str, str]) -> bool | None:
    """Whether something is on or off; None where that is not said."""
    return SWITCH[one_of(setting, found[setting], tuple(SWITCH))] if setting in found else None


def one_of(setting: str, value: str, values: tuple[str, ...]) -> str:
    """The value, if it is one of these."""
    if value not in values:
        raise InputError(f"{setting}={value} is none: give one of {', '.join(values)}.")
    return value
