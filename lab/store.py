"""Runs in SQLite: a table of runs, a table of events with their JSON.

An event is committed before `record` returns, so before anybody is shown it: a process may die at
any point and nothing recorded is lost. Against a loss of power, the disk is waited for before
anything has an effect. Else it is told soon of what a person said and of replies, which are paid
for, while the run goes on: what follows from these can be had again.

Any number of processes may write at once. The store knows events and their JSON, not what they
mean to a loop.
"""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import orjson

from lab.codec import event_from_json, to_json
from lab.errors import LabError
from lab.events import Asked, ConsentGiven, Event, ModelReplied, RunStarted, ToolStarted
from lab.rows import COLUMNS, RUNS, RunRow, changes
from lab.run import Recorded, Run
from lab.waiting import beside

VERSION = 1
WAIT_SECONDS = 10.0
"""How long a writer waits for another one before it gives up."""
RETRY_SECONDS = 0.02
GATHER_SECONDS = 0.05
"""Within this the disk is told of what was paid for, of all that came meanwhile at once."""

ELSEWHERE = "LAB_HOME names another folder for the lab's data."

EVENTS = """
create table events (
  run text not null references runs(id), seq integer not null, at text not null,
  kind text not null, json text not null, primary key (run, seq)
) without rowid
"""

APPLICATION = 0x5A1AB
"""What SQLite's header says the file is for, so that nobody else's database is written to."""


class StoreError(LabError):
    """The store cannot do what was asked. One line for the person: what, where, what to do."""


class Store:
    """One SQLite file. Threads share one connection and take turns."""

    def __init__(self, path: Path) -> None:
        """Open or create the file. Raises StoreError where it cannot be used."""
        self.path = path
        self._turn = threading.RLock()
        self._telling = False
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(
                path, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False
            )
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"The store {path} cannot be opened: {error}. {ELSEWHERE}") from error
        try:
            self._prepare()
        except BaseException:
            self._db.close()
            raise

    def close(self) -> None:
        """Close the file. Nothing is pending: every event was committed when it was recorded."""
        with self._turn:
            self._db.close()

    def _prepare(self) -> None:
        with self._asking():
            version = self._db.execute("pragma user_version").fetchone()[0]
            if version > VERSION:
                raise StoreError(
                    f"The store {self.path} was written by a newer version of the lab (format "
                    f"{version}, this one knows {VERSION}). Update the lab, or: {ELSEWHERE}"
                )
            tables = self._db.execute("select count(*) from sqlite_master").fetchone()[0]
            application = self._db.execute("pragma application_id").fetchone()[0]
            if tables and application != APPLICATION:
                raise StoreError(
                    f"{self.path} is a database, but none of the lab. Move it away, or: {ELSEWHERE}"
                )
            if version < VERSION:
                self._log_ahead()
            self._db.execute("pragma synchronous = normal")  # `_to_disk` does what is more
        if version < VERSION:
            with self._writing() as db:
                if db.execute("pragma user_version").fetchone()[0] < VERSION:
                    for statement in (*RUNS, EVENTS):
                        db.execute(statement)
                    db.execute(f"pragma application_id = {APPLICATION}")
                    db.execute(f"pragma user_version = {VERSION}")

    def _log_ahead(self) -> None:
        """Let readers go on while one writes. SQLite itself does not wait for this switch."""
        deadline = time.monotonic() + WAIT_SECONDS
        while True:
            try:
                self._db.execute("pragma journal_mode = wal")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorname != "SQLITE_BUSY" or time.monotonic() > deadline:
                    raise
                time.sleep(RETRY_SECONDS)

    def start(
        self,
        first: RunStarted,
        parent: str = "",
        parent_seq: int | None = None,
        others: Iterable[Event] = (),
    ) -> Run:
        """A new run, recorded with its first events."""
        run = Run(secrets.token_hex(8), journal=self._append)
        with self._writing() as db:  # all or none: a run without its settings is no use
            db.execute(
                "insert into runs (id, parent, parent_seq, model, started)"
                " values (?, nullif(?, ''), ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
                (run.id, parent, parent_seq, first.settings.model),
            )
            run.record(first)
            for event in others:
                run.record(event)
        return run

    def load(self, id: str) -> Run:
        """A stored run that records on into the store. `id` may be a prefix, or `last`."""
        full = self.find(id)
        with self._asking() as db:
            rows = db.execute(
                "select seq, at, kind, json from events where run = ? order by seq", [full]
            ).fetchall()
        recorded = [Recorded(seq, at, self._event(full, seq, *rest)) for seq, at, *rest in rows]
        return Run(full, recorded, journal=self._append)

    def find(self, id: str) -> str:
        """The full id of the one run meant; StoreError where there is none, or several."""
        with self._asking() as db:
            if id == "last":
                query, values = "select id from runs order by started desc, rowid desc limit 1", []
            else:
                query, values = "select id from runs where substr(id, 1, ?) = ?", [len(id), id]
            ids = [row[0] for row in db.execute(query, values)]
        if not ids or not id:
            raise StoreError(f"No run with id {id!r} in {self.path}. `lab runs list` shows them.")
        if len(ids) > 1:
            raise StoreError(f"{len(ids)} runs begin with {id!r}: {', '.join(sorted(ids)[:5])}.")
        return str(ids[0])

    def rows(self, limit: int | None = None) -> list[RunRow]:
        """Runs, newest first."""
        with self._asking() as db:
            found = db.execute(
                f"select {COLUMNS} from runs order by started desc, rowid desc limit ?",
                [-1 if limit is None else limit],
            ).fetchall()
        return [RunRow(*row) for row in found]

    def row(self, id: str) -> RunRow:
        """One run, by its whole id, as a list shows it; StoreError where there is none."""
        with self._asking() as db:
            found = db.execute(f"select {COLUMNS} from runs where id = ?", [id]).fetchone()
        if found is None:
            raise StoreError(f"No run with id {id!r} in {self.path}. `lab runs list` shows them.")
        return RunRow(*found)

    def delete(self, id: str) -> None:
        """Remove a run, by its whole id, and its events. Forks of it forget where they parted."""
        with self._writing() as db:
            db.execute("delete from events where run = ?", [id])
            db.execute("update runs set parent = null, parent_seq = null where parent = ?", [id])
            if not db.execute("delete from runs where id = ?", [id]).rowcount:
                raise StoreError(f"No run with id {id!r} in {self.path}, so none was deleted.")

    def _append(self, id: str, entry: Recorded) -> None:
        kind, text = type(entry.event).__name__, fields_as_json(entry.event)
        to_row = changes(id, entry)
        # What is one statement is a transaction by itself.
        with self._writing() if to_row else self._asking() as db:
            try:
                added = db.execute(
                    "insert into events (run, seq, at, kind, json)"
                    " select id, ?, ?, ?, ? from runs where id = ?",
                    (entry.seq, entry.at, kind, text, id),
                ).rowcount
            except sqlite3.IntegrityError as error:
                raise StoreError(
                    f"Run {id} has moved on in another process, so this one stopped. "
                    f"`lab runs show {id}` shows where it is."
                ) from error
            if not added:
                raise StoreError(f"Run {id} was deleted, so it cannot go on. Ask again.")
            for statement in to_row:
                db.execute(*statement)
        match entry.event:
            case ToolStarted(effects=True):
                self._to_disk()
            case Asked() | ModelReplied() | ConsentGiven():
                self._soon_to_disk()

    def _to_disk(self) -> None:
        """Have the disk take what was committed: SQLite's log, which it copies into the file later.

        A log that is not there has been copied, and the file been waited for.
        """
        try:
            with self._turn:  # after the transaction that is under way
                log = os.open(f"{self.path}-wal", os.O_RDWR)
            try:
                os.fsync(log)
            finally:
                os.close(log)
        except FileNotFoundError:
            pass
        except OSError as error:
            raise StoreError(
                f"The store {self.path} could not be written: {error}. {ELSEWHERE}"
            ) from error

    def _soon_to_disk(self) -> None:
        with self._turn:
            if not self._telling:
                self._telling = True
                beside(self._tell_disk)

    def _tell_disk(self) -> None:
        time.sleep(GATHER_SECONDS)
        with self._turn:
            self._telling = False  # what is committed from here on is told next time
        with suppress(StoreError):  # SQLite says so at its own next write
            self._to_disk()

    def _event(self, id: str, seq: int, kind: str, text: str) -> Event:
        try:
            return event_from_json({"kind": kind, **json.loads(text)})
        except (ValueError, TypeError) as error:
            raise StoreError(
                f"Event {seq} of run {id} in {self.path} cannot be read: {error}. "
                "A newer version of the lab may have written it."
            ) from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: committed at the end, or as if it had never been. May be nested."""
        with self._asking() as db:
            if self._db.in_transaction:
                yield db
                return
            db.execute("begin immediate")
            try:
                yield db
                db.execute("commit")
            except BaseException:
                if db.in_transaction:
                    db.execute("rollback")
                raise

    @contextmanager
    def _asking(self) -> Iterator[sqlite3.Connection]:
        """The connection, for one thread at a time, with SQLite's faults put plainly."""
        with self._turn:
            try:
                yield self._db
            except sqlite3.Error as error:
                raise StoreError(f"The store {self.path} {plainly(error)}") from error


def fields_as_json(event: Event) -> str:
    """The fields of an event, without its kind, as one JSON text."""
    try:
        return orjson.dumps(event).decode()
    except TypeError:  # it takes no half of a character and no integer of over 64 bits
        return json.dumps(to_json(event), separators=(",", ":"))


def plainly(error: sqlite3.Error) -> str:
    """What is wrong with the store and what to do, for the person."""
    match getattr(error, "sqlite_errorname", "").split("_")[1:2]:
        case ["BUSY" | "LOCKED"]:
            return (
                f"has been locked by another process for {WAIT_SECONDS:g} seconds. "
                "Nothing recorded is lost; try again when that process is done."
            )
        case ["READONLY" | "PERM" | "CANTOPEN"]:
            return f"cannot be written. {ELSEWHERE}"
        case ["FULL" | "IOERR"]:
            return f"could not be written: {error}. Nothing recorded is lost; free some space."
        case ["NOTADB" | "CORRUPT"]:
            return f"is no database of the lab: {error}. Move it away, or: {ELSEWHERE}"
    return f"cannot be used: {error}. {ELSEWHERE}"
