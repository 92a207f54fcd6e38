"""An index on disk: `search.json` says what it is, and names the folder with all that it holds.

`passages.jsonl`, one passage a line for anyone to read, is another name of the file in that folder.
The folder is written beside the one in use, and `search.json` is replaced last: whoever is killed
leaves the old index whole. Does not know how an index is built or searched.
"""

import json
import os
import shutil
import sqlite3
from dataclasses import asdict
from pathlib import Path
from typing import Any

from indexer import files
from indexer.content import BuildReport, Content, Origin
from indexer.errors import StoredIndexError
from indexer.faults import Fault
from indexer.files import PASSAGES, Held
from indexer.locked import locked
from indexer.settings import FORMAT, Settings, Sizes
from indexer.site import Site
from indexer.variants import Variant

SEARCH = "search.json"
_FILES, _UNFINISHED = "index-", ".new"
_DAMAGED = (StoredIndexError, OSError, KeyError, TypeError, ValueError)
"""What reading the files of an index raises where they are not as they were written."""
_REMEDY = "Build it again with `lab index SOURCE --out DIR`."


def write(content: Content, folder: Path) -> None:
    """Write an index into `folder`, made where it is missing, in place of the one that is there.

    Raises StoredIndexError where the folder cannot be written, EngineError for one without its
    engine.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with locked(folder):
            holding = _write_files(content, folder)
            _link(holding / PASSAGES, folder / PASSAGES)
            _replace(folder / SEARCH, json.dumps(_head(content, holding)).encode())
            for left in folder.glob(f"{_FILES}*"):
                if left != holding:
                    shutil.rmtree(left, ignore_errors=True)
    except (OSError, sqlite3.Error) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise StoredIndexError(f"The index cannot be written to {folder}: {why}.") from error


def read(folder: Path) -> tuple[Content, Held]:
    """Return the index stored in `folder`, and what its files hold.

    Raises StoredIndexError, saying what to do, where it is missing, damaged or of another version,
    and EngineError where its engine is not installed.
    """
    try:
        while True:
            search = _search(folder)
            try:
                held = files.read(folder / search["files"])
            except _DAMAGED:
                if _search(folder)["files"] == search["files"]:
                    raise
                continue  # another one has just taken its place
            return _content(search, held), held
    except FileNotFoundError as error:
        raise StoredIndexError(f"{error.filename} is missing. {_REMEDY}") from error
    except OSError as error:
        raise StoredIndexError(
            f"The index in {folder} cannot be read: {error.strerror}."
        ) from error
    except StoredIndexError as error:
        raise StoredIndexError(f"{error} {_REMEDY}") from error
    except (KeyError, TypeError, ValueError) as error:
        raise StoredIndexError(f"The index in {folder} is damaged. {_REMEDY}") from error


def made_from(folder: Path) -> tuple[Origin, Settings, BuildReport] | None:
    """Return what the index in `folder` was made from, and how, and what was told of it.

    None where there is none, or it is damaged.
    """
    try:
        search = _search(folder)
        files.check(folder / search["files"])
        return _origin(search), _settings(search), _report(search["report"])
    except _DAMAGED:
        return None


def _write_files(content: Content, folder: Path) -> Path:
    """Write all that the index holds; return the folder with it, called by what it holds."""
    new = folder / _UNFINISHED
    if new.exists():  # left by one who was killed: we have the lock
        shutil.rmtree(new)
    new.mkdir()
    try:
        holding = folder / f"{_FILES}{files.write(content, new)}"
        if _is_whole(holding):
            shutil.rmtree(new)
        else:
            shutil.rmtree(holding, ignore_errors=True)
            new.rename(holding)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise
    return holding


def _is_whole(holding: Path) -> bool:
    try:
        files.check(holding)
    except _DAMAGED:
        return False
    return True


def _search(folder: Path) -> dict[str, Any]:
    try:
        search = json.loads((folder / SEARCH).read_bytes())
    except FileNotFoundError as error:
        raise StoredIndexError(f"There is no index in {folder}.") from error
    if not isinstance(search, dict) or search.get("format") != FORMAT:
        raise StoredIndexError(f"The index in {folder} is of another version of the lab.")
    return search


def _head(content: Content, holding: Path) -> dict[str, Any]:
    told = content.report
    return {
        "format": FORMAT,
        "site": asdict(content.site),
        "settings": asdict(content.settings),
        "languages": content.languages,
        "origin": asdict(content.origin),
        # From now on all is known: the same, however much was read anew.
        "report": told and {**asdict(told), "read": 0, "known": told.read + told.known},
        "files": holding.name,
    }


def _content(search: dict[str, Any], held: Held) -> Content:
    return Content(
        Site(**search["site"]),
        _origin(search),
        _settings(search),
        held.passages,
        held.terms,
        search["report"] and _report(search["report"]),
        tuple(search["languages"]),
    )


def _settings(search: dict[str, Any]) -> Settings:
    settings = search["settings"]
    return Settings(**{**settings, "sizes": Sizes(**settings["sizes"])})


def _origin(search: dict[str, Any]) -> Origin:
    origin = search["origin"]
    return Origin(**{**origin, "included": tuple(origin["included"])})


def _report(told: dict[str, Any]) -> BuildReport:
    faults = tuple(Fault(**fault) for fault in told["faults"])
    return BuildReport(**{**told, "faults": faults, "kept": Variant(**told["kept"])})


def _link(file: Path, other: Path) -> None:
    """Give a file another name, in place of what has that name; a copy where there are no links."""
    beside = other.with_name(f".{other.name}")
    beside.unlink(missing_ok=True)
    try:
        os.link(file, beside)
    except OSError:
        shutil.copyfile(file, beside)
    beside.replace(other)
    beside.unlink(missing_ok=True)  # left where both were the same file already


def _replace(file: Path, data: bytes) -> None:
    """Write a file beside its place and move it there, so that no reader ever sees half of it."""
    beside = file.with_name(f".{file.name}")
    with beside.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    beside.replace(file)
