"""An index as files: `passages.jsonl`, one passage a line for anyone to read, and `search.json`.

Where the engine has files of its own, they are in a folder beside these, and `places.npy` says
where each passage's line begins, so that opening reads none of them. Does not know how an index is
built or searched.
"""

import hashlib
import io
import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from indexer.content import Content
from indexer.engines import choosing
from indexer.engines.engine import Engine, Material, Ranks
from indexer.errors import StoredIndexError
from indexer.places import HeldPlaces, Places, StoredPassages, line, parsed, table
from indexer.settings import FORMAT, Settings, Sizes
from indexer.site import Site

if TYPE_CHECKING:
    from indexer.semantic import Vectors

PASSAGES = "passages.jsonl"
SEARCH = "search.json"
PLACES = "places.npy"
VECTORS = "vectors.npy"
_REMEDY = "Build it again with `lab index SOURCE --out DIR`."


@dataclass(frozen=True, slots=True)
class Opened:
    """An index as it was read."""

    content: Content
    """What it is made of."""
    places: Places
    """Where its passages stand."""
    engine: Engine | None
    """What scores them; None where it is made from the terms."""
    vectors: "Vectors | None" = None
    """Of the passages, where they are found by meaning too."""


def write(content: Content, folder: Path) -> None:
    """Write an index into `folder`, made where it is missing; each file is whole or not there.

    Raises StoredIndexError where the folder cannot be written, EngineError for one without its
    engine.
    """
    engine = choosing.chosen(content.settings.engine, len(content.passages))
    search = {
        "format": FORMAT,
        "fingerprint": content.fingerprint,
        "site": asdict(content.site),
        "settings": asdict(content.settings),
        "engine": engine,
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if choosing.in_memory(engine):
            search |= _write_held(content, folder)
        else:
            search |= _write_stored(content, folder, engine)
        if content.settings.semantic:
            search |= _write_vectors(content, folder)
        _replace(folder / SEARCH, [json.dumps(search, ensure_ascii=False).encode()])
        _remove_files_but(folder, search)
    except OSError as error:
        raise StoredIndexError(
            f"The index cannot be written to {folder}: {error.strerror}."
        ) from error


def read(folder: Path) -> Opened:
    """Return the index stored in `folder`.

    Raises StoredIndexError, saying what to do, where it is missing, damaged or of another version,
    and EngineError where its engine is not installed.
    """
    try:
        search = json.loads((folder / SEARCH).read_bytes())
        if not isinstance(search, dict) or search.get("format") != FORMAT:
            raise StoredIndexError(
                f"The index in {folder} is of another version of the lab. {_REMEDY}"
            )
        opened = _read_stored(search, folder) if "files" in search else _read_held(search, folder)
        return replace(opened, vectors=_read_vectors(search, folder))
    except FileNotFoundError as error:
        raise StoredIndexError(f"There is no index in {folder}. {_REMEDY}") from error
    except OSError as error:
        raise StoredIndexError(
            f"The index in {folder} cannot be read: {error.strerror}."
        ) from error
    except (KeyError, TypeError, ValueError) as error:
        raise StoredIndexError(f"The index in {folder} is damaged. {_REMEDY}") from error


def material(content: Content, ranks: Ranks) -> Material:
    """Return what an engine is made from."""
    return Material(content.terms, ranks, content.settings.k1, content.settings.b)


def _write_held(content: Content, folder: Path) -> dict[str, Any]:
    passages = b"".join(line(each) for each in content.passages)
    _replace(folder / PASSAGES, [passages])
    return {"passages": _digest(passages), "terms": [" ".join(each) for each in content.terms]}


def _read_held(search: dict[str, Any], folder: Path) -> Opened:
    data = (folder / PASSAGES).read_bytes()
    _check(search["passages"] == _digest(data), folder)
    terms = tuple(tuple(each.split(" ")) if each else () for each in search["terms"])
    passages = tuple(parsed(each) for each in data.splitlines())
    site, fingerprint, settings = _head(search)
    content = Content(site, fingerprint, settings, passages, terms)
    return Opened(content, HeldPlaces(passages), None)


def _write_stored(content: Content, folder: Path, engine: str) -> dict[str, Any]:
    """Write the files of an index that is not held in memory; return what finds them again."""
    places = table([0] * (len(content.passages) + 1), [each.id for each in content.passages])
    # Under a name of its own, and first: what is open, or was there, stays as it is if this fails.
    files = Path(tempfile.mkdtemp(prefix=_prefix(engine), dir=folder))
    try:
        choosing.write(engine, files, material(content, places["rank"][:-1]))
        sizes: list[int] = []
        _replace(folder / PASSAGES, _measured((line(each) for each in content.passages), sizes))
        places["start"] = list(accumulate(sizes, initial=0))
        data = io.BytesIO()
        np.save(data, places)
        _replace(folder / PLACES, [data.getvalue()])
    except BaseException:
        shutil.rmtree(files, ignore_errors=True)
        raise
    return {"places": _digest(data.getvalue()), "files": files.name}


def _read_stored(search: dict[str, Any], folder: Path) -> Opened:
    _check(search["places"] == _digest((folder / PLACES).read_bytes()), folder)
    places = np.load(folder / PLACES, mmap_mode="r")
    _check((folder / PASSAGES).stat().st_size == places["start"][-1], folder)
    passages = StoredPassages(folder / PASSAGES, places)
    engine = choosing.opened(search["engine"], folder / search["files"], passages.ranks)
    return Opened(Content(*_head(search), passages, ()), passages, engine)


def _write_vectors(content: Content, folder: Path) -> dict[str, Any]:
    from indexer.semantic import vectors  # noqa: PLC0415  an extra, loaded only where it is used

    data = io.BytesIO()
    np.save(data, vectors(content.passages))
    _replace(folder / VECTORS, [data.getvalue()])
    return {"vectors": len(data.getvalue())}


def _read_vectors(search: dict[str, Any], folder: Path) -> "Vectors | None":
    if "vectors" not in search:
        return None
    _check((folder / VECTORS).stat().st_size == search["vectors"], folder)
    found: Vectors = np.load(folder / VECTORS, mmap_mode="r")
    return found


def _head(search: dict[str, Any]) -> tuple[Site, str, Settings]:
    settings = search["settings"]
    return (
        Site(**search["site"]),
        search["fingerprint"],
        Settings(**{**settings, "sizes": Sizes(**settings["sizes"])}),
    )


def _check(together: bool, folder: Path) -> None:
    if not together:
        raise StoredIndexError(
            f"{folder / PASSAGES} and {SEARCH} do not belong together. {_REMEDY}"
        )


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()


def _measured(lines: Iterable[bytes], sizes: list[int]) -> Iterator[bytes]:
    """Yield lines, and add their sizes to the list."""
    for each in lines:
        sizes.append(len(each))
        yield each


def _prefix(engine: str) -> str:
    return f"{engine.partition(':')[0]}-"


def _remove_files_but(folder: Path, search: dict[str, Any]) -> None:
    """Remove what earlier indexes in this folder left."""
    for engine in choosing.ENGINES:
        for files in folder.glob(f"{_prefix(engine)}*"):
            if files.name != search.get("files"):
                shutil.rmtree(files, ignore_errors=True)
    for file, key in ((PLACES, "places"), (VECTORS, "vectors")):
        if key not in search:
            (folder / file).unlink(missing_ok=True)


def _replace(file: Path, parts: Iterable[bytes]) -> None:
    """Write a file beside its place and move it there, so that no reader ever sees half of it."""
    handle, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.writelines(parts)
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
