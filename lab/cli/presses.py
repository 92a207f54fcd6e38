"""Ctrl-C counted, not raised: an exception out of nowhere could leave a lock held for ever."""

from __future__ import annotations

import signal
from types import FrameType, TracebackType
from typing import Any

STOPPED = 130
"""The exit code of who is stopped, by the shells' custom."""


class Presses:
    """While open, counts SIGINT and SIGTERM; the second one leaves at once."""

    def __init__(self) -> None:
        self.count = 0
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Presses:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self._pressed)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _pressed(self, number: int, frame: FrameType | None) -> None:
        self.count += 1
        if self.count > 1:
            raise SystemExit(STOPPED)
