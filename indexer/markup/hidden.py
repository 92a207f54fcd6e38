"""Texts that are taken out of a page while others are changed, and put back as they were."""

import re

from indexer.markup.marks import END, HIDDEN

_PLACE = re.compile(f"{HIDDEN}(\\d+){END}")


class Hidden:
    """Texts that were taken out, by number."""

    def __init__(self) -> None:
        self._texts: list[str] = []

    def keep(self, text: str) -> str:
        """Return what stands for `text`, which holds no line end, until it is put back."""
        self._texts.append(text)
        return f"{HIDDEN}{len(self._texts) - 1}{END}"

    def put_back(self, text: str) -> str:
        """Return the text with all that was taken out of it."""
        found = 1
        while found:
            text, found = _PLACE.subn(lambda match: self._texts[int(match[1])], text)
        return text.replace(HIDDEN, "").replace(END, "")
