"""The store: what was recorded stays, whoever else writes and whatever goes wrong."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from lab.events import (
    Asked,
    ConsentGiven,
    Event,
    ModelAsked,
    ModelFailed,
    ModelReplied,
    Noticed,
    Reopened,
    RunStarted,
    ToolFinished,
    ToolStarted,
    TurnEnded,
)
from lab.messages import NOT_SENT, Attempt, Cost, Exchange, Reply, Request, ToolCall, Usage
from lab.models.scripted import Scripted
from lab.run import Run
from lab.settings import Settings
from lab.store import VERSION, Store, StoreError
from lab.tools.toolbox import Toolbox
from lab.totals import Amount

Drive = Callable[..., Run]
Tools = Callable[..., Toolbox]


def on_disk(path: Path) -> int:
    """Events that another connection sees."""
    db = sqlite3.connect(path)
    [[number]] = db.execute("select count(*) from events")
    db.close()
    return int(number)


def test_what_is_loaded_is_what_was_recorded(
    store: Store, settings: Settings, drive: Drive, small_tools: Tools
) -> None:
    run = store.start(RunStarted(settings))
    run.record(Asked("Is it \N{GREEK SMALL LETTER PI}?\x00"))
    calls = (ToolCall("", "send", {"to": "me"}), ToolCall("", "add", None, "[1", "No JSON."))
    drive(run, Scripted([Reply("", calls), Reply("", fault="Empty."), Reply("So.")]), small_tools())
    run.record(Noticed("index changed", "It changed."))
    assert store.load(run.id).recorded == run.recorded


def test_an_event_is_on_disk_before_record_returns(store: Store, settings: Settings) -> None:
    run = store.start(RunStarted(settings))
    for number in range(2, 5):
        run.record(Asked("x"))
        assert on_disk(store.path) == number


def test_a_run_is_never_stored_without_its_settings(store: Store, settings: Settings) -> None:
    store._db.execute(
        "create trigger no before insert on events begin select raise(abort, 'x'); end"
    )
    with pytest.raises(StoreError):
        store.start(RunStarted(settings))
    assert store.rows() == []


def test_threads_may_record_at_once(store: Store, settings: Settings) -> None:
    def write() -> None:
        run = store.start(RunStarted(settings))
        for _ in range(20):
            run.record(Asked("x"))

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [len(store.load(row.id)) for row in store.rows()] == [21] * 4


WRITER = """
import sys
from pathlib import Path
from queue import SimpleQueue
from lab.events import Asked, RunStarted
from lab.settings import Settings
from lab.store import Store
print("ready", flush=True)
sys.stdin.readline()
store = Store(Path(sys.argv[1]))
for _ in range(5):
    run = store.start(RunStarted(Settings("m", "", ())))
    for number in range(20):
        run.record(Asked(str(number)))
"""


def test_processes_that_create_and_write_one_store_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    piped: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    command = [sys.executable, "-c", WRITER, path]
    with ExitStack() as stack:
        writers = [stack.enter_context(subprocess.Popen(command, **piped)) for _ in range(4)]
        for writer in writers:
            assert writer.stdout.readline() == "ready\n"
        for writer in writers:
            writer.stdin.write("go\n")
            writer.stdin.flush()
        assert [writer.wait(60) for writer in writers] == [0] * 4
    store = Store(path)
    runs = [store.load(row.id) for row in store.rows()]
    store.close()
    assert len(runs) == 20
    expected = [str(number) for number in range(20)]
    for run in runs:
        assert [e.question for e in run.events if isinstance(e, Asked)] == expected
        assert [entry.seq for entry in run.recorded] == list(range(21))


def test_a_new_store_waits_for_another_process_that_prepares_it(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("begin immediate")
    done = threading.Timer(0.3, lambda: other.execute("rollback"))
    done.start()
    store = Store(path)
    done.join()
    other.close()
    assert store.rows() == []
    assert store._db.execute("pragma journal_mode").fetchone() == ("wal",)
    store.close()


def test_the_second_writer_of_one_run_is_told_and_harms_nothing(
    store: Store, settings: Settings
) -> None:
    first = store.start(RunStarted(settings))
    second_store = Store(store.path)
    second = second_store.load(first.id)
    first.record(Asked("mine"))
    with pytest.raises(StoreError, match="has moved on in another process"):
        second.record(Asked("too late"))
    assert len(second) == 1
    first.record(TurnEnded("answered", "So."))
    assert second_store.load(first.id).recorded == first.recorded
    assert store.rows()[0].question == "mine"
    second_store.close()


def test_a_locked_store_says_so_and_keeps_what_it_has(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lab.store.WAIT_SECONDS", 0.2)
    store = Store(tmp_path / "runs.db")
    run = store.start(RunStarted(settings))
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("begin exclusive")
    with pytest.raises(StoreError, match=r"runs\.db has been locked by another process"):
        run.record(Asked("x"))
    other.execute("rollback")
    other.close()
    assert store.load(run.id).recorded == run.recorded
    run.record(Asked("x"))
    assert len(store.load(run.id)) == 2
    store.close()


def test_a_full_disk_says_so_and_keeps_what_it_has(store: Store, settings: Settings) -> None:
    run = store.start(RunStarted(settings))
    [[pages]] = store._db.execute("pragma page_count")
    store._db.execute(f"pragma max_page_count = {pages + 2}")
    with pytest.raises(StoreError, match=r"runs\.db could not be written: .*free some space"):
        run.record(Asked("x" * 100_000))
    assert len(run) == 1
    store._db.execute("pragma max_page_count = 100000")
    run.record(Asked("smaller"))
    assert store.load(run.id).recorded == run.recorded


def test_a_store_that_cannot_be_written_says_so_and_can_be_read(
    store: Store, settings: Settings
) -> None:
    run = store.start(RunStarted(settings))
    store._db.execute("pragma query_only = on")
    with pytest.raises(StoreError, match=r"runs\.db cannot be written\. LAB_HOME"):
        run.record(Asked("x"))
    assert store.load(run.id).recorded == run.recorded


def test_a_folder_that_cannot_be_made_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match=r"file/runs\.db cannot be opened: .*LAB_HOME"):
        Store(tmp_path / "file" / "runs.db")


def test_a_store_of_a_newer_version_is_left_alone(tmp_path: Path, settings: Settings) -> None:
    path = tmp_path / "runs.db"
    store = Store(path)
    store.start(RunStarted(settings))
    store._db.execute(f"pragma user_version = {VERSION + 1}")
    store.close()
    with pytest.raises(StoreError, match=r"runs\.db was written by a newer version .*Update"):
        Store(path)
    assert on_disk(path) == 1


def test_a_database_of_something_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    with sqlite3.connect(path) as other:
        other.execute("create table recipes (name text)")
    other.close()
    with pytest.raises(StoreError, match=r"runs\.db is a database, but none of the lab"):
        Store(path)
    with sqlite3.connect(path) as other:
        assert other.execute("select name from sqlite_master").fetchall() == [("recipes",)]
    other.close()


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    path.write_text("shopping list\n" * 200)
    with pytest.raises(StoreError, match=r"runs\.db is no database of the lab"):
        Store(path)
    assert path.read_text() == "shopping list\n" * 200


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("Dreamt", "{}"),
        ("Asked", '{"question": "x", "mood": "good"}'),
        ("Asked", "{"),
        ("Asked", "[]"),
        ("ModelReplied", '{"step": 1, "reply": "no", "exchange": {}}'),
    ],
)
def test_an_event_that_cannot_be_read_is_named(
    kind: str, text: str, store: Store, settings: Settings
) -> None:
    run = store.start(RunStarted(settings))
    store._db.execute("insert into events values (?, 1, '', ?, ?)", (run.id, kind, text))
    with pytest.raises(StoreError, match=f"Event 1 of run {run.id} in .*cannot be read"):
        store.load(run.id)


def test_a_run_is_found_by_its_beginning_or_as_the_last(store: Store, settings: Settings) -> None:
    runs = [store.start(RunStarted(settings)) for _ in range(3)]
    assert store.find("last") == runs[-1].id
    for run in runs:
        assert store.find(run.id) == store.find(run.id[:12]) == run.id


def test_a_beginning_that_fits_no_run_or_several_is_refused(
    store: Store, settings: Settings
) -> None:
    with pytest.raises(StoreError, match="No run with id 'last'"):
        store.find("last")
    ids = {store.start(RunStarted(settings)).id for _ in range(17)}  # two begin alike
    twice = next(i[0] for i in ids if sum(other[0] == i[0] for other in ids) > 1)
    with pytest.raises(StoreError, match=f"runs begin with '{twice}'"):
        store.find(twice)
    for unknown in ("", "%", "nothing"):
        with pytest.raises(StoreError, match=f"No run with id '{unknown}'.*lab runs list"):
            store.find(unknown)


def replied(usage: Usage, usd: float | None) -> Event:
    return ModelReplied(1, Reply("x", usage=usage), Exchange(cost=Cost(usd, "")))


@pytest.mark.parametrize(
    ("events", "sums"),
    [
        ([], (0, None, None, 0, None, 0)),
        ([replied(Usage(), None)], (1, None, None, 0, None, 1)),
        ([replied(Usage(10, 2), 0.0)], (1, 10, 2, 0, 0.0, 0)),
        ([replied(Usage(10, 2), 0.25), replied(Usage(30, 4), 0.5)], (2, 40, 6, 0, 0.75, 0)),
        ([replied(Usage(10, 2), 0.25), replied(Usage(), None)], (2, 10, 2, 0, 0.25, 1)),
        ([replied(Usage(), None), replied(Usage(10, 2), 0.25)], (2, 10, 2, 0, 0.25, 1)),
        (
            [replied(Usage(9, 1, estimated=True), 0.0), replied(Usage(1, 1), 0.0)],
            (2, 10, 2, 1, 0.0, 0),
        ),
    ],
)
def test_a_row_sums_up_its_run_and_unknown_is_never_zero(
    events: list[Event], sums: tuple[object, ...], store: Store, settings: Settings
) -> None:
    run = store.start(RunStarted(settings))
    for event in events:
        run.record(event)
    [row] = store.rows()
    found = (row.steps, row.tokens_in, row.tokens_out, row.tokens_estimated)
    assert (*found, row.cost, row.cost_unknown) == sums


BROKE_OFF = Attempt(200, 1.0, error="the answer broke off")


@pytest.mark.parametrize(
    "attempts",
    [
        (Attempt(200, 1.0),),
        (Attempt(429, 1.0, error="x"), Attempt(200, 1.0)),
        (BROKE_OFF, Attempt(200, 1.0)),
        (BROKE_OFF, BROKE_OFF, Attempt(200, 1.0)),
    ],
)
@pytest.mark.parametrize("usd", [None, 0.0, 0.25])
def test_the_sums_of_a_row_are_those_of_its_events(
    attempts: tuple[Attempt, ...], usd: float | None, store: Store, settings: Settings
) -> None:
    run = store.start(RunStarted(settings))
    exchange = Exchange(attempts=attempts, cost=Cost(usd, ""))
    run.record(ModelReplied(1, Reply("x", usage=Usage(10, 2)), exchange))
    run.record(ModelFailed(2, "down", exchange))
    run.record(TurnEnded("failed"))
    [row] = store.rows()
    tokens_in, tokens_out, cost = row.amounts()
    used = run.totals()
    assert row.model_calls == 2
    assert (tokens_in.known, tokens_in.unknown) == (used.tokens_in.known, used.tokens_in.unknown)
    assert (tokens_out.known, tokens_out.unknown) == (
        used.tokens_out.known,
        used.tokens_out.unknown,
    )
    assert (cost.known, cost.unknown) == (used.cost.known, used.cost.unknown)


def test_a_call_that_never_left_adds_nothing_to_a_row(store: Store, settings: Settings) -> None:
    run = store.start(RunStarted(settings))
    run.record(replied(Usage(10, 2), 0.25))
    run.record(ModelFailed(2, "over the limit", Exchange(cost=NOT_SENT), "money limit"))
    run.record(TurnEnded("money limit"))
    [row] = store.rows()
    assert row.amounts() == (Amount(10, 1), Amount(2, 1), Amount(0.25, 1))


def test_a_row_tells_the_first_question_and_the_last_end(store: Store, settings: Settings) -> None:
    run = store.start(RunStarted(settings))
    assert store.rows()[0].question == ""
    expected = [
        (Asked("first"), None),
        (TurnEnded("step limit"), "step limit"),
        (Reopened(), None),
        (ToolFinished("a", "x"), None),
        (TurnEnded("answered"), "answered"),
        (Asked("second"), None),
        (TurnEnded("refused"), "refused"),
    ]
    for event, reason in expected:
        run.record(event)
        [row] = store.rows()
        assert (row.question, row.reason) == ("first", reason)
        assert row.ended == (run.recorded[-1].at if reason else None)


def test_rows_come_newest_first_and_no_more_than_asked_for(
    store: Store, settings: Settings
) -> None:
    ids = [store.start(RunStarted(settings)).id for _ in range(4)]
    assert [row.id for row in store.rows()] == ids[::-1]
    assert [row.id for row in store.rows(limit=2)] == ids[:1:-1]


def test_a_fork_names_its_parent(store: Store, settings: Settings) -> None:
    parent = store.start(RunStarted(settings))
    fork = store.start(RunStarted(settings), parent=parent.id, parent_seq=0)
    stored = store._db.execute("select parent, parent_seq from runs order by rowid").fetchall()
    assert stored == [(None, None), (parent.id, 0)]
    assert len(store.load(fork.id)) == 1


def test_the_file_is_plain_json_for_other_readers(store: Store, settings: Settings) -> None:
    store.start(RunStarted(settings)).record(Asked("x"))
    [[kind, text]] = store._db.execute("select kind, json from events where seq = 1")
    assert (kind, json.loads(text)) == ("Asked", {"question": "x"})


def test_a_deleted_run_is_gone_with_its_events_and_others_stay(
    store: Store, settings: Settings
) -> None:
    gone, kept = store.start(RunStarted(settings)), store.start(RunStarted(settings))
    fork = store.start(RunStarted(settings), parent=gone.id, parent_seq=0)
    gone.record(Asked("Why?"))
    store.delete(gone.id)
    assert {row.id for row in store.rows()} == {kept.id, fork.id}
    assert on_disk(store.path) == 2
    assert store.load(fork.id).events == fork.events
    for id in (gone.id, kept.id[:8], "last", ""):
        with pytest.raises(StoreError, match="No run with id"):
            store.delete(id)
    assert len(store.rows()) == 2


def test_a_run_that_was_deleted_elsewhere_leaves_no_event_behind(
    store: Store, settings: Settings
) -> None:
    run = store.start(RunStarted(settings))
    other = Store(store.path)
    other.delete(run.id)
    other.close()
    with pytest.raises(StoreError, match="was deleted, so it cannot go on"):
        run.record(Asked("Why?"))
    assert (on_disk(store.path), len(run)) == (0, 1)


def test_a_deletion_that_fails_half_way_deletes_nothing(store: Store, settings: Settings) -> None:
    run = store.start(RunStarted(settings))
    with sqlite3.connect(store.path) as db:
        db.execute(
            "create trigger kept before delete on runs begin select raise(abort, 'kept'); end"
        )
    db.close()
    with pytest.raises(StoreError, match="kept"):
        store.delete(run.id)
    assert store.load(run.id).events == run.events


CALL = ToolCall("c", "calculate", {})


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (Asked("What?"), "soon"),
        (ModelAsked(1, Request("POST", "/", "{}", {})), ""),
        (ModelReplied(1, Reply("", (CALL,)), Exchange()), "soon"),
        (ToolStarted("c"), ""),
        (ToolStarted("c", effects=True), "before it returns"),
        (ToolFinished("c", "4"), ""),
        (ConsentGiven("c", True), "soon"),
        (TurnEnded("answered"), ""),
    ],
)
def test_the_disk_is_waited_for_before_an_effect_and_told_of_what_could_not_be_had_again(
    event: Event, told: str, store: Store, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = store.start(RunStarted(settings))
    by, done, sync = list[str](), threading.Event(), os.fsync

    def fsync(file: int) -> None:
        sync(file)
        by.append(threading.current_thread().name)
        done.set()

    monkeypatch.setattr(os, "fsync", fsync)
    run.record(event)
    assert (threading.current_thread().name in by) == (told == "before it returns")
    assert not told or done.wait(10)
    assert on_disk(store.path) == 2


def test_a_disk_that_fails_before_an_effect_is_told_plainly(
    store: Store, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = store.start(RunStarted(settings))

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match=r"could not be written: .*No space left"):
        run.record(ToolStarted("c", effects=True))


def test_a_reply_stands_where_the_disk_fails_beside_it(
    store: Store, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = threading.Event()

    def broken(_: int) -> None:
        tried.set()
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", broken)
    run = store.start(RunStarted(settings))
    run.record(ModelReplied(1, Reply("four"), Exchange()))
    assert tried.wait(10)
    run.record(TurnEnded("answered", "four"))
    assert on_disk(store.path) == 3


def test_the_disk_is_told_once_of_replies_that_come_together_and_again_of_later_ones(
    store: Store, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    gathered, told = threading.Semaphore(0), SimpleQueue[None]()
    monkeypatch.setattr("lab.store.time.sleep", lambda _: gathered.acquire(timeout=10))
    monkeypatch.setattr(store, "_to_disk", lambda: told.put(None))
    run = store.start(RunStarted(settings))
    for _ in range(2):
        for _ in range(3):
            run.record(ModelReplied(1, Reply("four"), Exchange()))
        assert told.empty()
        gathered.release()
        told.get(timeout=10)
    assert told.empty()
