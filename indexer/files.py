"""What an index holds, as files of a folder that never change: passages, terms, and the engine's.

A small one is held in memory, with `terms.txt` to make the engine from. Where the engine has files
of its own, `places.npy` says where each passage's line begins, so that opening reads no passage.
"""

import hashlib
import io
import json
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

import numpy as np

from indexer.content import Content
from indexer.engines import choosing
from indexer.engines.engine import Engine, Material
from indexer.errors import StoredIndexError
from indexer.passages import Passage
from indexer.places import Places, table
from indexer.stored import StoredPassages, line, parsed
from indexer.term_lines import TermLines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from indexer.semantic import Vectors

ABOUT = "about.json"
PASSAGES = "passages.jsonl"
TERMS = "terms.txt"
PLACES = "places.npy"
VECTORS = "vectors.npy"
ENGINE = "engine"


@dataclass(frozen=True, slots=True)
class Held:
    """What a folder held."""

    passages: "Sequence[Passage]"
    """In the order of the articles."""
    terms: TermLines
    """Of each passage; none where they are in the files of an engine."""
    places: Places
    """Where passages stand."""
    engine: Engine | None
    """What scores them; None where it is made from the terms."""
    vectors: "Vectors | None"
    """Of the passages, where they are found by meaning too."""


def write(content: Content, folder: Path) -> str:
    """Write into an empty folder; returns a digest that the same content always has.

    Raises OSError, and EngineError for an index without its engine.
    """
    engine = choosing.chosen(content.settings.engine, len(content.passages))
    about: dict[str, Any] = {
        "engine": engine,
        "weights": [content.settings.k1, content.settings.b],
    }
    if choosing.in_memory(engine):
        about["passages"] = _write(folder / PASSAGES, map(line, content.passages))
        about["terms"] = _write(folder / TERMS, _lines(content.terms))
    else:
        about |= _write_engine(engine, content, folder)
    if content.settings.semantic:
        from indexer.semantic import vectors  # noqa: PLC0415  an extra

        _write(folder / VECTORS, [_saved(vectors(content.passages))])
        about["semantic"] = True
    return _write(folder / ABOUT, [json.dumps(about).encode()])


def _write_engine(engine: str, content: Content, folder: Path) -> dict[str, str]:
    """Write the engine's files, and meanwhile the rest: tantivy leaves the interpreter free for it.

    Returns the digests of what is checked.
    """
    given_up = Event()
    (folder / ENGINE).mkdir()
    with ThreadPoolExecutor(1) as beside:
        digests = beside.submit(_write_passages, content, folder, given_up)
        try:
            choosing.write(engine, folder / ENGINE, material(content))
        except BaseException:
            given_up.set()
            raise
        return digests.result()


def _write_passages(content: Content, folder: Path, given_up: Event) -> dict[str, str]:
    """Write the passages and where each stands, unless it is given up.

    Returns their digests, and that of the terms.
    """
    sizes = [0]

    def passages() -> Iterable[bytes]:
        for passage in content.passages:
            if given_up.is_set():
                return
            written = line(passage)
            sizes.append(len(written))
            yield written

    digest = _write(folder / PASSAGES, passages())
    if given_up.is_set():
        return {}
    places = table(content.passages)
    places["start"] = list(accumulate(sizes))
    return {
        "terms": _digest(_lines(content.terms)),
        "passages": digest,
        "places": _write(folder / PLACES, [_saved(places)]),
    }


def check(folder: Path) -> None:
    """Raise what `read` would where the files are damaged, without keeping what they hold."""
    about = json.loads((folder / ABOUT).read_bytes())
    for name in (PASSAGES, TERMS if choosing.in_memory(about["engine"]) else PLACES):
        with (folder / name).open("rb") as stream:
            digest = hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=8))
        _check(about[Path(name).stem] == digest.hexdigest(), folder / name)
    if not choosing.in_memory(about["engine"]):
        read(folder)
    elif about.get("semantic"):
        np.load(folder / VECTORS, mmap_mode="r")


def read(folder: Path) -> Held:
    """Return what a folder holds.

    Raises StoredIndexError, OSError, KeyError, TypeError or ValueError where it is damaged, and
    EngineError where its engine is not installed.
    """
    about = json.loads((folder / ABOUT).read_bytes())
    vectors = np.load(folder / VECTORS, mmap_mode="r") if about.get("semantic") else None
    if choosing.in_memory(about["engine"]):
        passages = tuple(map(parsed, _read(folder / PASSAGES, about).splitlines()))
        terms = TermLines(_read(folder / TERMS, about).decode().split("\n")[:-1])
        return Held(passages, terms, Places.of(passages), None, vectors)
    _read(folder / PLACES, about)
    rows = np.load(folder / PLACES, mmap_mode="r")
    _check((folder / PASSAGES).stat().st_size == rows["start"][-1], folder / PASSAGES)
    stored = StoredPassages(folder / PASSAGES, rows["start"])
    places = Places(stored, rows)
    engine = choosing.opened(about["engine"], folder / ENGINE, places.ranks)
    return Held(stored, TermLines(()), places, engine, vectors)


def material(content: Content) -> Material:
    """Return what an engine is made from."""
    return Material(content.terms, content.settings.k1, content.settings.b)


def _lines(terms: TermLines) -> Iterator[bytes]:
    return (f"{each}\n".encode() for each in terms.lines)


def _read(file: Path, about: dict[str, Any]) -> bytes:
    data = file.read_bytes()
    _check(about[file.stem] == _digest([data]), file)
    return data


def _check(unchanged: bool, file: Path) -> None:
    if not unchanged:
        raise StoredIndexError(f"{file} was changed since it was written.")


def _saved(array: Any) -> bytes:
    data = io.BytesIO()
    np.save(data, array)
    return data.getvalue()


def _write(file: Path, parts: Iterable[bytes]) -> str:
    """Write a file through to the disk; return the digest of what it holds."""
    digest = hashlib.blake2b(digest_size=8)
    with file.open("wb") as stream:
        for part in parts:
            digest.update(part)
            stream.write(part)
        stream.flush()
        os.fsync(stream.fileno())
    return digest.hexdigest()


def _digest(parts: Iterable[bytes]) -> str:
    digest = hashlib.blake2b(digest_size=8)
    for part in parts:
        digest.update(part)
    return digest.hexdigest()
