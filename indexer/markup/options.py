"""What a directive or a cell of code begins with: options, some of which a reader sees.

Does not know which directive or cell it is.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_OPTION = re.compile(r"[ \t>]*(?::[\w-]+:|#\||//\||%%\|)")
_YAML = re.compile(r"[ \t>]*(?:[\w-]+:|- |$)")
_SAID = re.compile(r"[ \t>]*(?::|#\||//\||%%\|)?[ \t]*([\w.-]+):[ \t]*(.*)")
_CAPTIONS = ("caption", "fig-cap", "tbl-cap", "lst-cap")


@dataclass(slots=True)
class Options:
    """Goes through the first lines of a directive or a cell."""

    taken: bool
    """Whether no line has come yet but options."""
    in_block: bool = False
    """They stand between two lines `---`, the first of which has come."""

    def take(self, line: str) -> bool:
        """Tell whether the next line is an option, and no content."""
        if self.taken and line.strip() == "---":
            self.in_block = not self.in_block
        else:
            pattern = _YAML if self.in_block else _OPTION
            self.taken = self.taken and bool(pattern.match(line))
        return self.taken


def options_in(lines: Iterable[str]) -> dict[str, str]:
    """Return the options that lines begin with, by their names."""
    options, found = Options(taken=True), dict[str, str]()
    for line in lines:
        if not options.take(line):
            break
        if said := _SAID.fullmatch(line):
            found[said[1]] = said[2].strip().strip("\"'")
    return found


def caption(options: Mapping[str, str]) -> str:
    """Return the caption of code, or of what it draws; empty where there is none."""
    return next((options[name] for name in _CAPTIONS if options.get(name)), "")


def is_unseen(options: Mapping[str, str]) -> bool:
    """Tell whether a reader sees neither the code nor what it gives out."""
    return options.get("include", "").lower() == "false"


def titled(info: str, title: str) -> str:
    """Return what says the language of code with its title, as most generators write it."""
    return f'{info} title="{title}"'.lstrip() if title else info


def shown(line: str) -> str:
    """Return what a reader sees of an option whose directive holds text: a table's header."""
    said = _SAID.fullmatch(line)
    return said[2].strip() if said and said[1] == "header" else ""
