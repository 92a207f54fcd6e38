"""Connections to an endpoint that outlast a call, since the next step follows at once.

A call has a line to itself; one that failed or was given up closes its line with it.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

from lab.models.capture import Capture

Hooks: TypeAlias = dict[str, list[Callable[[Any], None]]]
"""Event hooks of an HTTP client, as both SDKs take them."""

Opened: TypeAlias = tuple[Any, Callable[[], None]]
"""An SDK's client, and what closes its connections."""


class Line:
    """One SDK client; its hooks tell the capture of the call that has it now."""

    def __init__(self, open: Callable[[Hooks], Opened]) -> None:
        self.capture: Capture | None = None
        self.closed = False
        self.client, self._close = open({"request": [self._leaving], "response": [self._arriving]})

    def _leaving(self, request: Any) -> None:
        if self.capture:
            self.capture.leaving(request)

    def _arriving(self, response: Any) -> None:
        if self.capture:
            self.capture.arriving(response)

    def close(self) -> None:
        """End whatever is on it; from any thread."""
        self.closed = True
        self._close()


class Lines:
    """Lines to one endpoint with one key; closed when nobody holds this any more."""

    def __init__(self, open: Callable[[Hooks], Opened]) -> None:
        self._open = open
        self._idle: list[Line] = []
        weakref.finalize(self, hang_up, self._idle)

    def open(self) -> None:
        """Have a line ready, so that the first call need not wait for the SDK to load."""
        if not self._idle:
            self._idle.append(Line(self._open))

    @contextmanager
    def lent(self, capture: Capture) -> Iterator[Any]:
        """A client whose every request `capture` sees."""
        line = self._free() or Line(self._open)
        line.capture, capture.close = capture, line.close
        try:
            yield line.client
        except BaseException:
            line.close()
            raise
        line.capture = None
        self._idle.append(line)

    def _free(self) -> Line | None:
        while self._idle:
            line = self._idle.pop()
            if not line.closed:  # by one who gave up just when the answer was complete
                return line
        return None


def hang_up(lines: list[Line]) -> None:
    """Close them all."""
    while lines:
        lines.pop().close()
