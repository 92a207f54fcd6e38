"""The cells of a table -> lines of Markdown. Knows no elements."""

from indexer.html.lines import Line

_MOST_SPAN = 50


class Table:
    """Collects rows; a cell that spans several rows is said in each of them."""

    def __init__(self) -> None:
        self._rows: list[tuple[list[str], int]] = []
        self._ends: list[int] = []
        self._below: dict[int, tuple[str, int]] = {}
        self._headed = False
        self._filled = False

    def row(self, number: int) -> None:
        """Begin a row on a line of the file."""
        self._rows.append(([], number))
        self._ends.append(number)
        self._fill()

    def cell(self, text: str, is_head: bool, columns: str, rows: str, number: int) -> None:
        """Add a cell that ends on a line of the file to the row."""
        if not self._rows:
            self.row(number)
        cells = self._rows[-1][0]
        self._ends[-1] = number
        text = text.replace("|", "\\|")
        self._filled = self._filled or bool(text)
        self._headed = self._headed or (is_head and len(self._rows) == 1)
        width, height = _span(columns), _span(rows)
        if height > 1:
            self._below[len(cells)] = (text, height - 1)
        cells += [text, *[""] * (width - 1)]
        self._fill()

    def lines(self) -> list[Line]:
        """Return the lines; none where no cell holds text."""
        rows = [(*row, end) for row, end in zip(self._rows, self._ends, strict=True) if row[0]]
        if not self._filled or not rows:
            return []
        width = max(len(cells) for cells, *_ in rows)
        lines = [
            Line(f"| {' | '.join(cells + [''] * (width - len(cells)))} |", number, end)
            for cells, number, end in rows
        ]
        if self._headed:
            lines.insert(1, Line("|" + " --- |" * width, lines[0].end))
        return lines

    def _fill(self) -> None:
        """Repeat the cells that reach down from rows above."""
        cells = self._rows[-1][0]
        while (held := self._below.pop(len(cells), None)) is not None:
            text, left = held
            if left > 1:
                self._below[len(cells)] = (text, left - 1)
                if len(cells) > _MOST_SPAN:
                    return
            cells.append(text)


def _span(said: str) -> int:
    return min(max(int(said), 1), _MOST_SPAN) if said.isdecimal() and len(said) < 5 else 1
