"""A fault as data: what is played, what is asked of the requests, what must come of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from faults.rules import Rule
from faults.said import Act, Json, Wire
from faults.signs import Sign

from indexer.index import Index
from lab.events import End
from lab.settings import Limits
from lab.tools.site import site_tools
from lab.tools.toolbox import Toolbox

EXIT: dict[End, int] = {
    "answered": 0,
    "time limit": 3,
    "refused": 4,
    "cut off": 4,
    "format": 4,
    "failed": 5,
    "stopped": 130,
}
"""The contract of the command line, for the ends that faults lead to."""

STREAMED, WHOLE = (True,), (False,)
BOTH: tuple[Wire, ...] = ("openai", "anthropic")
ALL: tuple[Wire, ...] = (*BOTH, "ollama")


@dataclass(frozen=True, slots=True)
class Fault:
    """One row of the table."""

    name: str
    acts: tuple[Act, ...]
    """Answers to the first requests, in order. After them the server answers well."""
    seen: tuple[Sign, ...]
    end: End = "answered"
    wires: tuple[Wire, ...] = BOTH
    streamed: tuple[bool, ...] = (True, False)
    """Whether it is played in a stream, as a whole answer, or both."""
    demands: tuple[Rule, ...] = ()
    """What the server refuses with a 400, beside requests that are not well formed."""
    endpoint: Json = field(default_factory=dict)
    """What the endpoint's entry says, other than usual."""
    limits: Limits = Limits()  # noqa: RUF009  frozen
    stop: Literal["", "asked", "tool"] = ""
    """When the person presses Stop: while the answer comes, or while a tool runs."""
    tools: Callable[[Index], Toolbox] = site_tools
    sessions: int = 1
    """So many people ask at once, each with a key of their own."""

    @property
    def slug(self) -> str:
        """The name as a part of an address."""
        return re.sub(r"\W+", "-", self.name.lower()).strip("-")

    @property
    def exit(self) -> int:
        """What `lab ask` ends with."""
        return EXIT[self.end]
