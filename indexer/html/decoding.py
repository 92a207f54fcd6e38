"""The bytes of an HTML page -> its text, as a browser decodes them.

Does not know what is in the page.
"""

import codecs
import re
from dataclasses import dataclass

from indexer.encodings import called, encoding_of

MAX_PAGE_BYTES = 4 * 1024 * 1024
"""A longer page ends here."""
_HEAD = 4096
_DECLARED = re.compile(
    rb"<(?:meta|\?xml)\b[^>]*?(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.I
)
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MEANT = {
    **dict.fromkeys(("ascii", "iso8859-1"), "cp1252"),
    **dict.fromkeys(("gb2312", "gbk"), "gb18030"),
    **dict.fromkeys(("shift_jis", "shift_jisx0213"), "cp932"),
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
}
"""What browsers read pages in, that declare themselves to be in another encoding."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A page as text."""

    text: str
    """Line ends are `\\n`; NUL characters are U+FFFD."""
    fault: str = ""
    """What was wrong with the bytes; empty where nothing was."""


def decode(raw: bytes, charset: str = "") -> Decoded:
    """Return the text of a page; `charset` is what its server said.

    A byte order mark comes first, then the server, then the page itself, then its looks.
    """
    for bom, name in _BOMS:
        if raw.startswith(bom):
            return _decoded(raw[len(bom) :], name)
    said = _codec(charset) or _codec(_declared(raw))
    if said:
        return _decoded(raw, said)
    try:
        return Decoded(_tidy(codecs.getincrementaldecoder("utf-8")().decode(raw, final=False)))
    except UnicodeDecodeError:
        name = encoding_of(raw)
        fault = f"is not UTF-8 and declares nothing else; read as {called(name)}"
        return Decoded(_decoded(raw, name).text, fault)


def _decoded(raw: bytes, name: str) -> Decoded:
    try:
        return Decoded(_tidy(codecs.getincrementaldecoder(name)().decode(raw, final=False)))
    except UnicodeDecodeError as error:
        if name == "cp1252":
            # Browsers take the five bytes that mean nothing for control characters.
            return Decoded(_tidy(raw.decode(name, "replace")))
        line = raw.count(b"\n", 0, error.start) + 1
        fault = f"is not {called(name)} all through, as it declares (line {line}); replaced"
        return Decoded(_tidy(raw.decode(name, "replace")), fault)


def _declared(raw: bytes) -> str:
    match = _DECLARED.search(raw[:_HEAD])
    return match[1].decode("ascii", "replace") if match else ""


def _codec(label: str) -> str:
    """Return the codec for a label; empty where there is none for text."""
    try:
        found = codecs.lookup(label.strip().strip("\"'"))
        "".encode(found.name)
    except (LookupError, ValueError, TypeError):
        return ""
    # A page whose declaration could be read is not in UTF-16, whatever it declares.
    name = "utf-8" if found.name.startswith(("utf-16", "utf-32", "utf-7")) else found.name
    return _MEANT.get(name, name)


def _tidy(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\0", "\ufffd").removeprefix("\ufeff")
