"""A fault in one page: reported once, and never a reason to drop the page if it can be read.

Does not know who hears of it; whoever reads pages is given a `Warn` to call.
"""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong in a source file that a person may want to mend."""

    file: str
    """Path of the file, relative to the folder of articles."""
    line: int
    """1-based line in the file; 0 where the fault is not of one line."""
    message: str
    """What is wrong and what was done about it."""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place}: {self.message}"


Warn = Callable[[Fault], None]
"""Called with each fault as it is found."""
