"""The terms of passages, each a line with blanks between: a tenth of what lists would take."""

from collections.abc import Iterable, Iterator, Sequence


class TermLines:
    """The terms of each passage, by place."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        """Those of each passage with a blank between; a term holds none."""

    @classmethod
    def of(cls, listed: Iterable[Iterable[str]]) -> "TermLines":
        """Return terms that are listed one by one."""
        return cls([" ".join(terms) for terms in listed])

    def __len__(self) -> int:
        return len(self.lines)

    def __getitem__(self, at: int) -> list[str]:
        return self.lines[at].split()

    def __iter__(self) -> Iterator[list[str]]:
        return map(str.split, self.lines)

    def mean(self) -> float:
        """Return how many terms a passage has, repetitions counted, on average."""
        counts = (line.count(" ") + bool(line) for line in self.lines)
        return sum(counts) / max(1, len(self.lines))
