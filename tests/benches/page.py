"""What one rerun of the Compare page costs the server: four columns of fifty steps, from the store.

Beside it the parts it is made of. Prints a table; judges nothing.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from streamlit.testing.v1 import AppTest

from indexer.index import Index
from lab.app.compare import columns as drawing
from lab.app.compare import finished
from lab.app.compare.columns import Column
from lab.app.compare.heads import heads_html
from lab.app.compare.strip import strip_html
from lab.compare.summary import NAMES, summary
from lab.events import Asked, RunStarted
from lab.loop import advance
from lab.messages import Reply, ToolCall
from lab.models.scripted import Scripted
from lab.run import Run
from lab.settings import Limits, Settings
from lab.steps import turns
from lab.store import Store
from lab.tools.site import site_tools

STEPS = 50
ROUNDS = 9
CORPUS = Path(__file__).resolve().parents[2] / "corpus"


def shown() -> None:
    """The page's script."""
    from lab.app.compare import page as compare

    compare.view()


def played(store: Store, index: Index, place: int) -> Run:
    """A stored run that searches and reads its way to the last step; each column another one."""
    tools, passages = site_tools(index), index.passages
    replies = [
        Reply("", (ToolCall(f"c{step}", *asked(step, place, passages[(step + place) % 50].id)),))
        for step in range(STEPS - 1)
    ]
    limits = Limits(STEPS, None)
    run = store.start(RunStarted(Settings(f"scripted:{place}", "Search.", tools.schemas(), limits)))
    run.record(Asked("How is the cache paged?"))
    for _ in advance(run, Scripted([*replies, Reply("In blocks.")]), tools, limits):
        pass
    return run


def asked(step: int, place: int, passage: str) -> tuple[str, dict[str, object]]:
    """What a step asks for: a search, or a passage of some hundred words."""
    if step % 3 == place % 3:
        return "search_site", {"query": passage.replace("-", " ")}
    return "read_passage", {"id": passage}


def columns_of(runs: list[Run], index: Index) -> list[Column]:
    """The runs as the page draws them."""
    return [
        Column(
            *(name, (summary(run),), 0, run.settings, turns(run.events)[-1]),
            steps=finished.steps_of(run, turns(run.events)[-1], 1, working=False),
            working=False,
            waiting=False,
            get=index.get,
            hidden=name != "A",
        )
        for name, run in zip(NAMES, runs, strict=True)
    ]


def drawn(columns: list[Column]) -> None:
    """All the HTML of a comparison."""
    parted = drawing.parted(columns)
    heads_html(columns)
    strip_html([one.runs for one in columns], NAMES, None)
    drawing.rows_html(columns, parted)
    drawing.multiples_html(columns)


def seconds(work: Callable[[], object]) -> float:
    """How long a work takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def median_seconds(work: Callable[[], object]) -> float:
    """Median time of a work that was done once before."""
    work()
    return statistics.median(seconds(work) for _ in range(ROUNDS))


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LAB_HOME"] = folder
        index, _ = Index.build(CORPUS)
        store = Store(Path(folder) / "runs.db")
        runs = [played(store, index, place) for place in range(len(NAMES))]
        columns = columns_of(runs, index)
        page = AppTest.from_function(shown, default_timeout=120)
        page.query_params["runs"] = ",".join(run.id for run in runs)
        first = seconds(page.run)
        rows = [
            ("one rerun of the page", median_seconds(page.run), "0.5"),
            ("  its first run", first, ""),
            ("  loading its runs", median_seconds(lambda: [store.load(r.id) for r in runs]), ""),
            ("  their steps and sums", median_seconds(lambda: columns_of(runs, index)), ""),
            ("  drawing them", median_seconds(lambda: drawn(columns)), ""),
        ]
        if page.exception:
            raise SystemExit(f"The page failed: {page.exception[0].value}")
        store.close()
    print(f"Compare page: {len(NAMES)} columns of {STEPS} steps, medians of {ROUNDS}")
    print(f"{'':34}{'seconds':>9}{'at most':>9}")
    for name, took, most in rows:
        print(f"{name:34}{took:9.3f}{most:>9}")


if __name__ == "__main__":
    main()
