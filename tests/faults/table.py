"""All faults that are played. `python tests/faults/table.py docs/faults.md` writes them down."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # where `faults` is, for a script

from faults import of_calls, of_replies, of_service, of_tools
from faults.fault import Fault

FAULTS = (*of_calls.FAULTS, *of_replies.FAULTS, *of_service.FAULTS, *of_tools.FAULTS)

WIRES = {"openai": "Chat Completions", "anthropic": "Messages", "ollama": "Ollama"}
ALL = {2: "both", 3: "all"}
"""Words for several: both of the vendors', and all."""

HEAD = """\
# Faults that are played, and what comes of each

A server on loopback (`tests/faults/server.py`) plays each fault through the real SDKs and the
whole loop, streamed and not where both make sense. After each, a further question in the same run
must be answered. Both wires are Chat Completions and Messages; all have Ollama's beside them.
`tests/faults/test_faults.py` holds this table true; it is written anew by
`python tests/faults/table.py docs/faults.md`.

| Fault | Wire | Outcome | Exit code | Seen in the trace |
|---|---|---|---|---|
"""


def row(fault: Fault) -> str:
    """A fault as a line of the table."""
    wire = ALL.get(len(fault.wires)) or WIRES[fault.wires[0]]
    seen = "; ".join(sign.words for sign in fault.seen)
    cells = (fault.name, wire, fault.end, str(fault.exit), seen)
    return f"| {' | '.join(escaped(cell) for cell in cells)} |\n"


def escaped(text: str) -> str:
    """Text that stands in a cell as it is."""
    return text.replace("|", "\\|").replace("<", "&lt;")


def page() -> str:
    """The page with the whole table."""
    return HEAD + "".join(map(row, FAULTS))


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
