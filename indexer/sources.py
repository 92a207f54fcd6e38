"""A folder of Markdown files -> source pages: text with true line numbers, whatever the bytes were.

Does not know what is in a page.
"""

import codecs
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from indexer.encodings import called, encoding_of
from indexer.errors import SourceError
from indexer.faults import Fault, Warn

WRITTEN_BY_TOOLS = ("node_modules", "bower_components", "_site", "_build", "_freeze")
"""Folders in which no page is looked for."""
MAX_PAGE_BYTES = 2 * 1024 * 1024
"""A longer page ends here. A megabyte of prose is parsed in under half a second, but one of nothing
but list markers takes fifteen."""

_GIVE = "Give the folder that holds the articles."
_MAX_NOTEBOOK_BYTES = 64 * 1024 * 1024
"""Of a notebook hardly anything is text."""


@dataclass(frozen=True, slots=True)
class SourcePage:
    """One page as text."""

    path: str
    """Path relative to the folder of articles, with `/`."""
    text: str
    """The whole file; line ends are `\\n`, so that line n of the text is line n of the file."""


def read_text(path: str, file: Path, warn: Warn, language: str = "") -> str | None:
    """Return the text of a file, which is known as `path`; None, and a fault, where that fails."""
    try:
        with file.open("rb") as stream:
            raw = stream.read(_most(file) + 1)
    except OSError as error:
        warn(Fault(path, 0, f"cannot be read ({error.strerror}); left out"))
        return None
    return _decode(path, raw, _most(file), language, warn)


def check_folder(folder: Path) -> None:
    """Raise SourceError where there is no such folder, or none that can be read."""
    try:
        os.scandir(folder).close()
        # Who may list its names need not be let in; a Path would forget the dot.
        os.stat(os.path.join(folder, "."))  # noqa: PTH116, PTH118
    except FileNotFoundError:
        raise SourceError(f"There is no folder {folder}. {_GIVE}") from None
    except NotADirectoryError:
        raise SourceError(f"{folder} is a file. {_GIVE}") from None
    except OSError as error:
        raise SourceError(f"{folder} cannot be read ({error.strerror}). {_GIVE}") from None


def no_pages(folder: Path, suffixes: tuple[str, ...], known: Iterable[Fault] = ()) -> SourceError:
    """Return the error for a folder in which no page was found, with what else is known of it."""
    if not folder.is_dir():
        return SourceError(f"There is no folder {folder}. {_GIVE}")
    *kinds, last = (f"*{suffix}" for suffix in suffixes)
    names = f"{', '.join(kinds)} and {last}" if kinds else last
    return SourceError(
        f"No pages in {folder}: looked for {names} files in it and in the folders below. "
        + " ".join([_GIVE, *(f"{each}." for each in known)])
    )


def list_files(
    folder: Path, area: str, suffixes: tuple[str, ...], warn: Warn
) -> Iterator[tuple[str, Path]]:
    """Yield path in `folder` and place of each file in its subfolder `area` with such a suffix.

    Hidden files, links, and what tools write beside the pages are not among them.
    """

    def name(file: Path) -> str:
        # A file name need not be UTF-8; the path must be, since it is written to the index.
        return os.fsencode(file.relative_to(folder).as_posix()).decode("utf-8", "replace")

    def unreadable(error: OSError) -> None:
        if Path(error.filename) != folder:
            why = f"folder cannot be read ({error.strerror}); left out"
            warn(Fault(name(Path(error.filename)), 0, why))

    for root, folders, files in os.walk(folder / area, onerror=unreadable):
        here = Path(root)
        folders[:] = [
            each for each in folders if not each.startswith(".") and each not in WRITTEN_BY_TOOLS
        ]
        for link in (here / each for each in folders if (here / each).is_symlink()):
            warn(Fault(name(link), 0, _why_not_followed(link, folder)))
        named = (each for each in files if each.lower().endswith(suffixes))
        for file in (here / each for each in named if not each.startswith(".")):
            if file.is_symlink():
                warn(Fault(name(file), 0, _why_not_followed(file, folder)))
            elif not stat.S_ISREG(file.lstat().st_mode):
                warn(Fault(name(file), 0, "is not a regular file; left out"))
            else:
                yield name(file), file


def has_page(folder: Path, area: str, suffixes: tuple[str, ...]) -> bool:
    """Tell whether a folder's subfolder `area` holds a file with such a suffix."""
    return any(True for _ in list_files(folder, area, suffixes, lambda _: None))


def _why_not_followed(link: Path, folder: Path) -> str:
    """Links are never followed: a target inside the folder is read where it lies."""
    try:
        target = link.resolve(strict=True)
    except (OSError, RuntimeError):
        return "is a link that leads nowhere or in a circle; left out"
    if target.is_relative_to(folder.resolve()):
        return "is a link to another place in this folder, which is read there; not followed"
    return "is a link that leads out of the folder; refused"


def _most(file: Path) -> int:
    return _MAX_NOTEBOOK_BYTES if file.suffix.lower() == ".ipynb" else MAX_PAGE_BYTES


def _decode(path: str, raw: bytes, most: int, language: str, warn: Warn) -> str:
    whole = len(raw) <= most
    if not whole:
        raw = raw[:most]
        size = most // 2**20
        warn(Fault(path, 0, f"is larger than {size} MB; the first {size} MB are indexed"))
    text = _characters(path, raw, whole, language, warn)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        warn(Fault(path, line, "holds NUL characters; replaced by U+FFFD"))
        text = text.replace("\0", "\ufffd")
    elif b"\xef\xbf\xbd" in raw and "\ufffd" in text:
        line = text.count("\n", 0, text.index("\ufffd")) + 1
        warn(Fault(path, line, "holds U+FFFD: characters were lost before it was saved"))
    return text


def _characters(path: str, raw: bytes, whole: bool, language: str, warn: Warn) -> str:
    """Decode a page; one that is not `whole` may end within a character, which is dropped."""
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        warn(Fault(path, 1, "is UTF-16; read as such. Save it as UTF-8"))
        return raw.decode("utf-16", "replace")
    try:
        return codecs.getincrementaldecoder("utf-8-sig")().decode(raw, final=whole)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        encoding = encoding_of(raw, language)
        warn(Fault(path, line, f"is not UTF-8; read as {called(encoding)}. Save it as UTF-8"))
        return raw.decode(encoding, "replace")
