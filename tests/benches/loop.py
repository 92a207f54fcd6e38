"""The loop's own time a step: scripted model, three tools, every event durable in the store.

Beside it, in the same run, the same tools without a loop, and a bare commit of the store's kind.
Prints a table of ratios; judges nothing.
"""

from __future__ import annotations

import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from indexer.index import Index
from lab.events import Asked, RunStarted
from lab.loop import advance
from lab.messages import Reply, ToolCall
from lab.models.scripted import Scripted
from lab.settings import Limits, Settings
from lab.store import Store
from lab.tools.site import site_tools

ROUNDS = 30
STEPS = 8
CORPUS = Path(__file__).resolve().parents[2] / "corpus"


def main() -> None:
    """Measure and print."""
    index, _ = Index.build(CORPUS)
    tools = site_tools(index)
    calls = (
        ToolCall("a", "search_site", {"query": "paged cache allocation"}),
        ToolCall("b", "read_passage", {"id": index.passages[0].id}),
        ToolCall("c", "calculate", {"expression": "2 * 32 * 8 * 128 * 2"}),
    )
    model = Scripted([*(Reply("", calls) for _ in range(STEPS - 1)), Reply("Done.")])
    limits = Limits(steps=STEPS, tool_calls=None)
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "runs.db")
        plain = sqlite3.connect(Path(folder) / "plain.db", isolation_level=None)
        plain.execute("pragma journal_mode = wal")
        plain.execute("pragma synchronous = full")
        plain.execute("create table t (x text)")

        def whole_run() -> int:
            run = store.start(RunStarted(Settings("scripted", "system", tools.schemas(), limits)))
            run.record(Asked("How is the cache paged?"))
            return sum(1 for _ in advance(run, model, tools, limits))

        def tools_alone() -> None:
            for call in calls * (STEPS - 1):
                tools.run(call)

        def commit() -> None:
            plain.execute("insert into t values (?)", ["x" * 2000])

        run_seconds, tool_seconds, commit_seconds = interleaved(whole_run, tools_alone, commit)
        events = whole_run()
        store.close()
    own = (run_seconds - tool_seconds) / STEPS
    print(f"loop: {STEPS} steps, 3 tool calls in all but the last, {events} events, medians")
    print(f"  whole run                     {run_seconds * 1e3:8.2f} ms")
    print(f"  its tools alone               {tool_seconds * 1e3:8.2f} ms")
    print(f"  the loop's own time a step    {own * 1e3:8.2f} ms   (bar: 5 ms)")
    print(f"  one durable commit            {commit_seconds * 1e3:8.2f} ms")
    print(f"  own time / commits it makes   {own * STEPS / (commit_seconds * events):8.2f}")


def interleaved(*measured: Callable[[], object]) -> list[float]:
    """Median seconds of each, measured in turns so that a busy moment hits all alike."""
    seconds: list[list[float]] = [[] for _ in measured]
    for _ in range(ROUNDS):
        for place, work in enumerate(measured):
            started = time.perf_counter()
            work()
            seconds[place].append(time.perf_counter() - started)
    return [statistics.median(each) for each in seconds]


if __name__ == "__main__":
    main()
