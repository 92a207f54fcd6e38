"""The pages of a crawl in a folder: what each was, and what to ask the next time.

`crawl.jsonl` has a line for each page that was asked for, written when its file is there; so an
interrupted crawl goes on where it was. Does not know how pages are fetched.
"""

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

JOURNAL = "crawl.jsonl"
_PAGES = "pages"


@dataclass(frozen=True, slots=True)
class Record:
    """What an address gave."""

    address: str
    """In normal form."""
    file: str = ""
    """Name of the file that holds its page; empty where it gave none."""
    charset: str = ""
    """What the server said of its encoding."""
    etag: str = ""
    """Asked for with the next request."""
    modified: str = ""
    """The Last-Modified of the page, asked for with the next request."""
    moved_to: str = ""
    """The address that it redirects to."""
    noindex: bool = False
    """Whether the server said that search engines must not list it."""
    nofollow: bool = False
    """Whether the server said that its links must not be followed."""


class Kept:
    """The folder of one crawl."""

    def __init__(self, folder: Path, start: str) -> None:
        self._folder = folder
        self._journal = folder / JOURNAL
        self._before: dict[str, Record] = {}
        self._now: dict[str, Record] = {}
        began = self._load()
        self._pages.mkdir(parents=True, exist_ok=True)
        if began != start:
            self._before |= self._now
            self._now.clear()
            self._append({"began": start})

    def now(self, address: str) -> Record | None:
        """Return what an address gave in this crawl."""
        return self._now.get(address)

    def before(self, address: str) -> Record | None:
        """Return the page that an address gave in an earlier crawl, if its file is still there."""
        record = self._before.get(address)
        if record is None or not record.file or not (self._pages / record.file).is_file():
            return None
        return record

    def body(self, record: Record) -> bytes:
        """Return the page of a record; empty where it gave none."""
        return (self._pages / record.file).read_bytes() if record.file else b""

    def keep(self, record: Record, body: bytes | None = None) -> Record:
        """Write down what an address gave, and its page where there is a new one."""
        if body is not None:
            name = hashlib.blake2b(record.address.encode(), digest_size=12).hexdigest() + ".html"
            _replace(self._pages / name, body)
            record = replace(record, file=name)
        self._now[record.address] = record
        self._append(_written(record))
        return record

    def finish(self) -> None:
        """Forget what this crawl did not meet; the next one asks for everything anew."""
        lines = [{"began": ""}, *map(_written, self._now.values()), {"finished": True}]
        _replace(self._journal, "".join(map(_line, lines)).encode())
        files = {record.file for record in self._now.values()}
        for file in self._pages.iterdir():
            if file.name not in files:
                file.unlink(missing_ok=True)

    @property
    def _pages(self) -> Path:
        return self._folder / _PAGES

    def _load(self) -> str:
        """Read the journal; return the start of a crawl that was not finished, else nothing."""
        began = ""
        for line in journal(self._folder):
            if "began" in line or "finished" in line:
                began = line.get("began", "")
                self._before |= self._now
                self._now.clear()
            elif record := _read(line):
                self._now[record.address] = record
        return began

    def _append(self, line: dict[str, Any]) -> None:
        with self._journal.open("a", encoding="utf-8") as stream:
            stream.write(_line(line))


def kept_pages(folder: Path) -> dict[str, tuple[Record, Path]]:
    """Return record and file of the pages in a folder, by address."""
    found: dict[str, tuple[Record, Path]] = {}
    for line in journal(folder):
        if (record := _read(line)) is None:
            continue
        found.pop(record.address, None)
        if record.file:
            found[record.address] = record, folder / _PAGES / record.file
    return dict(sorted(found.items()))


def journal(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the lines of a folder's journal; the last one may have been cut off and is left out."""
    with contextlib.suppress(FileNotFoundError):
        for line in (folder / JOURNAL).read_text("utf-8", "replace").split("\n"):
            with contextlib.suppress(ValueError):
                value = json.loads(line)
                if isinstance(value, dict):
                    yield value


def _line(line: dict[str, Any]) -> str:
    # The line end comes first too: what was cut off before it must not swallow this line.
    return f"\n{json.dumps(line, ensure_ascii=False)}\n"


def _written(record: Record) -> dict[str, Any]:
    return {key: value for key, value in asdict(record).items() if value}


def _read(line: dict[str, Any]) -> Record | None:
    known = {key: line[key] for key in Record.__slots__ if key in line}
    record = Record(**known) if "address" in known else None
    # The name of a file is ours, whatever was written into the journal.
    safe = record is not None and record.file == os.path.basename(record.file)  # noqa: PTH119
    return record if safe else None


def _replace(file: Path, body: bytes) -> None:
    """Write a file beside its place and move it there, so that half of it is never seen."""
    handle, name = tempfile.mkstemp(prefix=".new-", dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(body)
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
