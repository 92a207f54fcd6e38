"""Words as they come -> lines of text, each with the line of the file it is from.

A line ends where it ends in the file. Knows no elements.
"""

import re
from dataclasses import dataclass

_TOKEN = re.compile(r"\s+|\S+")
_NO_WIDTH = re.compile("[\u200b\u2060\ufeff\u00ad]")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an article."""

    text: str
    """Without a line end."""
    number: int
    """1-based line of the file that it begins on."""
    last: int = 0
    """The one that it ends on, where that may be another."""

    @property
    def end(self) -> int:
        """The line of the file that it ends on."""
        return max(self.number, self.last)


class Flow:
    """Text whose blanks count as one, but where a line of the file ends."""

    def __init__(self) -> None:
        self._tokens: list[tuple[str, int]] = []
        self._opened = -1
        self._closed = (-1, 0)

    def add(self, text: str, number: int) -> None:
        """Append what begins on a line of the file."""
        for token in _TOKEN.findall(_NO_WIDTH.sub("", text)):
            if token.isspace():
                self._tokens.append(("\n" if "\n" in token else " ", number))
                number += token.count("\n")
            else:
                self._tokens.append((token, number))

    def open(self, mark: str, number: int) -> None:
        """Append a mark that sticks to the words behind it, or go on with what it just closed."""
        first, end = self._closed
        if end == len(self._tokens) and self._tokens and self._tokens[-1][0] == mark:
            self._tokens.pop()
            self._opened = first
            return
        self._opened = len(self._tokens)
        self._tokens.append((mark, number))

    def close(self, mark: str, number: int) -> None:
        """Append a mark to the words since the other one, or take that back where there are none.

        Blanks within the marks go outside.
        """
        first, self._opened = self._opened, -1
        if first < 0:
            self._tokens.append((mark, number))
            return
        tokens = self._tokens
        end = len(tokens)
        while tokens[end - 1][0].isspace():
            end -= 1
        if end == first + 1:
            del tokens[first]
            return
        tokens.insert(end, (mark, number))
        begin = first + 1
        while tokens[begin][0].isspace():
            begin += 1
        if begin > first + 1:
            tokens.insert(begin, (mark, tokens[begin][1]))
            del tokens[first]
        self._closed = (begin - 1, len(tokens))

    def ends_in_word(self) -> bool:
        """Tell whether the next word would stick to one."""
        return bool(self._tokens) and not self._tokens[-1][0].isspace()

    def take(self) -> list[Line]:
        """Return the lines, none of them blank, and begin anew."""
        lines: list[Line] = []
        words: list[str] = []
        start = 0
        for token, number in (*self._tokens, ("\n", 0)):
            if token == "\n":
                text = "".join(words).strip()
                if text:
                    lines.append(Line(text, start))
                words = []
            elif token != " ":
                if words and words[-1] == " " and number > start:  # the line ended within a tag
                    lines.append(Line("".join(words).strip(), start))
                    words = []
                start = start if words else number
                words.append(token)
            elif words and words[-1] != " ":
                words.append(token)
        self._tokens.clear()
        self._opened, self._closed = -1, (-1, 0)
        return lines

    def take_one(self) -> Line | None:
        """Return all as one line."""
        lines = self.take()
        if not lines:
            return None
        return Line(" ".join(each.text for each in lines), lines[0].number, lines[-1].number)


class Verbatim:
    """Text whose blanks and line ends are kept."""

    def __init__(self) -> None:
        self._parts: list[tuple[str, int]] = []

    def add(self, text: str, number: int) -> None:
        """Append what begins on a line of the file."""
        for n, part in enumerate(text.split("\n")):
            if n:
                self._parts.append(("\n", number + n - 1))
            if part:
                self._parts.append((part, number + n))

    def end_line(self, number: int) -> None:
        """End the line, if it is not ended."""
        if self._parts and self._parts[-1][0] != "\n":
            self._parts.append(("\n", number))

    def take(self) -> list[Line]:
        """Return the lines without the blank ones around them."""
        lines: list[Line] = []
        words: list[str] = []
        start = 0
        for part, number in (*self._parts, ("\n", self._parts[-1][1] if self._parts else 0)):
            if part == "\n":
                lines.append(Line("".join(words).rstrip(), start or number))
                words, start = [], 0
            else:
                start = start or number
                words.append(part)
        while lines and not lines[-1].text:
            lines.pop()
        while lines and not lines[0].text:
            lines.pop(0)
        return lines
