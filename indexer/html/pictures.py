"""Which pictures' texts say nothing: what stands right beside them, or the name of the file.

Knows no layouts.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from selectolax.lexbor import LexborNode

from indexer.html.sizes import Size

_BESIDE_CHARS = 300
"""What holds more text than this says something else too."""
_FAR = 8
_NOTHING = Size()
_WORD = re.compile(r"\w+")


def mute(root: LexborNode, sizes: Mapping[int, Size]) -> dict[int, str]:
    """Return the pictures that are left out, by id in memory, with the nothing they become."""
    beside: dict[int, str] = {}
    found: dict[int, str] = {}
    for picture in root.css("img[alt]"):
        said = (picture.attributes.get("alt") or "").strip()
        if said and (_is_file(picture, said) or _is_repeated(picture, _words(said), sizes, beside)):
            found[picture.mem_id] = ""
    return found


def _is_file(picture: LexborNode, said: str) -> bool:
    """Tell the text that Sphinx writes where an author wrote none."""
    source = picture.attributes.get("src") or ""
    return bool(PurePosixPath(said).suffix) and source.endswith(said)


def _is_repeated(
    picture: LexborNode, words: str, sizes: Mapping[int, Size], beside: dict[int, str]
) -> bool:
    for around in _around(picture, sizes):
        if sizes[around.mem_id].chars <= _BESIDE_CHARS:
            if around.mem_id not in beside:
                beside[around.mem_id] = _words(around.text(separator=" "))
            if words in beside[around.mem_id]:
                return True
    return False


def _around(picture: LexborNode, sizes: Mapping[int, Size]) -> Iterator[LexborNode]:
    """Yield the innermost element that holds text besides the picture, and the figure around."""
    around, has_text = picture.parent, False
    for _ in range(_FAR):
        if around is None:
            return
        holds_text = bool(sizes.get(around.mem_id, _NOTHING).chars)
        is_figure = around.tag == "figure" or "figure" in (around.attributes.get("class") or "")
        if holds_text and (is_figure or not has_text):
            yield around
        has_text = has_text or holds_text
        around = around.parent


def _words(text: str) -> str:
    return f" {' '.join(_WORD.findall(text.casefold()))} "
