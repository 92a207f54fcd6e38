"""A text whose lines have numbers, and in which stretches are replaced by other such lines."""

from bisect import bisect_right
from itertools import accumulate


class Numbered:
    """Puts lines in place of stretches, which come in their order."""

    def __init__(self, lines: list[tuple[int, str]]) -> None:
        self.whole = "\n".join(line for _, line in lines)
        """The text as it was at first."""
        self._numbers = [number for number, _ in lines]
        self._starts = list(accumulate((len(line) + 1 for _, line in lines), initial=0))[:-1]
        self._found: list[tuple[int, str]] = []
        self._at = 0

    def number(self, at: int) -> int:
        """Return the number of the line that a place is in."""
        return self._numbers[self._row(at)]

    def put(self, start: int, end: int, lines: list[tuple[int, str]]) -> None:
        """Let lines stand for a stretch; the first and the last join what is around them."""
        self._add(self._between(start))
        self._add(lines)
        self._at = end

    def lines(self) -> list[tuple[int, str]]:
        """Return the lines that came of it, each with the number of the one it begins in."""
        if self._numbers:
            self._add(self._between(len(self.whole)))
            self._at = len(self.whole)
        return self._found

    def _between(self, end: int) -> list[tuple[int, str]]:
        texts, row = self.whole[self._at : end].split("\n"), self._row(self._at)
        return list(zip(self._numbers[row : row + len(texts)], texts, strict=True))

    def _add(self, lines: list[tuple[int, str]]) -> None:
        number, open_line = self._found.pop() if self._found else (lines[0][0], "")
        self._found.append((number, open_line + lines[0][1]))
        self._found += lines[1:]

    def _row(self, at: int) -> int:
        return bisect_right(self._starts, at) - 1
