"""A replay in the terminal: what the run needed, and what was recorded to meet it."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from lab import wording
from lab.cli.terminal import console
from lab.replay import AsRecorded, Beat, needed_words, recorded_words, replay
from lab.run import Run

SAME = "The run asks for the same things in the same order."


def show_replay(run: Run) -> int:
    """Print the run beat by beat and whether it asks for the same; gives the exit code."""
    beats = replay(run.recorded, AsRecorded(run.events), run.settings.limits)
    screen = console()
    table = Table(box=None, padding=(0, 2, 0, 0), expand=True)
    table.add_column("event", justify="right", no_wrap=True)
    table.add_column("needed", no_wrap=True, overflow="ellipsis", ratio=1)
    table.add_column("recorded", no_wrap=True, overflow="ellipsis", ratio=1)
    for beat in beats:
        table.add_row(*cells(beat), style="bold red" if beat.fault else "")
    screen.print(table)
    screen.print()
    fault = wording.one_line(beats[-1].fault)
    screen.print(Text(fault or SAME, style="bold red" if fault else "green"), soft_wrap=True)
    return 1 if fault else 0


def cells(beat: Beat) -> tuple[Text, Text, Text]:
    """Which events, what was needed, what was recorded."""
    places = [entry.seq for entry in beat.entries]
    between = f"{places[0]}–{places[-1]}" if len(places) > 1 else "".join(map(str, places))
    needed = needed_words(beat.need) if beat.need else wording.UNKNOWN
    said = ", ".join(recorded_words(entry.event) for entry in beat.entries) or "nothing yet"
    return Text(between), Text(wording.one_line(needed)), Text(wording.one_line(said))
