"""An index as files: `passages.jsonl`, one passage a line for anyone to read, and `search.json`.

Does not know how an index is built or searched.
"""

import hashlib
import json
import os
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from indexer.builder import Content
from indexer.errors import StoredIndexError
from indexer.passages import Passage
from indexer.pieces import Sizes
from indexer.settings import FORMAT, Settings
from indexer.site import Site

PASSAGES = "passages.jsonl"
SEARCH = "search.json"
_REMEDY = "Build it again with `lab index SOURCE --out DIR`."


def write(content: Content, folder: Path) -> None:
    """Write an index into `folder`, made where it is missing; each file is whole or not there.

    Raises StoredIndexError where the folder cannot be written.
    """
    lines = [json.dumps(asdict(each), ensure_ascii=False) + "\n" for each in content.passages]
    passages = "".join(lines).encode()
    search = {
        "format": FORMAT,
        "fingerprint": content.fingerprint,
        "site": asdict(content.site),
        "settings": asdict(content.settings),
        "passages": _digest(passages),
        "terms": [" ".join(each) for each in content.terms],
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _replace(folder / PASSAGES, passages)
        _replace(folder / SEARCH, json.dumps(search, ensure_ascii=False).encode())
    except OSError as error:
        raise StoredIndexError(
            f"The index cannot be written to {folder}: {error.strerror}."
        ) from error


def read(folder: Path) -> Content:
    """Return the index stored in `folder`.

    Raises StoredIndexError, saying what to do, where it is missing, damaged or of another version.
    """
    try:
        passages = (folder / PASSAGES).read_bytes()
        search = json.loads((folder / SEARCH).read_bytes())
    except FileNotFoundError as error:
        raise StoredIndexError(f"There is no index in {folder}. {_REMEDY}") from error
    except OSError as error:
        raise StoredIndexError(
            f"The index in {folder} cannot be read: {error.strerror}."
        ) from error
    except ValueError as error:
        raise StoredIndexError(f"{folder / SEARCH} is damaged. {_REMEDY}") from error
    if not isinstance(search, dict) or search.get("format") != FORMAT:
        raise StoredIndexError(f"The index in {folder} is of another version of the lab. {_REMEDY}")
    if search.get("passages") != _digest(passages):
        raise StoredIndexError(
            f"{folder / PASSAGES} and {SEARCH} do not belong together. {_REMEDY}"
        )
    try:
        return _content(search, passages)
    except (KeyError, TypeError, ValueError) as error:
        raise StoredIndexError(f"The index in {folder} is damaged. {_REMEDY}") from error


def _content(search: dict[str, Any], passages: bytes) -> Content:
    settings = search["settings"]
    return Content(
        site=Site(**search["site"]),
        fingerprint=search["fingerprint"],
        settings=Settings(**{**settings, "sizes": Sizes(**settings["sizes"])}),
        passages=tuple(_passage(json.loads(line)) for line in passages.splitlines()),
        terms=tuple(tuple(line.split(" ")) if line else () for line in search["terms"]),
    )


def _passage(values: dict[str, Any]) -> Passage:
    return Passage(**{**values, "headings": tuple(values["headings"])})


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()


def _replace(file: Path, data: bytes) -> None:
    """Write a file beside its place and move it there, so that no reader ever sees half of it."""
    handle, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
